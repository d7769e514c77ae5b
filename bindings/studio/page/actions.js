// SPDX-License-Identifier: MIT
// What the user does to the scene, as messages: strike, probe, scrape, throw.
// Failures become one line at the foot of the page.
import { announce, notice, short, withUnit } from './dom.js';

// The striker's settings as the protocol has them.
/** @param {any} s */
export function strikerFields(s) {
    /** @type {Record<string, any>} */ const out = { mass: s.mass, model: s.model };
    if (s.radius > 0)
        out.radius = s.radius;
    if (s.hardness > 0)
        out.hardness = s.hardness;
    if (s.material)
        out.material = s.material;
    return out;
}

export class Actions {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.store = store;
        this.transport = transport;
        this.probing = false;
        /** @type {object|null} */ this.nextProbe = null;
        this.load = 1;
        this.isAuto = true; // the hand presses harder until it is heard
        this.isFast = false; // a scrape that should be heard
        /** @param {number} load */ this.pressed = load => { this.load = load; };
        transport.on('stats', m => this.press(m.peak));
        this.kind = 'slide';
        this.tip = 5e-4; // radius of what slides, m: a hand scrapes with a point
    }

    /** @param {unknown} error */
    fail(error) {
        const text = /** @type {Error} */ (error).message;
        notice(text);
        announce(text);
    }

    /**
     * @param {number} body
     * @param {number[]} point local
     * @param {number[]|null} direction local; null: along the inward normal
     * @param {number} [speed]
     * @param {number} [begun] time of the event that asked for it, ms
     */
    async strike(body, point, direction = null, speed = this.store.striker.speed, begun = performance.now()) {
        try {
            const struck = await this.transport.request('strike', {
                body, point, direction, speed, striker: strikerFields(this.store.striker),
            });
            this.store.emit('struck', { ...struck, point, direction, speed, begun });
            announce(`struck with ${withUnit(struck.impulse, 'N s')}, `
                + `${withUnit(struck.duration, 's')} long`);
            return struck;
        } catch (error) {
            this.fail(error);
            return null;
        }
    }

    // How the modes respond to a strike at a point. Only the newest question waits.
    /** @param {number} body @param {number[]} point local @param {number[]} direction local: of the strike */
    async probe(body, point, direction) {
        this.nextProbe = { body, point, direction };
        if (this.probing)
            return;
        this.probing = true;
        while (this.nextProbe) {
            const ask = this.nextProbe;
            this.nextProbe = null;
            try {
                const answer = await this.transport.request('probe', ask);
                this.store.probe = answer;
                this.store.emit('probe');
            } catch {
                break; // the next motion asks again
            }
            await new Promise(resolve => setTimeout(resolve, 34));
        }
        this.probing = false;
    }

    /** @param {number} body @param {number[]} point */
    beginScrape(body, point) {
        this.transport.request('scrape', {
            phase: 'begin', body, kind: this.kind, point, force: this.load,
            velocity: [0, 0, 0], striker: { ...strikerFields(this.store.striker), ...this.kind === 'slide' ? { radius: this.tip } : {} },
        }).catch(error => this.fail(error));
        announce(`${this.kind} with ${short(this.load)} N`);
    }

    // A scrape of wood is 40 dB softer than a strike, one of glass 10.
    /** @param {number} peak dBFS */
    press(peak) {
        const [soft, loud, most] = [-10, -4, 30]; // dBFS, dBFS, N
        if (!this.isAuto || !this.isFast || (peak >= soft && peak <= loud))
            return;
        const more = 10 ** (((peak < soft ? soft : loud) - peak) / 20);
        this.pressed(Number(Math.min(most, this.load * Math.min(3, Math.max(0.3, more))).toPrecision(2)));
    }

    /** @param {number[]} point @param {number[]} velocity local, m/s */
    moveScrape(point, velocity) {
        this.isFast = Math.hypot(...velocity) > 0.02;
        this.transport.send('scrape', { phase: 'move', point, force: this.load, velocity });
    }

    endScrape() {
        this.isFast = false;
        this.transport.request('scrape', { phase: 'end' }).catch(() => {});
    }

    /** @param {'grab'|'move'|'release'} phase @param {number} body @param {number[]} point world @param {number[]} [velocity] */
    throwBody(phase, body, point, velocity) {
        const fields = velocity ? { body, phase, point, velocity, spin: [0, 0, 0] } : { body, phase, point };
        if (phase === 'move')
            this.transport.send('throw', fields);
        else
            this.transport.request('throw', fields).catch(error => this.fail(error));
    }

    // Put a free body somewhere, as it was there.
    /** @param {number} id @param {string} name @param {{position: number[], orientation: number[], velocity: number[]}} pose */
    put(id, name, pose) {
        const body = this.store.find(id, name)?.id;
        const ask = (/** @type {object} */ fields) => this.transport.request('throw', { body, ...fields });
        // In one step: it does not fly there.
        return Promise.all([ask({ phase: 'grab', point: pose.position }), ask({ phase: 'release', spin: [0, 0, 0], ...pose })]);
    }
}
