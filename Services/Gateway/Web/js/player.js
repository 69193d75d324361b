// The one player of the page: a station at a time, heard over all views. Views ask and draw; only this file plays.
// A stream is live, so a pause lets go of it and playing on joins it anew.
import {h, icon, morphChildren} from './dom.js';
import {t} from './i18n.js';
import {get, isAbort, Pane} from './api.js';
import {memory} from './env.js';
import {toast, nameOf} from './parts.js';
import {attend, extend, hear} from './app.js';
import {connected} from './live.js';

const box = document.getElementById('player');
const sound = new Audio();
const stream = new Pane('stream');
const listeners = new Set();
/// What is on is asked for again when the station says, but not more and not less often than this; while the server
/// tells it by itself, as rarely as can be.
const askLeast = 15_000;
const askMost = 300_000;
/// A stream that has brought nothing by then is as good as dead.
const patience = 12_000;
/// A stream that was heard for so long may be joined again at its end.
const rejoinAfter = 10_000;

/// What is on: a station {id, name, …}, and 'idle', 'loading', 'playing', 'paused' or 'dead'.
export const on = {station: null, state: 'idle', now: null, muted: false, sleepAt: null, programme: false};
/// The stations that were listed when this one was started: where "next" leads.
let queue = [];
export const hasNext = () => queue.length > 1;
/// Of a station that was on before the page was loaded anew nobody knows yet what was listed.
export const listed = (stations) => { if (!hasNext() && stations.some((station) => station.id === on.station?.id)) queue = stations; };
let turn = 0;
let waiting = 0;

export const onChange = (listener) => { listeners.add(listener); return () => listeners.delete(listener); };

function changed() {
  tellSystem();
  draw();
  hear();
  for (const listener of listeners) listener();
}

/// Starts a station, or joins it again. Asked twice it starts once.
export async function play(station, list = queue) {
  if (on.station?.id === station.id && (on.state === 'loading' || on.state === 'playing')) return;
  const mine = ++turn;
  Object.assign(on, {station, state: 'loading', now: on.station?.id === station.id ? on.now : station.now_playing ?? null});
  queue = list;
  memory.set('radio', {id: station.id, name: station.name, name_en: station.name_en});
  changed();
  clearTimeout(waiting);
  try {
    const answer = await stream.ask(`/stations/${station.id}/stream`);
    if (mine !== turn) return;
    // The policy lets in our own server and https; what is neither could not be heard.
    if (new URL(answer.url, location.origin).origin !== location.origin && !answer.url.startsWith('https:')) { dead(); return; }
    sound.src = answer.url;
    sound.muted = on.muted;
    waiting = setTimeout(() => { if (mine === turn && on.state === 'loading') dead(); }, patience);
    await sound.play();
    if (mine !== turn) return;
    announce();
    askNow();
  } catch (error) {
    if (mine !== turn || isAbort(error)) return;
    // The browser wants a press of its own first: that is no dead station.
    if (error.name === 'NotAllowedError') { on.state = 'paused'; changed(); } else dead();
  }
}

function dead() {
  letGo();
  on.state = 'dead';
  changed();
}

function letGo() {
  turn++;
  clearTimeout(waiting);
  stream.cancel();
  sound.pause();
  sound.removeAttribute('src');
  sound.load();
}

export function pause() {
  if (on.state !== 'loading' && on.state !== 'playing') return;
  letGo();
  on.state = 'paused';
  changed();
}

export const toggle = (station = on.station, list) => {
  if (!station) return;
  if (station.id === on.station?.id && (on.state === 'loading' || on.state === 'playing')) pause(); else play(station, list);
};

export function mute() { on.muted = sound.muted = !on.muted; changed(); }

/// The next station that is not known to be dead, or the one before.
export function step(by) {
  const alive = queue.filter((station) => station.state !== 'down' || station.id === on.station?.id);
  const at = alive.findIndex((station) => station.id === on.station?.id);
  const next = alive[(at + by + alive.length) % alive.length];
  if (next && next.id !== on.station?.id) play(next);
}

