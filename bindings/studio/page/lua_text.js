// Lua as text: settings as Lua to be copied, and where a literal is in a file.
// "Write to file" changes one literal of one line; this file finds the line.

/** @param {number} v */
export function luaNumber(v) {
    return String(Number(v.toPrecision(5)));
}

// body:strike as it was last made by hand.
/** @param {string} name of the body @param {any} striker @param {[number, number]|null} uv */
export function strikeAsLua(name, striker, uv) {
    const parts = [];
    if (uv)
        parts.push(`at = { u = ${luaNumber(uv[0])}, v = ${luaNumber(uv[1])} }`);
    parts.push(`speed = ${luaNumber(striker.speed)}`, `mass = ${luaNumber(striker.mass)}`);
    if (striker.radius > 0)
        parts.push(`radius = ${luaNumber(striker.radius)}`);
    if (striker.hardness > 0)
        parts.push(`hardness = ${luaNumber(striker.hardness)}`);
    if (striker.material)
        parts.push(`material = "${striker.material}"`);
    if (striker.model && striker.model !== 'auto')
        parts.push(`contact = "${striker.model}"`);
    return `sb.find("${name}"):strike { ${parts.join(', ')} }`;
}

/** @param {Material} m */
export function materialAsLua(m) {
    const names = /** @type {const} */ (['density', 'youngs_modulus', 'poisson_ratio', 'alpha', 'beta', 'hardness', 'roughness']);
    return `sb.material("${m.name || 'my material'}", {\n`
        + names.map(n => `  ${n} = ${luaNumber(m[n])},`).join('\n') + '\n})';
}

const NUMBER = '(-?(?:0[xX][0-9a-fA-F]+|\\d+\\.?\\d*(?:[eE][+-]?\\d+)?|\\.\\d+(?:[eE][+-]?\\d+)?))';

// The number after `field =` on a line, as it is written, if it is a plain
// literal and not part of a sum.
/** @param {string} line @param {string} field */
function literalOf(line, field) {
    const code = line.replace(/--.*$/, '');
    const found = new RegExp(`\\b${field}\\s*=\\s*${NUMBER}\\s*(?=[,};]|$)`).exec(code);
    return found ? found[1] : null;
}

// Where `default = ...` of a param is.
/** @param {string} text @param {string} name @returns {{line: number, from: string}|null} */
export function findParam(text, name) {
    const lines = text.split('\n');
    const start = lines.findIndex(l => new RegExp(`param\\s*\\(?\\s*["']${escaped(name)}["']`).test(l));
    for (let i = start; start >= 0 && i < Math.min(lines.length, start + 8); i++) {
        const from = literalOf(lines[i], 'default');
        if (from)
            return { line: i + 1, from };
    }
    return null;
}

// Where a field of a material is: in the sb.material of this name.
/** @param {string} text @param {string} name of the material @param {string} field @returns {{line: number, from: string}|null} */
export function findMaterialField(text, name, field) {
    const lines = text.split('\n');
    const start = lines.findIndex(l => new RegExp(`material\\s*\\(\\s*["']${escaped(name)}["']`).test(l));
    for (let i = start; start >= 0 && i < Math.min(lines.length, start + 14); i++) {
        const from = literalOf(lines[i], field);
        if (from)
            return { line: i + 1, from };
        if (i > start && /^\s*\}\s*\)/.test(lines[i]))
            break;
    }
    return null;
}

/** @param {string} s */
function escaped(s) {
    return s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
