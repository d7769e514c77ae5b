// @ts-check
// The page starts here: it makes the parts and connects them. View and editor
// are loaded on their own, so that the page lives without WebGL.
import { Transport } from './transport.js';
import { Store } from './store.js';
import { Actions } from './actions.js';
import { startLayout } from './layout.js';
import { Bar } from './bar.js';
import { Modes } from './modes.js';
import { Audio } from './audio.js';
import { Sound } from './sound.js';
import { byId, make, selectById } from './dom.js';

const transport = new Transport();
const store = new Store(transport);
const actions = new Actions(store, transport);
startLayout(store);
const bar = new Bar(store, transport);
const modes = new Modes(store, transport);
const audio = new Audio(transport);
const sound = new Sound(store, transport, audio);

/** For the console of the browser, and for the tests. */
const studio = { transport, store, actions, bar, modes, audio, sound,
    /** @type {any} */ view: null };
/** @type {any} */ (window).studio = studio;

const list = selectById('body');
function listBodies() {
    const bodies = [...store.bodies.values()];
    list.replaceChildren(...bodies.map(b => make('option', { value: String(b.id), textContent: b.name })));
    list.value = String(store.selected);
}
store.on('scene', listBodies);
store.on('bodies', listBodies);
store.on('body', () => { list.value = String(store.selected); });
list.onchange = () => store.select(Number(list.value));

async function start() {
    try {
        const { View3d } = await import('./view3d.js');
        studio.view = new View3d(store, transport, actions);
    } catch (error) {
        const place = byId('view-none');
        place.hidden = false;
        place.textContent = `The bodies cannot be drawn here (${/** @type {Error} */ (error).message}). `
            + 'The table of modes strikes and shows the rest.';
    }
    store.attach();
    await transport.connect();
}
start();
