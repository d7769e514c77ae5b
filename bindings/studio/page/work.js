// A bar in the view while something is computed: its name, the share that is
// done, the time left, and a button that ends it.
import { buttonById, byId, short } from './dom.js';

export class Work {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        transport.on('computing', m => {
            if (!this.leaving)
                this.show(`Computing ${m.file}`, m.time / m.of, `${short(m.time)} of ${m.exact ? '' : 'at most '}${short(m.of)} s`
                    + (Number.isFinite(m.left) && m.left !== null ? `, ${m.exact ? '' : 'at most '}${span(m.left)} left` : ''), true);
        });
        transport.on('solve.progress', m => this.show(`Solving ${m.body}`, m.expected > 0 ? m.done / m.expected : NaN, m.stage));
        // It is over when the scene is another one.
        for (const type of ['reload.ok', 'reload.error', 'runtime.error', 'scene.patch', 'modes.changed'])
            transport.on(type, () => this.hide());
        store.on('scene', () => {
            this.leaving = false;
            if (!store.scene?.computing)
                this.hide();
        });
        this.leaving = false;
        buttonById('work-cancel').onclick = () => {
            this.leave('Stopping; what was computed is kept');
            transport.tell('open', { file: null });
        };
    }

    // Another scene is coming.
    /** @param {string} name */
    leave(name) {
        this.leaving = true;
        this.show(name, NaN, '');
    }

    /** @param {string} name @param {number} share NaN: not known @param {string} text @param {boolean} [mayEnd] */
    show(name, share, text, mayEnd = false) {
        byId('work').hidden = false;
        byId('view-hint').hidden = true;
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
        byId('view-hint').hidden = false;
    }
}

/** @param {number} seconds */
function span(seconds) {
    if (seconds < 90)
        return `${Math.ceil(seconds)} s`;
    return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${short(seconds / 3600, 2)} h`;
}