function close() {
  letGo();
  Object.assign(on, {station: null, state: 'idle', now: null, sleepAt: null, programme: false});
  memory.set('radio', null);
  memory.set('sleep', null);
  watch();
  changed();
}

/// What was on before the page was loaded anew: shown, and silent until somebody presses.
export function restore() {
  const station = memory.get('radio');
  if (!station?.id || on.station) return;
  Object.assign(on, {station, state: 'paused', sleepAt: memory.get('sleep')});
  queue = [station];
  watch();
  changed();
}

// --- Sleep: an instant of the wall clock, looked at whenever somebody could be asleep ----------------------------------

export const minutes = [15, 30, 60];

/// Falls silent at an instant, or at the end of what is on; null stays awake.
export function sleep(choice) {
  on.programme = choice === 'end';
  on.sleepAt = choice === 'end' ? Date.parse(on.now?.ends_at) || null : choice ? Date.now() + choice * 60_000 : null;
  memory.set('sleep', on.sleepAt);
  watch();
  changed();
}

/// From none over the fixed ones and back, for one key.
function nextSleep() {
  const left = on.sleepAt ? (on.sleepAt - Date.now()) / 60_000 : 0;
  sleep(left > 0 ? minutes.find((n) => n > left + 0.1) ?? null : minutes[0]);
}

