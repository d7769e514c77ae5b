// Lua as text: settings as Lua to be copied, and where a number is in a file.
// "Write to file" changes one number of one table; this file finds the place.

/** @param {number} v */
const brief = v => String(Number(v.toPrecision(5)));

// body:strike as it was last made by hand.
/** @param {string} name of the body @param {any} striker @param {Probe|null} probe where it is struck */
export function strikeAsLua(name, striker, probe) {
    const parts = [];
    if (probe?.uv)
        parts.push(`at = { u = ${brief(probe.uv[0])}, v = ${brief(probe.uv[1])} }`);
    if (probe && probe.direction.reduce((sum, d, i) => sum + d * probe.normal[i], 0) < 0.999)
        parts.push(`direction = { ${probe.direction.map(d => brief(Math.abs(d) < 1e-6 ? 0 : d)).join(', ')} }`);
    parts.push(`speed = ${striker.speed}`, `mass = ${striker.mass}`);
    if (striker.radius > 0)
        parts.push(`radius = ${striker.radius}`);
    if (striker.hardness > 0)
        parts.push(`hardness = ${striker.hardness}`);
    if (striker.material)
        parts.push(`material = "${striker.material}"`);
    if (striker.model && striker.model !== 'auto')
        parts.push(`contact = "${striker.model}"`);
    return `sb.find("${name}"):strike { ${parts.join(', ')} }`;
}

/** @param {Material} m */
export function materialAsLua(m) {
    const names = /** @type {const} */ (['density', 'youngs_modulus', 'poisson_ratio', 'alpha', 'beta', 'hardness', 'roughness']);
    return `sb.material("${m.script_name || m.name || 'my material'}", {\n`
        + names.map(n => `  ${n} = ${m[n]},`).join('\n') + '\n})';
}

// The text with its comments and what is in strings blanked, of the same length.
/** @param {string} text */
function codeOf(text) {
    const blank = (/** @type {string} */ s) => s.replace(/[^\n]/g, ' ');
    return text.replace(/--\[(=*)\[[^]*?(?:\]\1\]|$)|--[^\n]*|\[(=*)\[[^]*?(?:\]\2\]|$)|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'/g,
        s => /^["']/.test(s) ? s[0] + blank(s.slice(1, -1)) + s[0] : blank(s));
}

// Where a table that begins at `{` ends.
/** @param {string} code @param {number} open */
function closeOf(code, open) {
    for (let i = open, depth = 0; i < code.length; i++) {
        depth += '{(['.includes(code[i]) ? 1 : '})]'.includes(code[i]) ? -1 : 0;
        if (depth === 0)
            return i;
    }
    return code.length;
}

// The fields of the table at `open`: where each value begins and ends.
/** @param {string} code @param {number} open @param {string} field @returns {[number, number]|null} */
function valueOf(code, open, field) {
    const end = closeOf(code, open);
    for (let i = open + 1; i < end; i++) {
        const found = new RegExp(`^${field}\\s*=(?!=)\\s*`).exec(code.slice(i, end));
        if (found && !/[\w.:]/.test(code[i - 1])) {
            const from = i + found[0].length;
            let to = from;
            while (to < end && !',;'.includes(code[to]))
                to = '{(['.includes(code[to]) ? closeOf(code, to) + 1 : to + 1;
            return [from, from + code.slice(from, to).trimEnd().length];
        }
        if ('{(['.includes(code[i]))
            i = closeOf(code, i);
    }
    return null;
}

const NUMBER = /^-?\s*(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)$/;

/** @param {string} s */
const escaped = s => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

// Where `field` of the table in sb.CALL("NAME", { ... }) is, to be changed; a
// field that is not there goes behind the brace.
/** @param {string} text @param {'param'|'material'} call @param {string} name @param {string} field @returns {Place|null} null: there is no such call */
export function findField(text, call, name, field) {
    const code = codeOf(text);
    for (const found of text.matchAll(new RegExp(`\\b${call}\\s*\\(?\\s*(["'])${escaped(name)}\\1\\s*,?\\s*`, 'g'))) {
        const begin = found.index || 0;
        const open = begin + found[0].length;
        if (code.slice(begin, begin + call.length) !== call || code[open] !== '{')
            continue;
        const line = (/** @type {number} */ at) => text.slice(0, at).split('\n').length;
        const value = valueOf(code, open, field);
        if (!value) {
            const lead = /^\s*?\n(\s*)/.exec(code.slice(open + 1));
            return { from: open + 1, to: open + 1, line: line(open), was: '', put: v => (lead ? `\n${lead[1]}` : ' ') + `${field} = ${v},` };
        }
        const was = text.slice(...value);
        return { from: value[0], to: value[1], line: line(value[0]), was, put: NUMBER.test(was) ? String : null };
    }
    return null;
}
