// What somebody marked: films to see, stations to hear, sessions to go to. A mark shows at once; the server is told, and
// what it refuses is taken back with a word. Without a network marks wait in an outbox on this device and are sent when
// there is one: a PUT or DELETE that arrives twice does no harm.
//
// A mark is called by its film's id, or by its path below /me: `favourites/station/night`.
import {get, put, post, remove, Problem} from './api.js';
import {memory} from './env.js';
import {renew} from './live.js';

/// Marks that are on, as the page shows them.
const wanted = new Set(memory.get('wanted') ?? []);
/// Mark → 'put' or 'delete', not yet told. Kept across tabs and restarts.
const outbox = new Map(Object.entries(memory.get('outbox') ?? {}));
const tabs = 'BroadcastChannel' in window ? new BroadcastChannel('odi') : null;
const listeners = new Set();

const isFilm = (mark) => !mark.includes('/');
export const isWanted = (mark) => wanted.has(mark);
export const wantedIds = () => [...wanted].filter(isFilm);
/// What is marked below a path: the ids that follow `favourites/station/`.
export const markedBelow = (path) => [...wanted].filter((mark) => mark.startsWith(path)).map((mark) => mark.slice(path.length));
export const waiting = () => outbox.size;
export const onChange = (listener) => { listeners.add(listener); return () => listeners.delete(listener); };
export const hasSession = () => memory.get('session') === true;

function set(mark, on) {
  if (wanted.has(mark) === on) return false;
  if (on) wanted.add(mark); else wanted.delete(mark);
  memory.set('wanted', [...wanted]);
  return true;
}

const changed = (mark) => { for (const listener of listeners) listener(mark); };

/// How many lists are being read, and the marks that were told or heard of meanwhile: a list may be older than these.
let reading = 0;
const lately = new Map();
const note = (mark, on) => { if (reading) lately.set(mark, on); };
async function whileReading(doing) {
  reading++;
  try { return await doing(); } finally { if (!--reading) lately.clear(); }
}

function keepOutbox() { memory.set('outbox', outbox.size ? Object.fromEntries(outbox) : null); }

/// Turns a mark on or off. Answers when the server knows, or with 'waiting' if it could not be reached.
export async function toggle(mark) {
  const on = !wanted.has(mark);
  rested();
  set(mark, on);
  outbox.set(mark, on ? 'put' : 'delete');
  keepOutbox();
  changed(mark);
  tabs?.postMessage({mark, on});
  return flush(mark);
}

let sending = null;
/// What a server that is there cannot take now is sent once more by itself, no sooner than after this or than it asks for; after
/// that with the next sign of life, or the next mark.
const soon = 3000;
let again = 0;
function later(error) {
  again ||= setTimeout(() => flush().then(() => changed(null), () => {}), Math.max(soon, error.after || 0));
}

/// Sends what waits, one after another, oldest first. Failures for good take the mark back and are thrown.
export function flush(asked) {
  sending = (sending ?? Promise.resolve()).catch(() => {}).then(() => sendAll(asked));
  return sending;
}

async function sendAll(asked) {
  for (const [mark, op] of [...outbox]) {
    try {
      await tell(mark, op);
    } catch (error) {
      if (error instanceof Problem && (error.offline || error.status >= 502 || error.status === 429)) {
        if (!error.offline) later(error);
        return 'waiting';
      }
      outbox.delete(mark);
      keepOutbox();
      set(mark, op === 'delete');
      changed(mark);
      tabs?.postMessage({mark, on: op === 'delete'});
      if (mark === asked) throw error;
      continue;
    }
    note(mark, op === 'put');
    if (outbox.get(mark) === op) outbox.delete(mark);
    keepOutbox();
    rested();
  }
  return outbox.size ? 'waiting' : 'done';
}

/// From here on there is another try.
function rested() {
  clearTimeout(again);
  again = 0;
}

