// SPDX-License-Identifier: MIT
// Calls by name: who listens does not know who speaks.

export class Emitter {
    constructor() {
        /** @type {Map<string|number, ((detail: any) => void)[]>} */ this.listeners = new Map();
    }

    /** @param {string|number} name @param {(detail: any) => void} call */
    on(name, call) {
        this.listeners.set(name, [...this.listeners.get(name) || [], call]);
    }

    /** @param {string|number} name @param {any} [detail] */
    emit(name, detail) {
        for (const call of this.listeners.get(name) || [])
            call(detail);
    }
}
