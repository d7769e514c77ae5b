// SPDX-License-Identifier: MIT
// A bar in the view while something is computed: its name, the share that is
// done, the time left, and a button that ends it.
import { buttonById, byId, notice, short } from './dom.js';

/** Where each stage of a solve begins and ends in the bar, as in the terminal. */
const STAGES = /** @type {Record<string, [number, number]>} */ ({
    mesh: [0, 0.05], thinning: [0, 0.05], assembly: [0.05, 0.08], ordering: [0.08, 0.1],
    factorisation: [0.1, 0.25], modes: [0.25, 0.95], radiation: [0.95, 1],
});

export class Work {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.leaving = false; // another scene is coming, or ...
        this.stopping = false; // ... none
        this.solve = { body: '', end: NaN }; // estimated, ms of performance.now
        transport.on('computing', m => {
            if (!this.leaving)
                this.show(`Computing ${m.file}`, m.time / m.of, `${short(m.time)} of ${m.exact ? '' : 'at most '}${short(m.of)} s`
                    + (Number.isFinite(m.left) && m.left !== null ? `, ${m.exact ? '' : 'at most '}${span(m.left)} left` : ''), true);
        });
        transport.on('solve.progress', m => {
            if (!this.stopping)
                this.solving(m);
        });
        // It is over when the scene is another one.
        for (const type of ['reload.ok', 'reload.error', 'runtime.error', 'scene.patch', 'modes.changed'])
            transport.on(type, () => this.hide());
        store.on('scene', () => {
            this.leaving = this.stopping = false;
            if (store.opening)
                this.show('Opening the scene', NaN, '', true);
            else if (!store.scene?.computing)
                this.hide();
        });
        buttonById('work-cancel').onclick = async () => {
            try {
                if (await store.open(null))
                    this.leave('Stopping; what was computed is kept', true);
            } catch (error) {
                notice(/** @type {Error} */ (error).message);
            }
        };
    }

    // The modes of a body before its scene plays. One stage says how long it will take.
    /** @param {{body: string, stage: string, done: number, expected: number}} m */
    solving(m) {
        if (m.body !== this.solve.body)
            this.solve = { body: m.body, end: NaN };
        if (m.stage === 'time')
            this.solve.end = performance.now() + m.done;
        const [from, to] = STAGES[m.stage] || [NaN, NaN];
        if (!Number.isFinite(from))
            return;
        const left = (this.solve.end - performance.now()) / 1000;
        this.show(`Solving ${m.body}`, from + (m.expected > 0 ? Math.min(1, m.done / m.expected) * (to - from) : 0),
            m.stage + (left > 0 ? `, about ${span(left)} left` : ''), true);
    }

    // Another scene is coming.
    /** @param {string} name @param {boolean} [stopping] or none */
    leave(name, stopping = false) {
        [this.leaving, this.stopping] = [true, stopping];
        this.show(name, NaN, '');
    }

    /** @param {string} name @param {number} share NaN: not known @param {string} text @param {boolean} [mayEnd] */
    show(name, share, text, mayEnd = false) {
        byId('work').hidden = false;
        byId('work-name').textContent = name;
        byId('work-text').textContent = text;
        const bar = /** @type {HTMLProgressElement} */ (byId('work-share'));
        if (Number.isFinite(share))
            bar.value = share;
        else
            bar.removeAttribute('value');
        buttonById('work-cancel').hidden = !mayEnd;
    }

    hide() {
        byId('work').hidden = true;
    }
}

/** @param {number} seconds */
function span(seconds) {
    if (seconds < 90)
        return `${Math.ceil(seconds)} s`;
    return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${short(seconds / 3600, 2)} h`;
}