async function tell(mark, op) {
  const path = '/me/' + (isFilm(mark) ? 'bookmarks/' + mark : mark);
  try { await asSomebody(() => op === 'put' ? put(path, {}) : remove(path)); } catch (error) {
    if (error.status !== 404 || op !== 'delete') throw error;
  }
}

/// Does what needs a session. One that is over, as when another device ended it, is followed by a new one, once.
export async function asSomebody(doing) {
  if (!hasSession()) await open();
  try { return await doing(); } catch (error) {
    if (error.status !== 401) throw error;
    await open();
    return doing();
  }
}

/// A session is made when the first mark is: nothing is stored about a visitor who only looks.
async function open() {
  await post('/sessions', {locale: document.documentElement.lang});
  begun();
}

/// Whoever this browser is from now on, the stream of events must know too.
const attending = [];
export const onSession = (attend) => attending.push(attend);
function begun() {
  memory.set('session', true);
  for (const attend of attending) attend();
  renew();
}

/// This device is somebody's second one now: the server took along what was marked here.
export async function join(code) {
  await post('/sessions/pair', {code});
  begun();
  // From here on it is joined, whether the list comes now or later.
  await list().catch(() => {});
}

/// What the server has, with films and next showings. What still waits here wins until it is sent.
export const list = (options) => whileReading(() => read(options));

async function read(options) {
  const all = [];
  let cursor = null, kept, missing;
  do {
    const page = await get('/me/bookmarks?include=film,next_showtime&limit=100' + (cursor ? '&cursor=' + encodeURIComponent(cursor) : ''), options);
    all.push(...page.data);
    cursor = page.has_more ? page.next_cursor : null;
    kept ??= page.kept;
    missing ??= page.missing;
  } while (cursor && all.length < 1000);
  // Of more than are listed the others stay as they are: that they were not read says nothing of them.
  settle(isFilm, all.map((item) => item.film_id), !cursor);
  const mine = Object.assign(all.filter((item) => wanted.has(item.film_id)), {missing});
  // How old the list is, if it is a copy.
  return kept ? Object.defineProperty(mine, 'kept', {value: kept}) : mine;
}

/// The marks of one kind as the server has them, under the path where each is put. What still waits here wins.
export async function listBelow(path, read, options) {
  if (!hasSession()) return;
  await whileReading(async () => settle((mark) => mark.startsWith(path), (await read(options)).map((id) => path + id)));
}

function settle(mine, marks, areAll = true) {
  const before = [...wanted].sort().join();
  for (const mark of wanted) if (areAll && mine(mark)) wanted.delete(mark);
  for (const mark of marks) wanted.add(mark);
  for (const [mark, on] of lately) if (mine(mark)) { if (on) wanted.add(mark); else wanted.delete(mark); }
  for (const [mark, op] of outbox) if (op === 'put') wanted.add(mark); else wanted.delete(mark);
  memory.set('wanted', [...wanted]);
  if ([...wanted].sort().join() !== before) changed(null);
}

/// Another tab or device said something.
export function learn(mark, on) {
  note(mark, on);
  if (outbox.has(mark)) return;
  if (set(mark, on)) changed(mark);
}

/// The session is over: nothing of it stays here.
export function forget() {
  wanted.clear();
  outbox.clear();
  for (const key of ['wanted', 'outbox', 'session']) memory.set(key, null);
  window.caches?.delete('answers-1').catch(() => {});
  changed(null);
}

tabs?.addEventListener('message', ({data}) => {
  if (data.mark === undefined) return;
  note(data.mark, data.on);
  if (set(data.mark, data.on)) changed(data.mark);
});
addEventListener('online', () => { if (outbox.size) flush().catch(() => {}); });
addEventListener('storage', (event) => {
  if (event.key !== 'odi.outbox') return;
  outbox.clear();
  for (const [mark, op] of Object.entries(memory.get('outbox') ?? {})) outbox.set(mark, op);
});
