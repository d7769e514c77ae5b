// SPDX-License-Identifier: MIT
// Values that are set while a saved script is still being loaded. The load takes
// all values from the script, so they are sent again when it is done.

const TYPES = ['param.set', 'material.set', 'merge.set', 'mode.set', 'mode.limit', 'quality.set', 'room.set'];
const LONGEST_MS = 60000; // without a load, there is none

export class LateValues {
    /** @param {Store} store @param {Transport} transport */
    constructor(store, transport) {
        this.loads = 0; // that may still come: two saves may be one load
        this.until = 0;
        /** @type {Map<string, {type: string, fields: any, name?: string}>} the newest of each, by what it sets */ this.kept = new Map();
        transport.on('sent', ({ type, fields }) => {
            if (this.loads && TYPES.includes(type) && performance.now() < this.until)
                this.kept.set(JSON.stringify([type, fields.body, fields.n, fields.name, Object.keys(fields)]),
                    { type, fields, name: store.bodies.get(fields.body)?.name });
            if (['reload', 'reset'].includes(fields.action)) // the user wants the script's
                this.end();
        });
        transport.on('reload.error', () => this.end());
        transport.on('reload.ok', () => {
            const again = [...this.kept.values()];
            if (this.end())
                this.loads = 1;
            for (const { type, fields, name } of again) {
                const body = name === undefined ? undefined : store.find(fields.body, name)?.id;
                transport.tell(type, name === undefined ? fields : { ...fields, body });
            }
        });
    }

    /** A script is saved. */
    begin() {
        this.loads++;
        this.until = performance.now() + LONGEST_MS;
    }

    /** True: another load may come. */
    end() {
        const more = this.loads > 1;
        this.loads = 0;
        this.kept.clear();
        return more;
    }
}
