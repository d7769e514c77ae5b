// SPDX-License-Identifier: MIT
// Lua as text: settings as Lua to be copied, and where a number is in a file.
// "Write to file" changes one number of one table; this file finds the place.
import { copyText, notice } from './dom.js';

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
    const names = /** @type {MaterialField[]} */ (Object.keys(m.scripted));
    return `sb.material("${m.script_name || m.name || 'my material'}", {\n`
        + names.map(n => `  ${n} = ${m[n]},`).join('\n') + '\n})';
}

/** @param {string} lua @param {string} what */
export const copyLua = (lua, what) => copyText(lua).then(() => notice(`${what} copied as Lua`));

/** @param {number[]} list */
const tableOf = list => `{ ${list.map(brief).join(', ')} }`;

// The calls that give the room as it is now; what is off is set so.
/** @param {Room} room @returns {{room: string, reverb: string}} */
function roomCalls(room) {
    const wall = (/** @type {string} */ w) => (m => (m.material ? `"${m.material}"` : tableOf(m.absorption)))(room.walls[w]);
    const names = Object.keys(room.walls);
    const common = names.map(wall).sort((a, b) => names.filter(w => wall(w) === b).length - names.filter(w => wall(w) === a).length)[0];
    const walls = [common, ...names.filter(w => wall(w) !== common).map(w => `${w} = ${wall(w)}`)];
    const { t60, level, predelay } = room.reverb;
    const isHall = room.size[0] > 0;
    return {
        room: `sb.room { size = ${tableOf(room.size)}${isHall
            ? `, position = ${tableOf(room.position)},\n  walls = { ${walls.join(', ')} }, decay = "${room.decay}"` : ''}${room.response ? '' : ', response = ""'} }`,
        reverb: `sb.reverb { t60 = ${t60.every(t => t === t60[0]) ? brief(t60[0]) : tableOf(t60)}, level = ${brief(level)}, predelay = ${brief(predelay)} }`,
    };
}

/** @param {Room} room */
export const roomAsLua = room => Object.values(roomCalls(room)).join('\n');

// The texts of the scene's files with this room: its calls in place of those
// that are there, else at the end of the first. Fails if that is not plain.
/** @param {string[]} texts @param {Room} room @returns {string[]} */
export function withRoom(texts, room) {
    const out = [...texts];
    for (const [call, lua] of Object.entries(roomCalls(room))) {
        const found = out.flatMap((text, file) => [...codeOf(text).matchAll(new RegExp(`\\bsb\\s*\\.\\s*${call}\\s*(\\(\\s*)?(?=\\{)`, 'g'))].map(m => ({ file, m })));
        if (found.length > 1)
            throw new Error(`sb.${call} is called in ${found.length} places: copy it as Lua`);
        const isOn = call === 'room' ? room.size[0] > 0 : room.reverb.t60[0] > 0;
        if (!found.length && isOn)
            out[0] = `${out[0].trimEnd()}\n\n${lua}\n`;
        if (!found.length)
            continue;
        const [{ file, m }] = found;
        const code = codeOf(out[file]);
        const [from, open] = [m.index || 0, (m.index || 0) + m[0].length];
        const close = closeOf(code, open) + 1;
        if (code.slice(open, close).replace(/\w+\s*=(?!=)|"[^"]*"|'[^']*'|[\d.eE+-]+|[{}\[\],;\s]/g, ''))
            throw new Error(`sb.${call} is not a plain table in line ${lineOf(code, from)}: copy it as Lua`);
        const end = m[1] ? code.indexOf(')', close) + 1 : close;
        out[file] = out[file].slice(0, from) + lua + out[file].slice(end);
    }
    return out;
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

/** @param {string} text @param {number} at */
const lineOf = (text, at) => text.slice(0, at).split('\n').length;

// The calls CALL("NAME", { ... }) in the code: before the name, and the brace.
/** @param {string} text @param {string} code @param {string} call @param {string} name */
function callsOf(text, code, call, name) {
    return [...text.matchAll(new RegExp(`(\\w+\\s*\\.\\s*)?\\b(${call})\\s*\\(?\\s*(["'])${escaped(name)}\\3\\s*,?\\s*`, 'g'))]
        .map(m => ({ at: m.index || 0, before: m[1] || '', call: m[2], open: (m.index || 0) + m[0].length }))
        .filter(c => code.startsWith(c.before + c.call, c.at) && code[c.open] === '{');
}

// Where `field` of the table in sb.CALL("NAME", { ... }) is, to be changed; a
// field that is not there goes behind the brace.
/** @param {string} text @param {'param'|'material'} call @param {string} name @param {string} field @returns {Place|null} null: there is no such call */
export function findField(text, call, name, field) {
    const code = codeOf(text);
    const [found] = callsOf(text, code, call, name);
    if (!found)
        return null;
    const value = valueOf(code, found.open, field);
    if (!value) {
        const [from, lead] = [found.open + 1, /^\s*?\n(\s*)/.exec(code.slice(found.open + 1))];
        return { from, to: from, line: lineOf(text, from), was: '', put: v => (lead ? `\n${lead[1]}` : ' ') + `${field} = ${v},` };
    }
    const was = text.slice(...value);
    return { from: value[0], to: value[1], line: lineOf(text, value[0]), was, put: NUMBER.test(was) ? String : null };
}

// Where a body takes a material of the library by its name: there, a material
// of its own can begin with that. Null unless there is one such place.
/** @param {string} text @param {string} body @param {string} material @param {string} field @returns {Place|null} */
export function findNamed(text, body, material, field) {
    const code = codeOf(text);
    const calls = callsOf(text, code, 'body|deformable', body);
    const value = calls.length === 1 && valueOf(code, calls[0].open, 'material');
    const was = value && text.slice(...value);
    if (!value || !was || !/^(["']).*\1$/.test(was) || was.slice(1, -1) !== material)
        return null;
    const name = `${body} ${material}`.replace(/["\\]/g, '').slice(0, 50);
    let own = name;
    for (let i = 2; new RegExp(`["']${escaped(own)}["']`).test(text); i++)
        own = `${name} ${i}`;
    return { from: value[0], to: value[1], line: lineOf(text, value[0]), was,
        put: v => `${calls[0].before}material("${own}", { base = ${was}, ${field} = ${v} })` };
}
