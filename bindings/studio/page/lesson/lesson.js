// SPDX-License-Identifier: MIT
// The lesson tab: the text that lies beside the scene, with buttons, sliders,
// predictions and questions. The program judges the answers.
import { announce, byId, make, notice } from '../dom.js';
import { isShown, moveBorder, showTab } from '../layout.js';
import { Slider } from '../slider.js';
import { history } from '../undo.js';
import { ModeList } from './mode_list.js';
import { mathNode, plainText, spanNodes, tableOf } from './words.js';

/** @typedef {import('./words.js').Part} Part */
/** @typedef {{name: string, title: string, previous: string|null, next: string|null, kept: string, parts: Part[],
 *   answers: Record<string, {right: boolean, text: string, tries?: number, answer?: string}>, predictions: Record<string, string>}} LessonText */

const VIEW_SHARE = 36; // of the height: a lesson needs room to be read

export class Lesson {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        this.place = byId('p-lesson');
        /** @type {LessonText|null} */ this.text = null;
        /** @type {Map<string, Slider[]>} */ this.sliders = new Map();
        /** @type {ModeList[]} */ this.lists = [];
        /** @type {Map<string, boolean>} */ this.right = new Map();
        this.isPressed = false; // and nothing was struck yet
        this.said = make('output', { class: 'lesson-said', 'aria-label': 'What the scene says' });
        this.score = make('span', { class: 'lesson-score', role: 'status' });
        store.on('scene', () => this.load());
        store.on('params', () => this.showParams());
        for (const event of ['scene', 'bodies', 'modes'])
            store.on(event, () => this.lists.forEach(l => l.fill()));
        store.on('contacts', list => this.follow(list));
        transport.on('log', m => {
            if (!m.text.startsWith('reloaded'))
                this.said.textContent = m.text.split('\n')[0];
        });
    }

    async load() {
        const found = this.store.scene ? await this.transport.getJson('lesson').catch(() => null) : null;
        /** @type {LessonText|null} */ const text = found?.lesson || null;
        byId('tab-lesson').hidden = !text;
        if (!text) {
            this.text = null;
            if (isShown('p-lesson'))
                showTab('p-script');
            return;
        }
        if (this.text?.name === text.name)
            return; // the same one, loaded again: what was typed stays
        const isFirst = !this.text;
        this.text = text;
        this.show(text);
        showTab('p-lesson');
        if (isFirst)
            moveBorder('--view', VIEW_SHARE);
    }

    /** @param {LessonText} text */
    show(text) {
        this.sliders.clear();
        this.right.clear();
        this.lists = [];
        this.said.textContent = '';
        const body = make('div', { class: 'lesson-text', tabIndex: 0, role: 'region', 'aria-label': text.title });
        const teacher = make('details', { class: 'teacher' }, make('summary', { textContent: 'For the teacher' }));
        const number = Number.parseInt(text.name, 10);
        body.append(make('p', { class: 'lesson-kept', textContent: text.kept
            ? `This is your own copy: answers are kept in ${text.kept}.`
            : `Answers are not kept here. A copy keeps them: sandbell lesson ${number} --copy my_lesson_${number}` }));
        body.append(...this.sections(text.parts.filter(p => !p.teacher)));
        teacher.append(...this.sections(text.parts.filter(p => p.teacher && p.kind !== 'heading')));
        body.append(teacher);
        const step = (/** @type {string|null} */ file, /** @type {string} */ label) => make('button', {
            class: 'small', textContent: label, disabled: !file || !!text.kept,
            title: text.kept ? 'This is your own copy. Open other lessons from the terminal' : '',
            onclick: () => this.store.open(file).catch(e => notice(e.message)),
        });
        this.place.replaceChildren(
            make('div', { class: 'lesson-head' }, step(text.previous, 'Previous lesson'), step(text.next, 'Next lesson'),
                make('button', { class: 'small', textContent: 'Start again', title: 'Stop all sound, and begin as at first; answers stay',
                    onclick: () => this.startAgain() }), this.score),
            body, this.said);
        body.scrollTop = 0;
        this.showScore();
    }

    // All params have their defaults, and time begins anew; undo sets the params.
    async startAgain() {
        const moved = (this.store.scene?.params || []).filter(p => p.value !== p.default);
        const set = (/** @type {'value'|'default'} */ key) => Promise.all(moved.map(p =>
            this.transport.request('param.set', { name: p.name, value: p[key] })));
        const again = () => set('default').then(() => this.transport.request('transport', { action: 'reset' }));
        try {
            await again();
            if (moved.length)
                history.push('starting again', () => set('value'), again);
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }

    /** @param {Part[]} parts @returns {Node[]} */
    sections(parts) {
        /** @type {Node[]} */ const out = [];
        /** @type {HTMLElement|undefined} */ let outcome; // of a prediction, until its button is pressed
        /** @type {HTMLElement|undefined} */ let asked; // a prediction whose buttons are still to come
        for (let i = 0; i < parts.length; i++) {
            const same = [parts[i]];
            while (['row', 'press'].includes(parts[i].kind) && parts[i + 1]?.kind === parts[i].kind)
                same.push(parts[++i]);
            const made = this.section(same);
            if (!made)
                continue;
            const { kind } = same[0], before = out.at(-1);
            if (kind === 'paragraph' && outcome && before === outcome)
                outcome.append(made);
            else
                out.push(made);
            if (kind === 'press' && asked) {
                out.push(outcome = this.outcome(asked, made));
            }
            if (kind === 'predict' && made instanceof HTMLElement)
                asked = made;
            else if (kind !== 'turn')
                asked = undefined;
        }
        return out;
    }

    /** @param {Part[]} parts one, or some of the same kind @returns {Node|null} */
    section(parts) {
        const part = parts[0];
        switch (part.kind) {
            case 'title': return make('h2', {}, ...spanNodes(part.spans));
            case 'heading': return make('h3', {}, ...spanNodes(part.spans));
            case 'paragraph': return make('p', {}, ...spanNodes(part.spans));
            case 'formula': return make('div', { class: 'formula' }, mathNode(part.math || ''));
            case 'row': return tableOf(parts);
            case 'press': return make('div', { class: 'presses' }, ...parts.map(p => this.button(p)));
            case 'turn': return this.turn(part);
            case 'list': return this.list(part);
            case 'predict': return this.predict(part);
            case 'task': return this.question(part, false);
            case 'answer': return this.question(part, true);
            default: return null; // pictures are for paper: here the scene is live
        }
    }

    /** @param {Part} part */
    button(part) {
        return make('button', { class: 'press', textContent: plainText(part.spans).replace(/\.$/, ''), 'data-press': part.name,
            onclick: () => {
                this.isPressed = true;
                this.transport.request('lesson.press', { name: part.name }).catch(e => notice(e.message));
            } });
    }

    /**
     * The body that a button strikes is selected: the other tabs show it.
     * @param {Contact[]} list
     */
    follow(list) {
        const struck = this.isPressed && list.find(c => c.kind === 'strike' && this.store.bodies.has(c.a));
        if (struck) {
            this.isPressed = false;
            this.store.select(struck.a);
        }
    }

    /** @param {Part} part */
    turn(part) {
        const name = part.name || '';
        const box = make('div', { class: 'turn', 'data-turn': name }, make('p', {}, make('b', { textContent: name }), ' – ', ...spanNodes(part.spans)));
        const p = this.store.scene?.params.find(q => q.name === name);
        if (!p)
            return box;
        const slider = new Slider({
            name, min: p.min, max: p.max, value: p.value, reset: p.default, log: p.curve === 'log' && p.min >= 0,
            change: (value, done) => {
                if (done || !p.rebuilds)
                    this.transport.request('param.set', { name, value }).catch(e => notice(e.message));
            },
        });
        this.sliders.set(name, [...(this.sliders.get(name) || []), slider]);
        box.prepend(slider.element);
        return box;
    }

    showParams() {
        for (const p of this.store.scene?.params || [])
            for (const slider of this.sliders.get(p.name) || [])
                slider.set(p.value);
    }

    /** @param {Part} part */
    list(part) {
        const list = new ModeList(this.store, this.transport, part.name || '', spanNodes(part.spans).map(n => (typeof n === 'string' ? document.createTextNode(n) : n)));
        this.lists.push(list);
        return list.element;
    }

    /** @param {Part} part */
    predict(part) {
        const name = part.name || '';
        const id = `predict-${name}`;
        const noted = make('span', { class: 'noted', role: 'status' });
        const field = make('input', { type: 'text', id, value: this.text?.predictions[name] || '', placeholder: 'Write what you expect, before you try it',
            onchange: () => this.transport.request('lesson.predict', { name, text: field.value })
                .then(() => { noted.textContent = 'Noted. Now try it.'; }).catch(e => notice(e.message)) });
        return make('div', { class: 'ask predict' }, make('label', { for: id }, make('b', { textContent: 'Predict. ' }), ...spanNodes(part.spans)), field, noted);
    }

    /**
     * What a prediction is about: shown once its button is pressed.
     * @param {HTMLElement} ask @param {Node} buttons
     */
    outcome(ask, buttons) {
        const expected = make('p', { class: 'expected' });
        const box = make('div', { class: 'outcome', hidden: true }, expected);
        const field = /** @type {HTMLInputElement} */ (ask.querySelector('input'));
        const show = () => {
            expected.textContent = field.value ? `You expected: ${field.value}` : '';
            /** @type {HTMLElement} */ (ask.querySelector('.noted')).textContent = '';
            box.hidden = false;
        };
        buttons.addEventListener('click', show);
        if (field.value) // kept from another sitting
            show();
        return box;
    }

    /** @param {Part} part @param {boolean} typed */
    question(part, typed) {
        const name = part.name || '';
        const before = this.text?.answers[name];
        const id = `answer-${name}`;
        const verdict = make('p', { class: 'verdict', role: 'status' });
        const field = make('input', { type: 'text', id, inputMode: 'decimal', value: before?.answer || '', placeholder: 'A number',
            onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Enter') check(); } });
        const show = (/** @type {boolean} */ right, /** @type {string} */ text, /** @type {number} */ tries) => {
            verdict.className = `verdict ${right ? 'right' : 'wrong'}`;
            verdict.textContent = `${right ? '✓ Right' : '✗ Not yet'} (${tries} ${tries === 1 ? 'try' : 'tries'}). ${text}`;
            this.right.set(name, right || !!this.right.get(name)); // done is done
            this.showScore();
        };
        const check = async () => {
            try {
                const m = await this.transport.request('lesson.check', typed ? { name, answer: field.value.trim() } : { name });
                show(m.right, m.text, m.tries);
                announce(verdict.textContent);
            } catch (error) {
                notice(/** @type {Error} */ (error).message);
            }
        };
        const words = plainText(part.spans);
        const button = make('button', { class: 'primary small', textContent: 'Check', 'data-check': name, 'aria-label': `Check: ${words.slice(0, 60)}`, onclick: check });
        const head = [make('b', { textContent: typed ? 'Answer. ' : 'Task. ' }), ...spanNodes(part.spans)];
        this.right.set(name, false);
        if (before)
            show(before.right, before.text, before.tries || 1);
        return make('div', { class: 'ask', 'data-question': name }, typed ? make('label', { for: id }, ...head) : make('p', {}, ...head),
            make('div', { class: 'row flush' }, ...(typed ? [field] : []), button), verdict);
    }

    showScore() {
        const done = [...this.right.values()].filter(Boolean).length;
        const all = this.right.size > 0 && done === this.right.size;
        this.score.textContent = this.right.size ? `${all ? '✓ ' : ''}${done} of ${this.right.size} done` : '';
    }
}