/// "12:41", rounded up so that the last second is shown.
export function sleepLeft() {
  const seconds = Math.max(0, Math.ceil((on.sleepAt - Date.now()) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function rest() {
  if (!on.sleepAt || Date.now() < on.sleepAt) return;
  const heard = on.state === 'playing' || on.state === 'loading';
  Object.assign(on, {sleepAt: null, programme: false});
  memory.set('sleep', null);
  clearInterval(ticking);
  pause();
  if (heard) toast(t('radio.slept'));
  changed();
}

let ticking = 0;
function watch() {
  clearInterval(ticking);
  if (on.sleepAt) ticking = setInterval(() => { rest(); if (!document.hidden) changed(); }, 1000);
  rest();
}
document.addEventListener('visibilitychange', () => { rest(); if (!document.hidden) askNow(); });
// Timers of a hidden page are slowed down; the sound's own clock is not.
sound.addEventListener('timeupdate', rest);

// --- What is on ------------------------------------------------------------------------------------------------------

let asking = 0;
async function askNow() {
  clearTimeout(asking);
  if (on.state !== 'playing' || document.hidden) return;
  const {station} = on;
  try {
    const now = await get(`/stations/${station.id}/now_playing`);
    if (station.id === on.station?.id) heardNow(now?.data ?? now);
  } catch { /* the name of the station is enough */ }
  askLater();
}

/// The station whose changes the server was heard to tell.
let told = null;
function askLater() {
  clearTimeout(asking);
  const until = connected && told === on.station?.id ? askMost : Date.parse(on.now?.expires_at) - Date.now();
  asking = setTimeout(askNow, until > askLeast ? Math.min(until, askMost) : askLeast);
}

function heardNow(now) {
  on.now = now?.title || now?.programme ? now : null;
  if (on.programme && on.now?.ends_at) on.sleepAt = Date.parse(on.now.ends_at);
  announce();
  changed();
}

/// An event of the stream that all tabs share. That a station was found silent by somebody else ends nothing that is
/// heard here.
function heard(name, data) {
  if (name === 'reset') askNow();
  if (!data || data.station_id !== on.station?.id) return;
  if (name === 'radio.now_playing') {
    told = data.station_id;
    heardNow(data.now_playing ?? data);
    if (on.state === 'playing') askLater();
  }
  if (name === 'radio.down' && on.state === 'loading') dead();
}

let began = 0;
sound.addEventListener('playing', () => { clearTimeout(waiting); began = Date.now(); on.state = 'playing'; changed(); });
sound.addEventListener('waiting', () => { if (on.state === 'playing') { on.state = 'loading'; changed(); } });
// A stream that ends is joined again, unless it had hardly begun: that one is dead.
sound.addEventListener('ended', () => {
  if (!on.station || on.state === 'paused') return;
  if (Date.now() - began < rejoinAfter) { dead(); return; }
  on.state = 'idle';
  play(on.station);
});
sound.addEventListener('error', () => { if (sound.getAttribute('src') && (on.state === 'playing' || on.state === 'loading')) dead(); });
// Something outside the page, as an unplugged headset, stopped it.
sound.addEventListener('pause', () => { if (on.state === 'playing' && sound.paused && sound.getAttribute('src')) pause(); });

/// A pause lets go of the stream, so that the browser cannot know by itself that it is one.
function tellSystem() {
  if (navigator.mediaSession) navigator.mediaSession.playbackState = !on.station ? 'none' : on.state === 'playing' || on.state === 'loading' ? 'playing' : 'paused';
}

/// The keys of the keyboard, the headset and the lock screen.
function announce() {
  const session = navigator.mediaSession;
  if (!session || !on.station) return;
  session.metadata = new MediaMetadata({title: on.now?.title ?? on.now?.programme ?? nameOf(on.station), artist: on.now?.artist ?? (on.now ? nameOf(on.station) : ''), album: on.now?.artist ? nameOf(on.station) : ''});
  const keys = {play: () => play(on.station), pause, stop: pause, nexttrack: () => step(1), previoustrack: () => step(-1)};
  for (const [name, action] of Object.entries(keys)) try { session.setActionHandler(name, action); } catch { /* not this one, then */ }
}

// --- The mini-player -------------------------------------------------------------------------------------------------

export const playIcon = (state) => icon(state === 'playing' || state === 'loading' ? 'pause' : 'play');

/// What the station is doing, in words.
export function stateText() {
  if (on.state === 'dead') return t('radio.dead');
  if (on.state === 'loading') return t('radio.loading');
  return on.now ? [on.now.artist, on.now.title ?? on.now.programme].filter(Boolean).join(' – ') : t(on.state === 'playing' ? 'radio.live' : 'radio.paused');
}

function draw() {
  box.hidden = !on.station;
  if (!on.station) { box.replaceChildren(); return; }
  const busy = on.state === 'playing' || on.state === 'loading';
  morphChildren(box, [
    h('button.tool.play', {type: 'button', 'data-do': 'radioToggle', 'aria-label': t(busy ? 'radio.pause' : 'radio.play', {name: nameOf(on.station)})}, playIcon(on.state)),
    h('a.player-t', {href: '/radio'}, h('b', nameOf(on.station)), h('span.small', stateText())),
    on.sleepAt && h('span.player-z', {'aria-label': t('radio.sleepIn', {time: sleepLeft()})}, h('span', {'aria-hidden': 'true'}, '⏾ ' + sleepLeft())),
    on.state === 'dead' && hasNext() && h('button.plain', {type: 'button', 'data-do': 'radioNext'}, t('radio.next')),
    h('button.tool', {type: 'button', 'data-do': 'radioMute', 'aria-pressed': String(on.muted), 'aria-label': t('radio.mute'), title: t('radio.mute')}, icon(on.muted ? 'muted' : 'sound')),
    h('button.tool', {type: 'button', 'data-do': 'radioClose', 'aria-label': t('radio.close'), title: t('radio.close')}, icon('close'))].filter(Boolean));
}

attend({heard, topics: () => on.station && on.state !== 'dead' ? ['radio', `station:${on.station.id}`] : []});
extend({radioToggle: () => toggle(), radioNext: () => step(1), radioMute: mute, radioClose: close});

/// Keys of the radio, wherever they are taken.
export function key(event) {
  if (!on.station) return false;
  if (event.key === 'k' || (event.key === ' ' && !event.target.closest('a, button, summary, [tabindex="0"]'))) { toggle(); return true; }
  if (event.key === 'm') { mute(); return true; }
  if (event.key === 't') { nextSleep(); return true; }
  return false;
}
