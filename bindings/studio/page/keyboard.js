// SPDX-License-Identifier: MIT
// Keys that work anywhere on the page, except while somebody types.
import { buttonById } from './dom.js';
import { showKeys } from './layout.js';
import { history } from './undo.js';

/**
 * @param {Store} store
 * @param {{toggle: () => void}} bar
 * @param {{only: (n: number) => void}} modes
 * @param {() => any} view
 */
export function startKeys(store, bar, modes, view) {
    document.addEventListener('keydown', e => {
        const target = /** @type {HTMLElement} */ (e.target);
        const types = target.matches('input:not([type="range"]):not([type="checkbox"]), textarea') || target.closest('.CodeMirror, dialog');
        const way = (e.ctrlKey || e.metaKey) && { z: e.shiftKey ? 1 : -1, y: 1 }[e.key.toLowerCase()];
        if (way && !types && !e.altKey) {
            e.preventDefault();
            if (way < 0)
                history.back();
            else
                history.forward();
        }
        if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || types || target.matches('select'))
            return;
        if (/^[1-9]$/.test(e.key)) {
            const n = Number(e.key);
            if (n > store.modes.length)
                return;
            modes.only(n);
        } else if (e.key === ' ' && !target.matches('button, [role="radio"], [role="tab"], input')) {
            e.preventDefault();
            view()?.pointer.strikeCursor();
        } else if (e.key === 'p') {
            bar.toggle();
        } else if (e.key === 'm') {
            const now = Math.max(0, ...store.shown);
            store.showMode(now >= store.modes.length ? 0 : now + 1);
        } else if (e.key === 'f') {
            buttonById('freeze').click();
        } else if (e.key === '?') {
            showKeys();
        }
    });
}
