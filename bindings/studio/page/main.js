// SPDX-License-Identifier: MIT
// The page starts here: it makes the parts and connects them. View and editor
// are loaded on their own, so that the page lives without WebGL.
import { Transport } from './transport.js';
import { Store } from './store.js';
import { Actions } from './actions.js';
import { startLayout } from './layout.js';
import { Bar } from './bar.js';
import { Modes } from './modes.js';
import { Audio } from './sound/audio.js';
import { Sound } from './sound/sound.js';
import { Inspector } from './inspector.js';
import { Script } from './script.js';
import { Console } from './console.js';
import { Events } from './events.js';
import { ContactScope } from './contact.js';
import { QualityView } from './quality.js';
import { RoomView } from './room.js';
import { Gallery } from './gallery.js';
import { Paint } from './paint.js';
import { Lesson } from './lesson/lesson.js';
import { Work } from './work.js';
import { startKeys } from './keyboard.js';
import { history } from './undo.js';
import { byId, make, selectById } from './dom.js';

const viewModule = import('./view/view3d.js'); // while the panels are made
viewModule.catch(() => {});
const transport = new Transport();
const store = new Store(transport);
await store.learn(); // what sliders span
const actions = new Actions(store, transport);
startLayout(store);
history.start();
const bar = new Bar(store, transport);
const modes = new Modes(store, transport);
const audio = new Audio(store, transport);
const sound = new Sound(store, transport, audio);
const inspector = new Inspector(store, transport);
const script = new Script(store, transport);
const terminal = new Console(transport);
const events = new Events(store, transport, actions);
const contact = new ContactScope(store, transport);
const quality = new QualityView(store, transport);
const room = new RoomView(store, transport);
const work = new Work(store, transport);
const gallery = new Gallery(store, transport, work);
const paint = new Paint(store, transport);
const lesson = new Lesson(store, transport);
bar.onrecorded = audio.fetch.bind(audio);
bar.onshowline = (/** @type {string} */ file, /** @type {number} */ line) => script.show(file, line);

/** For the console of the browser, and for the tests. */
const studio = { transport, store, actions, bar, modes, audio, sound, inspector, script,
    terminal, events, contact, quality, room, gallery, paint, lesson, history, work, /** @type {any} */ view: /** @type {any} */ (null) };
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
list.onchange = () => {
    const pick = (/** @type {number} */ id) => ({ id, name: store.bodies.get(id)?.name });
    history.change('body', pick(store.selected), pick(Number(list.value)), ({ id, name }) => store.select(store.find(id, name)?.id || 0));
};

async function start() {
    store.attach();
    transport.connect();
    try {
        const { View3d } = await viewModule;
        studio.view = new View3d(store, transport, actions);
    } catch (error) {
        const place = byId('view-none');
        place.hidden = false;
        place.textContent = `The bodies cannot be drawn here (${/** @type {Error} */ (error).message}). `
            + 'The table of modes shows the rest.';
        store.emit('drawn');
    }
}
startKeys(store, bar, modes, () => studio.view);
start();
