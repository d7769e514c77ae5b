// SPDX-License-Identifier: MIT
// The description of the Lua API: what may stand at a place, and what a word
// means. It works on text alone, without an editor.

export class Reference {
    /** @param {Entry[]} entries */
    constructor(entries) {
        this.entries = entries;
    }

    // The part after the last dot or colon.
    /** @param {string} name */
    static last(name) {
        return name.replace(/^.*[.:]/, '');
    }

    // What can complete the text before the cursor.
    /** @param {string} before all text up to the cursor @returns {{from: number, list: Offer[]}} how many characters are replaced */
    complete(before) {
        const word = /[A-Za-z_][\w.:]*$/.exec(before)?.[0] || '';
        const sign = Math.max(word.lastIndexOf('.'), word.lastIndexOf(':'));
        const stem = word.slice(sign + 1);
        /** @type {Offer[]} */ let list = [];
        if (sign < 0) {
            const call = enclosingCall(before);
            if (call)
                list = this.fieldsOf(call).map(f => ({ text: f.name, shown: f.name, about: aboutField(f) }));
            const roots = new Set(this.entries.map(e => e.name.split(/[.:]/)[0]));
            for (const root of roots)
                list.push({ text: root, shown: root, about: '' });
        } else if (word[sign] === ':') {
            list = this.entries.filter(e => e.name.includes(':')).map(offer);
        } else {
            const owner = word.slice(0, sign);
            const inOwner = this.entries.filter(e => e.name.startsWith(`${owner}.`));
            list = inOwner.map(offer);
        }
        const seen = new Set();
        list = list.filter(o => o.text.toLowerCase().startsWith(stem.toLowerCase()) && o.text !== stem && !seen.has(o.text) && seen.add(o.text));
        return { from: stem.length, list };
    }

    /** @param {string} call as sb.bar or plate:strike @returns {Field[]} */
    fieldsOf(call) {
        return this.find(call)?.fields || [];
    }

    /** @param {string} name */
    find(name) {
        const exact = this.entries.find(e => e.name === name);
        if (exact || !name.includes(':'))
            return exact;
        const method = Reference.last(name);
        return this.entries.find(e => e.name.includes(':') && Reference.last(e.name) === method);
    }

    /**
     * What a word means, in a sentence or two.
     * @param {string} line
     * @param {number} column
     * @param {string} before text up to this line
     * @returns {{call: string, text: string}|null}
     */
    explain(line, column, before) {
        const words = /[A-Za-z_][\w.:]*/g;
        for (let m = words.exec(line); m; m = words.exec(line)) {
            if (column < m.index || column > m.index + m[0].length)
                continue;
            const entry = this.find(m[0]);
            if (entry)
                return { call: entry.call || entry.name, text: entry.text || '' };
            const call = enclosingCall(`${before}\n${line.slice(0, m.index)}`);
            const word = m[0];
            const field = call && this.fieldsOf(call).find(f => f.name === word);
            if (field)
                return { call: `${call}: ${field.name}`, text: aboutField(field) };
        }
        return null;
    }
}

/** @param {Entry} e @returns {Offer} */
function offer(e) {
    return { text: Reference.last(e.name), shown: e.call || e.name, about: e.text || '' };
}

/** @param {Field} f */
function aboutField(f) {
    return [f.type, f.unit, f.text].filter(Boolean).join(' · ');
}

// The call whose table the end of the text is in: `sb.bar { length = ` is in
// sb.bar, `sb.body("a", { ` in sb.body.
/** @param {string} before */
export function enclosingCall(before) {
    const text = before.slice(-4000).replace(/--[^\n]*/g, '').replace(/"[^"\n]*"|'[^'\n]*'/g, '""');
    let depth = 0;
    for (let i = text.length - 1; i >= 0; i--) {
        const c = text[i];
        if (c === '}' || c === ')')
            depth++;
        else if (c === '{' || c === '(') {
            if (depth-- > 0)
                continue;
            depth = 0;
            const call = /([A-Za-z_][\w.:]*)\s*$/.exec(text.slice(0, i))?.[1];
            if (call && /[.:]/.test(call))
                return call;
        }
    }
    return null;
}
