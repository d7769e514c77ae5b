// SPDX-License-Identifier: MIT
// The gallery: the shipped scenes with their pictures, to open one. It comes up
// by itself when no scene is open.
import { buttonById, byId, make, notice } from './dom.js';

export class Gallery {
    /** @param {Store} store @param {Transport} transport @param {import('./work.js').Work} work */
    constructor(store, transport, work) {
        this.work = work;
        this.store = store;
        this.transport = transport;
        this.dialog = /** @type {HTMLDialogElement} */ (byId('gallery'));
        buttonById('scene-button').onclick = () => this.show();
        store.on('scene', () => {
            if (!store.scene && !store.opening)
                this.show();
            else if (this.dialog.open)
                this.dialog.close();
        });
    }

    async show() {
        if (this.dialog.open)
            return;
        const found = await this.transport.getJson('gallery').catch(error => {
            notice(error.message);
            return { scenes: [] };
        });
        const cards = make('div', { class: 'cards' });
        const fill = (/** @type {string} */ words) => {
            const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
            const list = found.scenes.filter((/** @type {any} */ s) => wanted.every(w => `${s.name} ${s.title}`.toLowerCase().includes(w)));
            cards.replaceChildren(...list.map((/** @type {any} */ s) => this.card(s)));
            if (!list.length)
                cards.append(make('p', { class: 'note', textContent: 'No scene has these words.' }));
        };
        const search = make('input', { type: 'text', placeholder: 'Search', 'aria-label': 'Search scenes', oninput: () => fill(search.value) });
        this.dialog.replaceChildren(
            make('div', { class: 'dialog-head' }, make('h2', { textContent: 'Scenes' }), search,
                make('button', { textContent: 'Close', onclick: () => this.dialog.close() })),
            cards);
        fill('');
        this.dialog.showModal();
    }

    /** @param {{file: string, name: string, title: string, picture: string|null}} s */
    card(s) {
        const text = make('span', { class: 'text' }, make('b', { textContent: s.name.replace(/_/g, ' ') }),
            make('span', { class: 'about', textContent: s.title }));
        const card = make('button', { class: 'card', 'aria-label': `Open ${s.name}: ${s.title}`, onclick: () => this.open(s.file) });
        if (s.picture)
            card.append(make('img', { src: s.picture, alt: '', loading: 'lazy' }));
        card.append(text);
        return card;
    }

    /** @param {string} file */
    async open(file) {
        try {
            if (await this.store.open(file))
                this.work.leave(`Opening ${file}`);
            this.dialog.close();
        } catch (error) {
            notice(/** @type {Error} */ (error).message);
        }
    }
}
