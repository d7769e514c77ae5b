// SPDX-License-Identifier: MIT
// Tabs, movable borders, dark and light, dialogs. All work by keyboard.
import { announce, buttonById, byId, make } from './dom.js';
import { forgetColours } from './plot.js';

/** @type {Map<string, (() => void)[]>} what to call when a tab is shown */
const shownCalls = new Map();

/** @param {string} panel id @param {() => void} call */
export function whenShown(panel, call) {
    const list = shownCalls.get(panel) || [];
    list.push(call);
    shownCalls.set(panel, list);
}

/** @param {string} panel id of a tab panel */
export function showTab(panel) {
    const tab = document.querySelector(`[aria-controls="${panel}"]`);
    const list = tab?.closest('[role="tablist"]');
    if (!tab || !list)
        return;
    for (const other of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll('[role="tab"]'))) {
        const on = other === tab;
        other.setAttribute('aria-selected', String(on));
        other.tabIndex = on ? 0 : -1;
        byId(/** @type {string} */ (other.getAttribute('aria-controls'))).hidden = !on;
    }
    localStorage.setItem(`tab-${list.getAttribute('aria-label')}`, panel);
    for (const call of shownCalls.get(panel) || [])
        call();
}

/** @param {string} panel */
export function isShown(panel) {
    return !byId(panel).hidden;
}

function startTabs() {
    for (const list of document.querySelectorAll('[role="tablist"]')) {
        const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
        const panelOf = (/** @type {HTMLElement} */ t) => /** @type {string} */ (t.getAttribute('aria-controls'));
        all.forEach(tab => {
            tab.onclick = () => showTab(panelOf(tab));
            tab.onkeydown = e => {
                const tabs = all.filter(t => !t.hidden);
                const i = tabs.indexOf(tab);
                const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[e.key];
                if (to === undefined)
                    return;
                const next = tabs[(to + tabs.length) % tabs.length];
                showTab(panelOf(next));
                next.focus();
            };
        });
        const kept = localStorage.getItem(`tab-${list.getAttribute('aria-label')}`);
        const tabs = all.filter(t => !t.hidden);
        const known = tabs.some(t => panelOf(t) === kept);
        showTab(kept && known ? kept : panelOf(tabs[0]));
    }
}

/** @type {Map<string, (value: number) => void>} */
const borders = new Map();

// Move a border, unless the user has done so.
/** @param {string} name @param {number} value percent */
export function moveBorder(name, value) {
    if (!localStorage.getItem(name))
        borders.get(name)?.(value);
}

/** A border is a percentage of the main grid; where the user puts it is kept. */
function startBorders() {
    const main = byId('main');
    for (const border of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[role="separator"]'))) {
        const name = /** @type {string} */ (border.dataset.var);
        const upright = border.getAttribute('aria-orientation') === 'vertical';
        const low = Number(border.getAttribute('aria-valuemin'));
        const high = Number(border.getAttribute('aria-valuemax'));
        let value = Number(localStorage.getItem(name)) || { '--left': 57, '--view': 60, '--side': 52 }[name] || 50;
        const set = (/** @type {number} */ v) => {
            value = Math.min(high, Math.max(low, v));
            border.setAttribute('aria-valuenow', String(Math.round(value)));
            main.style.setProperty(upright ? name : `${name}-row`, upright ? `${value}%` : String(Math.round(value)));
        };
        const keep = (/** @type {number} */ v) => {
            set(v);
            localStorage.setItem(name, String(value));
        };
        set(value);
        borders.set(name, set);
        border.onpointerdown = e => {
            border.setPointerCapture(e.pointerId);
            border.onpointermove = m => {
                const box = main.getBoundingClientRect();
                keep(upright ? 100 * (m.clientX - box.left) / box.width : 100 * (m.clientY - box.top) / box.height);
            };
        };
        border.onpointerup = () => { border.onpointermove = null; };
        border.onkeydown = e => {
            const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[e.key];
            if (step) {
                e.preventDefault();
                keep(value + step);
            }
        };
    }
}

/** @param {Store} store */
function startScheme(store) {
    const root = document.documentElement;
    const system = window.matchMedia('(prefers-color-scheme: light)');
    const set = (/** @type {string} */ scheme) => {
        root.dataset.scheme = scheme;
        forgetColours();
        store.emit('scheme');
    };
    set(localStorage.getItem('scheme') || (system.matches ? 'light' : 'dark'));
    system.onchange = () => {
        if (!localStorage.getItem('scheme'))
            set(system.matches ? 'light' : 'dark');
    };
    buttonById('scheme').onclick = () => {
        const next = root.dataset.scheme === 'dark' ? 'light' : 'dark';
        localStorage.setItem('scheme', next);
        set(next);
    };
}

export function showKeys() {
    /** @type {HTMLDialogElement} */ (byId('help')).showModal();
}

let endAsk = (/** @type {string} */ _) => {};

// Ask a question with a few answers.
/** @param {string} text @param {string[]} answers the first is the main one @returns {Promise<string>} '' if it was closed */
export function ask(text, answers) {
    const dialog = /** @type {any} */ (byId('ask'));
    endAsk('');
    return new Promise(resolve => {
        endAsk = answer => { // not the event "close", which may come after the next question
            dialog.close();
            resolve(answer);
        };
        dialog.replaceChildren(make('p', { textContent: text }),
            make('div', { class: 'row' }, ...answers.map((a, i) => make('button', {
                textContent: a, class: i ? '' : 'primary', onclick: () => endAsk(a),
            }))));
        dialog.oncancel = () => endAsk('');
        dialog.showModal();
        announce(text);
    });
}

/** @param {Store} store */
export function startLayout(store) {
    startScheme(store);
    startTabs();
    startBorders();
    buttonById('keys').onclick = showKeys;
}
