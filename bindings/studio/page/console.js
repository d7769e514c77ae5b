// SPDX-License-Identifier: MIT
// The console: the prompt of the program, and what scripts print.
import { byId, make } from './dom.js';
import { whenShown } from './layout.js';

const LINES = 500;

export class Console {
    /** @param {Transport} transport */
    constructor(transport) {
        this.transport = transport;
        /** @type {string[]} */ this.history = [];
        this.at = 0;
        this.pending = '';
        const place = byId('p-console');
        this.out = make('div', { class: 'console-out', role: 'log', 'aria-label': 'Output', tabIndex: 0 });
        this.mark = make('span', { textContent: '>', 'aria-hidden': 'true' });
        this.input = make('input', { type: 'text', id: 'console-input', 'aria-label': 'Lua, as at the prompt', spellcheck: false, autocomplete: 'off',
            placeholder: 'Lua: bar:strike { speed = 2 }', onkeydown: (/** @type {KeyboardEvent} */ e) => this.key(e) });
        place.append(this.out, make('div', { class: 'console-in' }, this.mark, this.input));
        transport.on('log', m => this.print(m.text, m.level === 'error' ? 'error' : 'log'));
        whenShown('p-console', () => this.input.focus({ preventScroll: true }));
    }

    /** @param {string} text @param {string} kind */
    print(text, kind) {
        const low = this.out.scrollTop + this.out.clientHeight > this.out.scrollHeight - 20;
        this.out.append(make('div', { class: kind, textContent: text.replace(/\n$/, '') }));
        while (this.out.children.length > LINES)
            this.out.firstChild.remove();
        if (low)
            this.out.scrollTop = this.out.scrollHeight;
    }

    /** @param {KeyboardEvent} e */
    key(e) {
        if (e.key === 'Enter') {
            this.run(this.input.value);
        } else if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
            e.preventDefault();
            this.at = Math.min(this.history.length, Math.max(0, this.at + (e.key === 'ArrowUp' ? -1 : 1)));
            this.input.value = this.history[this.at] || '';
        } else if (e.key === 'Escape') {
            this.setPending('');
        }
    }

    /** @param {string} text */
    setPending(text) {
        this.pending = text;
        this.mark.textContent = text ? '>>' : '>';
    }

    /** @param {string} line */
    async run(line) {
        if (!line.trim() && !this.pending)
            return;
        this.input.value = '';
        if (line.trim() && this.history[this.history.length - 1] !== line)
            this.history.push(line);
        this.at = this.history.length;
        this.print(`${this.pending ? '>>' : '>'} ${line}`, 'in');
        const text = this.pending ? `${this.pending}\n${line}` : line;
        try {
            const answer = await this.transport.request('eval', { text });
            if (answer.incomplete && line.trim()) {
                this.setPending(text);
                return;
            }
            this.setPending('');
            if (answer.text)
                this.print(answer.text, answer.ok ? 'out' : 'error');
        } catch (error) {
            this.setPending('');
            this.print(/** @type {Error} */ (error).message, 'error');
        }
    }
}
