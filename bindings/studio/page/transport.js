// SPDX-License-Identifier: MIT
// The connection to the program: requests with replies, messages by type,
// records by type, files. It connects again when the program comes back. Other
// files use only this interface, whatever is behind it.
import { notice } from './dom.js';
import { Emitter } from './emitter.js';
import { readRecords } from './records.js';

const WINDOW = 20;
const TOKEN = 'sandbell-token';

/** The token: from the address, which then loses it, or from this session. */
function takeToken() {
    const given = /[#&]token=([0-9a-fA-F]+)/.exec(location.hash);
    if (given) {
        sessionStorage.setItem(TOKEN, given[1]);
        history.replaceState(null, '', location.pathname + location.search);
        return given[1];
    }
    return sessionStorage.getItem(TOKEN) || '';
}

/** What went wrong with a request: a code of the protocol and a sentence. */
export class RequestError extends Error {
    /** @param {string} code @param {string} message */
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}

export class Transport extends Emitter {
    constructor() {
        super();
        this.token = takeToken();
        /** @type {WebSocket|null} */ this.socket = null;
        /** @type {Promise<void>} */ this.greeted = Promise.resolve();
        /** @type {Map<number, {resolve: (m: any) => void, reject: (e: Error) => void}>} */
        this.waiting = new Map();
        this.nextId = 1;
        this.received = 0;
        this.ackDue = false;
        this.pause = 250;
        /** @type {Set<string>} */
        this.topics = new Set(['poses', 'contacts', 'spectrum', 'scope', 'energies', 'stats',
            'params', 'log', 'textures']);
        /** @type {(state: 'live'|'gone'|'refused') => void} */
        this.onstate = () => {};
    }

    /** Address of the socket. */
    get address() {
        return `${location.origin.replace(/^http/, 'ws')}/api/v1/socket`;
    }

    // Fetch first: only this tells "refused" from "gone".
    /** @returns {Promise<void>} */
    async connect() {
        let answer;
        try {
            answer = await fetch('/api/v1/scene', { headers: this.headers() });
        } catch {
            this.retry();
            return;
        }
        if (answer.status === 401 || answer.status === 403) {
            this.onstate('refused');
            return;
        }
        // Its answer is the scene: the view needs not wait for the socket.
        answer.json().then(scene => this.emit('scene', scene), () => {});
        const socket = new WebSocket(this.address, ['sandbell.v1', `token.${this.token}`]);
        socket.binaryType = 'arraybuffer';
        this.socket = socket;
        this.greeted = new Promise(resolve => { socket.onopen = () => resolve(this.greet()); });
        socket.onmessage = event => this.receive(event.data);
        socket.onclose = () => {
            if (this.socket === socket)
                this.lost();
        };
    }

    async greet() {
        this.received = 0;
        try {
            const welcome = await this.request('hello', {
                protocol: 1, subscribe: [...this.topics], window: WINDOW,
            });
            this.pause = 250;
            this.onstate('live');
            this.emit('welcome', welcome);
        } catch {
            this.socket?.close();
        }
    }

    lost() {
        this.socket = null;
        for (const { reject } of this.waiting.values())
            reject(new RequestError('gone', 'the program is not connected'));
        this.waiting.clear();
        this.retry();
    }

    retry() {
        this.onstate('gone');
        setTimeout(() => this.connect(), this.pause);
        this.pause = Math.min(5000, this.pause * 1.6);
    }

    headers() {
        return { Authorization: `Bearer ${this.token}` };
    }

    /** @param {string|ArrayBuffer} data */
    receive(data) {
        if (typeof data !== 'string') {
            for (const record of readRecords(data))
                this.emit(record.type, record);
            this.received++;
            this.ackSoon();
            return;
        }
        const message = JSON.parse(data);
        const asked = message.id !== undefined && this.waiting.get(message.id);
        if (asked) {
            this.waiting.delete(message.id);
            if (message.type === 'error')
                asked.reject(new RequestError(message.code, message.message));
            else
                asked.resolve(message);
            return;
        }
        this.emit(message.type, message);
    }

    /** One ack per drawn frame, so that a page that hangs gets no flood. */
    ackSoon() {
        if (this.ackDue)
            return;
        this.ackDue = true;
        requestAnimationFrame(() => {
            this.ackDue = false;
            this.send('ack', { n: this.received });
        });
    }

    /** @param {number} type @param {(record: StreamRecord) => void} handler */
    onRecord(type, handler) { this.on(type, handler); }

    get open() {
        return this.socket !== null && this.socket.readyState === WebSocket.OPEN;
    }

    // A message without a reply.
    /** @param {string} type @param {object} [fields] */
    send(type, fields = {}) {
        if (this.open)
            this.socket?.send(JSON.stringify({ type, ...fields }));
    }

    /** @param {ArrayBuffer} bytes */
    sendBytes(bytes) {
        if (this.open)
            this.socket?.send(bytes);
    }

    // A request whose failure is shown to the user.
    /** @param {string} type @param {object} [fields] */
    tell(type, fields) {
        return this.request(type, fields).catch(e => notice(e.message));
    }

    // A message with a reply.
    /** @param {string} type @param {object} [fields] @returns {Promise<any>} */
    request(type, fields = {}) {
        if (!this.open)
            return Promise.reject(new RequestError('gone', 'the program is not connected'));
        const id = this.nextId++;
        return new Promise((resolve, reject) => {
            this.waiting.set(id, { resolve, reject });
            this.socket?.send(JSON.stringify({ type, id, ...fields }));
            this.emit('sent', { type, fields });
        });
    }

    /** @param {string[]} add @param {string[]} remove */
    subscribe(add, remove = []) {
        add.forEach(t => this.topics.add(t));
        remove.forEach(t => this.topics.delete(t));
        if (this.open)
            this.request('subscribe', { add, remove }).catch(() => {});
    }

    /** @param {string} path under /api/v1/ */
    async get(path) {
        const answer = await fetch(`/api/v1/${path}`, { headers: this.headers() });
        if (!answer.ok) {
            const told = await answer.json().catch(() => null);
            throw new RequestError(told?.code || String(answer.status),
                told?.message || `${path}: ${answer.status}`);
        }
        return answer;
    }

    /** @param {string} path @returns {Promise<any>} */
    async getJson(path) {
        return (await this.get(path)).json();
    }

    /** @param {string} path */
    async getBytes(path) {
        return (await this.get(path)).arrayBuffer();
    }
}
