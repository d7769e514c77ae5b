// SPDX-License-Identifier: MIT
// The bar: scene, transport, figures, gain, meter, connection; and the banner
// below it, which names an error until it is mended.
import { announce, buttonById, byId, canvasById, clearNotice, icon, inputById, notice, oncePerFrame, short } from './dom.js';
import { isShown } from './layout.js';
import { Plot, ink } from './plot.js';
import { Slider } from './slider.js';

export class Bar {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        this.paused = false;
        this.takes = 0;
        this.wasLive = false;
        /** @type {(asked: Promise<any>, name: string) => void} */ this.onrecorded = () => {};
        this.time = 0;
        this.meter = new Plot(canvasById('meter'), { left: 0, right: 0, top: 0, bottom: 0 });
        this.held = -100;
        /** @type {(file: string, line: number) => void} */ this.onshowline = () => {};
        this.error = { text: '', file: '', line: 0 };
        this.buttons();
        this.listen();
    }

    /** @param {string} action */
    act(action) {
        this.transport.request('transport', { action })
            .catch(error => notice(error.message));
    }

    toggle() { this.act(this.paused ? 'play' : 'pause'); }

    buttons() {
        buttonById('play').onclick = () => this.toggle();
        buttonById('step').onclick = () => this.act('step');
        buttonById('reset').onclick = () => this.act('reset');
        buttonById('reload').onclick = () => this.act('reload');
        const record = buttonById('record');
        record.onclick = () => {
            if (record.getAttribute('aria-pressed') !== 'true')
                this.transport.tell('record', { action: 'start' });
            else
                this.onrecorded(this.transport.request('record', { action: 'stop' }), `${byId('scene-name').textContent?.replace(/\.lua$/, '')}_take_${++this.takes}`);
        };
        const send = oncePerFrame((/** @type {number} */ gain) => this.transport.tell('quality.set', { gain }));
        let [scripted, isScripted] = [0, true]; // the scene's own gain is the default
        const inDb = (/** @type {number} */ gain) => 20 * Math.log10(gain); // of 0: -Infinity, and back
        const { min, max } = this.store.rangeOf('sb.listener', 'gain');
        const gain = this.gain = new Slider({ range: inputById('master'), name: 'gain', min: inDb(min), max: inDb(max), value: 0, unit: 'dB', reset: () => scripted,
            change: db => { isScripted = false; send(10 ** (db / 20)); } });
        for (const event of ['scene', 'reloaded'])
            this.store.on(event, () => { isScripted = true; });
        this.store.on('quality', () => {
            const db = inDb(this.store.scene?.quality.gain ?? 1);
            gain.set(db);
            if (isScripted)
                scripted = db;
        });
        buttonById('banner-close').onclick = () => {
            if (!this.error.text)
                this.store.copied = '';
            this.clear();
        };
        buttonById('banner-go').onclick = () => this.onshowline(this.error.file, this.error.line);
    }

    listen() {
        const { transport, store } = this;
        transport.onstate = state => this.setState(state);
        transport.on('transport', m => this.setPaused(m.paused));
        transport.on('stats', m => this.stats(m));
        transport.on('runtime.error', m => this.showError(m));
        transport.on('reload.error', m => this.showError(m));
        transport.on('reload.ok', m => this.reloaded(m));
        transport.on('recording', m => {
            buttonById('record').setAttribute('aria-pressed', String(m.on));
            if (m.on)
                notice(`recording${m.file ? `; what is done by hand goes to ${m.file}` : ''}`);
        });
        transport.on('log', m => { if (m.level === 'error') announce(m.text); });
        transport.on('contacts', m => {
            if (m.lost) {
                byId('dropped-box').hidden = false;
                const out = byId('dropped');
                out.textContent = String(Number(out.textContent) + m.lost);
            }
        });
        store.on('scene', ({ sameFile }) => {
            const scene = store.scene;
            store.origin = scene?.origin || 0;
            byId('clock').textContent = `${((scene?.time || 0) - store.origin).toFixed(2)} s`;
            this.held = -100;
            this.level(-100);
            if (!sameFile)
                clearNotice();
            const name = scene ? scene.file.replace(/^.*\//, '') : 'no scene';
            byId('scene-name').textContent = name;
            byId('scene-name').title = scene ? `${scene.folder}/${name}` : '';
            document.title = scene ? `${name} · Sandbell studio` : 'Sandbell studio';
            byId('seed').textContent = scene ? String(scene.seed ?? '–') : '–';
            this.setPaused(!!scene?.paused);
            this.clear();
        });
        store.on('copied', () => announce(copied(store.copied)));
    }

    /** @param {'live'|'gone'|'refused'} state */
    setState(state) {
        const place = byId('live');
        place.className = `live ${state === 'live' ? 'on' : 'off'}`;
        byId('live-text').textContent = { live: 'live', gone: 'program gone, trying again', refused: 'refused' }[state];
        if (state === 'refused')
            this.say('The program refuses this page: the address has no valid token. Open the address that "sandbell studio" prints.');
        else if (state === 'gone' && this.wasLive)
            this.say('The program has ended or does not answer. This page goes on by itself when it is started again in the same folder.');
        else if (state === 'live' && !this.error.line)
            this.clear();
        this.wasLive = this.wasLive || state === 'live';
    }

    /** @param {boolean} paused */
    setPaused(paused) {
        this.paused = paused;
        const play = buttonById('play');
        play.setAttribute('aria-label', paused ? 'Play' : 'Pause');
        play.title = paused ? 'Play (P)' : 'Pause (P)';
        play.replaceChildren(icon(paused ? 'play' : 'pause'));
    }

    /** @param {any} m */
    stats(m) {
        this.time = m.time;
        this.store.origin = m.origin;
        byId('clock').textContent = `${(m.time - m.origin).toFixed(2)} s`;
        byId('cpu').textContent = `${(100 * m.cpu).toFixed(m.cpu < 0.1 ? 1 : 0)} %`;
        byId('late').textContent = String((m.missed || 0) + (m.late || 0));
        this.store.emit('stats', m);
        this.level(m.peak);
    }

    /** @param {number} db */
    level(db) {
        const now = Number.isFinite(db) ? db : -100;
        this.held = Math.max(now, this.held - 3);
        const p = this.meter;
        p.begin({ min: -60, max: 0 }, { min: 0, max: 1 });
        const g = p.g;
        const x = Math.max(0, p.px(now));
        g.fillStyle = now > -1 ? ink('warn') : ink('good');
        g.fillRect(0, 0, x, p.height);
        g.fillStyle = ink('ink');
        if (this.held > -60)
            g.fillRect(Math.min(p.width - 2, p.px(this.held)), 0, 2, p.height);
        p.canvas.setAttribute('aria-label', `Level ${short(Math.round(now))} dB of full scale`);
    }

    /** @param {string} text @param {string} [file] @param {number} [line] */
    say(text, file = '', line = 0) {
        this.error = { text, file, line };
        this.showBanner();
    }

    /** An error, or else that a copy was made, until it is closed or its scene is left. */
    showBanner() {
        const { text, line } = this.error;
        byId('banner-text').textContent = text || copied(this.store.copied);
        byId('banner').hidden = !text && !this.store.copied;
        byId('banner').classList.toggle('calm', !text);
        byId('banner-go').hidden = !line;
    }

    /** @param {any} m */
    showError(m) {
        // The sentence may begin with the place, and end with the hint.
        m.message = String(m.message).replace(/^\S+\.lua:\d+:\s*/, '');
        if (m.hint && m.message.includes(m.hint))
            m.hint = null;
        const since = m.running_since ? `Still running the version of ${m.running_since}. ` : '';
        const where = m.file ? `${m.file}${m.line ? `:${m.line}` : ''}: ` : '';
        this.say(`${since}${where}${m.message}${m.hint ? ` (${m.hint})` : ''}`, m.file || '', m.line || 0);
        this.store.emit('script-error', m);
    }

    clear() {
        this.say('');
        this.store.emit('script-error', null);
    }

    /** @param {any} m */
    reloaded(m) {
        this.clear();
        const words = ['kept', 'moved', 'painted', 'retuned', 'replaced', 'added', 'removed'];
        const parts = words.filter(w => m[w]).map(w => `${m[w]} ${w}`);
        const text = `reloaded: ${parts.join(', ') || 'nothing changed'}`;
        if (!isShown('p-lesson')) // there every turned slider is a reload
            notice(text);
        this.store.emit('reloaded', text);
    }
}

/** @param {string} copy a path */
function copied(copy) {
    return `Saved as a copy, ${copy}. The scene that came with the program stays as it is.`;
}
