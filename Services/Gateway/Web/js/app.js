// The shell: which view an address means, history, keys, live events, and one place where clicks arrive.
import {h, morphChildren} from './dom.js';
import {base, memory, choose, workerURL} from './env.js';
import {speak, spoken, t, lang, languages} from './i18n.js';
import {Pane, Problem, askAnew, isAbort, isOffline, isPlain, isWanting, onUnanswered, post} from './api.js';
import * as bookmarks from './bookmarks.js';
import * as live from './live.js';
import {drawn, failure, hopeOf, say, toast} from './parts.js';

/// Addresses and their views. One with a `sheet` opens over what is there, under that name.
const routes = [
  {name: 'nearby', path: /^\/$/, tab: 'nearby', load: () => import('./views/nearby.js')},
  {name: 'cinema', path: /^\/cinemas\/([\w.-]+)$/, tab: 'nearby', load: () => import('./views/cinema.js')},
  {name: 'film', path: /^\/films\/([\w.-]+)$/, tab: 'nearby', load: () => import('./views/film.js'), sheet: 'film'},
  {name: 'dinner', path: /^\/dinner\/([\w.-]+)$/, tab: 'nearby', load: () => import('./views/dinner.js'), sheet: 'dinner'},
  {name: 'map', path: /^\/map$/, tab: 'map', load: () => import('./views/map.js')},
  {name: 'tonight', path: /^\/tonight$/, tab: 'tonight', load: () => import('./views/tonight.js')},
  {name: 'plan', path: /^\/plans\/([\w.-]+)$/, tab: 'nearby', load: () => import('./views/plan.js')},
  {name: 'discover', path: /^\/discover$/, tab: 'discover', load: () => import('./views/discover.js')},
  {name: 'festivals', path: /^\/festivals$/, tab: 'festivals', more: true, load: () => import('./views/festivals.js')},
  {name: 'festival', path: /^\/festivals\/([\w.-]+)$/, tab: 'festivals', more: true, load: () => import('./views/festival.js')},
  {name: 'session', path: /^\/festivals\/([\w.-]+)\/sessions\/([\w.-]+)$/, tab: 'festivals', more: true, load: () => import('./views/session.js'),
    sheet: 'session'},
  {name: 'door', path: /^\/festivals\/([\w.-]+)\/door$/, tab: 'festivals', more: true, load: () => import('./views/door.js')},
  {name: 'radio', path: /^\/radio$/, tab: 'radio', more: true, load: () => import('./views/radio.js')},
  {name: 'bookmarks', path: /^\/bookmarks$/, tab: 'bookmarks', load: () => import('./views/bookmarks.js')},
  {name: 'search', path: /^\/search$/, tab: 'search', more: true, load: () => import('./views/search.js')},
  {name: 'status', path: /^\/status$/, tab: 'status', more: true, load: () => import('./views/status.js')},
  {name: 'settings', path: /^\/settings$/, tab: 'settings', more: true, load: () => import('./views/settings.js')},
];

/// Of an address that means no view.
const nowhere = {name: 'nowhere', load: async () => ({default: Nowhere})};

const main = document.getElementById('main');
const banner = document.getElementById('banner');
/// The view in the page, and the one in the sheet over it.
let page = null;
let sheet = null;
/// Views that were left, the latest last: going back shows at once what was there, and then what is new.
const rooms = new Map();
const roomsMax = 8;
/// True until our first rendering: the server's own stands there.
let served = main.querySelector(':scope > :not(noscript)') !== null;
/// The view in the page and the one over it, as far as they are there.
const views = () => [page?.view, sheet?.view].filter(Boolean);

const find = (url) => {
  for (const route of routes) {
    const match = route.path.exec(url.pathname);
    if (match) return {route, id: match[1], part: match[2]};
  }
  return null;
};

// --- Rendering -------------------------------------------------------------------------------------------------------

let planned = false;
/// True while somebody's press is being answered: the browser may show that first, then what comes of it.
let pressed = false;
/// How often a rendering was asked for, and how often it had been when the last one was made.
let asked = 0, answered = 0;
/// Asks for a rendering; many askings in one turn are one.
export function refresh() {
  asked++;
  if (planned) return;
  planned = true;
  const run = () => {
    try {
      if (served && page && isDrawn()) { replaceServed(); return; }
    } catch (error) {
      planned = false;
      throw error;
    }
    planned = false;
    if (answered !== asked) render();
  };
  if (pressed && !document.hidden) requestAnimationFrame(() => setTimeout(run)); else queueMicrotask(run);
}

/// Answers a press.
function answer(doing) {
  pressed = true;
  try { doing(); } finally { pressed = false; }
}

/// Views in whose place it stands that they failed.
const failed = new WeakSet();
let chosen;
function draw(view, box, nodes = drawn(view)) {
  morphChildren(box, nodes);
  view.after?.(box);
  // The day that an address chose may stand far along its row.
  const day = box.querySelector(':is(.days, .festival > .kinds) [aria-current]');
  if (day && day.href !== chosen) reveal(day.closest('ol, ul'), day);
  chosen = day?.href ?? chosen;
  if (box.querySelector('.notice.error')) failed.add(view);
  else if (!box.querySelector('.ghost') && failed.delete(view)) say(t('again.came'));
}

/// What the server painted is worth more than a word that it could not be asked for again.
const isPainted = () => served && page?.view.error?.passes;
/// Whether the page's view is on the screen, or would be now.
const isDrawn = () => spoken() && !isPainted() && !(served && page.view.waiting);

/// What the server painted is replaced in two tasks, the longest of a beginning, so that nobody's press waits for both: the view
/// is made in one, and takes its place in the next.
function replaceServed() {
  const {view} = page, at = asked, nodes = drawn(view);
  setTimeout(() => {
    planned = false;
    render(page.view === view ? nodes : undefined);
    if (asked !== at) refresh();
  });
}

/// - nodes: the page's view, if it was made already.
function render(nodes) {
  if (!spoken()) return;
  answered = asked;
  const focused = document.activeElement;
  if (page?.view && isDrawn()) {
    served = false;
    draw(page.view, main, nodes);
  }
  if (sheet?.view) draw(sheet.view, sheet.dialog.querySelector('.sheet-in'));
  // What has moved to another place has lost the focus on its way; who pressed for what has come goes on there.
  if (focused !== document.activeElement) {
    if (focused?.isConnected) focused.focus({preventScroll: true});
    else if (focused?.closest('.notice')) (sheet?.dialog ?? main).focus({preventScroll: true});
  }
  const top = sheet?.view ?? page?.view;
  const title = top?.title?.() ?? (top?.error?.status === 404 && t('error.gone'));
  document.title = title ? `${title} · ${t('name')}` : t('name.long');
  const hope = page?.view && hopeOf(page.view);
  // What stands there is old, and its renewal does not come.
  const isOld = hope && (isPainted() || (hope === 'left' && !main.querySelector('.notice.error')));
  const note = isOffline() ? t('offline') : isOld ? `${t('error.offline')} — ${t('missing.' + hope)}` : bookmarks.waiting() ? t('outbox', {n: bookmarks.waiting()}) : '';
  banner.hidden = !note;
  morphChildren(banner, note ? [h('span', note), ...(isOld ? [h('button.plain', {type: 'button', 'data-do': 'retry'}, t('retry'))] : [])] : []);
  // Some views know what they want to hear about only now that they have read it.
  hear();
}

/// What of an address the page reads and its links carry on, as the server does (`PageScene`): each name once, and of lists
/// what can stand in an address as it is. An empty list is none, while without it it would be all.
const names = 'cinema date at lang list genre day view mine mode walk budget person within with free cinemas until after before screen'.split(' ');
function read(url) {
  const known = new URLSearchParams();
  for (const [name, value] of url.searchParams) {
    const plain = value.split(',').filter(isPlain).slice(0, 20).join();
    if (names.includes(name) && !known.has(name) && (plain || (!value && /^(genre|cinemas)$/.test(name)))) known.append(name, plain);
  }
  return known;
}

function context(target) {
  const params = read(target.url);
  return {
    id: target.id, part: target.part, url: target.url, params, refresh, go,
    /// The same page with other parameters; null takes one away.
    with(values) {
      const other = new URLSearchParams(params);
      for (const [key, value] of Object.entries(values)) value === null ? other.delete(key) : other.set(key, value);
      const query = String(other).replaceAll('%2C', ',').replaceAll('%3A', ':');
      return target.url.pathname + (query && '?' + query);
    },
  };
}

// --- Going somewhere -------------------------------------------------------------------------------------------------

/// Goes to an address of ours; `over` opens what can be a sheet above what is there.
export function go(href, {replace = false, over = false} = {}) {
  const url = new URL(href, location.href);
  const found = find(url);
  if (!found) { location.assign(url); return; }
  const asSheet = over && found.route.sheet && page;
  if (url.href === location.href && !replace) { if (!asSheet) scrollTo({top: 0, behavior: 'smooth'}); return; }
  if (replace) history.replaceState({...history.state}, '', url);
  else {
    history.replaceState({...history.state, scroll: scrollY}, '');
    history.pushState({sheet: asSheet ? true : undefined, under: asSheet ? (history.state?.under ?? location.href) : undefined}, '', url);
  }
  show({moved: !replace});
}

async function show({moved = false, back = false, still = false} = {}) {
  const url = new URL(location.href);
  const state = history.state ?? {};
  if (state.sheet) {
    if (!page) await open(new URL(state.under ?? '/', location.href), false);
    await openSheet(url);
    return;
  }
  closeSheet();
  if (await open(url, moved, still) && back) scrollTo(0, state.scroll ?? 0);
}

/// Where a word to everybody stands, and is heard.
const words = () => ['toasts', 'said'].map((id) => document.getElementById(id));

/// Changes the view, fading where the browser can and its reader likes it. The change waits for a picture of what was there:
/// whether something else was chosen meanwhile is asked by `change` itself.
let fading = null;
function fade(change, still) {
  if (still || !page || calm() || document.hidden || !document.startViewTransition) return change();
  const own = fading = document.startViewTransition(() => { change(); render(); });
  const over = () => { if (fading === own) fading = null; };
  // One that is overtaken, or that nobody sees, ends early.
  own.ready.catch(() => {});
  own.finished.then(over, over);
  return own.updateCallbackDone;
}

let opening = 0;
/// False if something newer was chosen before it was there.
async function open(url, moved, still) {
  const found = find(url) ?? {route: nowhere};
  const turn = ++opening;
  const target = {...found, url};
  for (const link of document.querySelectorAll('.tabs a')) {
    const here = link.dataset.tab === found.route.tab || (link.dataset.tab === 'more' && found.route.more);
    here ? link.setAttribute('aria-current', 'page') : link.removeAttribute('aria-current');
  }
  // Also in a tab of its own another language shows what was chosen here.
  for (const link of document.querySelectorAll('.langs a, .foot a[hreflang]')) {
    const there = read(url), q = url.searchParams.get('q');
    if (q) there.set('q', q);
    there.set('lang', link.hreflang);
    link.setAttribute('href', '?' + there);
  }
  if (page?.route === found.route && page.id === found.id && page.part === found.part && !(page.view instanceof Unread)) {
    page.url = url;
    // Something else was chosen than what the server painted.
    if (page.view.error) served = false;
    page.view.update(context(target));
  } else {
    const module = await script(found.route);
    if (turn !== opening) return false;
    await fade(() => { if (turn === opening) enter(target, module.default, moved); }, still);
    if (turn !== opening) return false;
  }
  main.dataset.view = found.route.name;
  refresh();
  return true;
}

/// The view of this address takes the page's place: the one that was left here, or a new one.
function enter(target, View, moved) {
  page?.view.leave?.();
  const key = target.url.pathname;
  const kept = rooms.get(key);
  page = {...target, view: kept ?? new View(context(target))};
  rooms.delete(key);
  if (!(page.view instanceof Unread)) rooms.set(key, page.view);
  if (rooms.size > roomsMax) rooms.delete(rooms.keys().next().value);
  page.view.update(context(target));
  if (kept) wake(page.view);
  page.view.enter?.();
  if (moved) { scrollTo(0, 0); main.focus({preventScroll: true}); }
}

async function openSheet(url) {
  const {route, id, part} = find(url);
  if (sheet?.route === route && sheet.id === id && sheet.part === part && !(sheet.view instanceof Unread)) {
    sheet.view.update(context({route, id, part, url}));
    return;
  }
  const turn = ++opening;
  const module = await script(route);
  if (turn !== opening) return;
  const target = {route, id, part, url};
  if (sheet) {
    sheet.view.leave?.();
    sheet.dialog.scrollTop = 0;
    sheet.dialog.setAttribute('aria-label', t(route.sheet));
    sheet = {...sheet, ...target};
  }
  else {
    const dialog = h('dialog.sheet', {'aria-label': t(route.sheet)}, h('button.tool.sheet-x', {type: 'button', 'data-do': 'back', 'aria-label': t('close')},
      h('span', {'aria-hidden': 'true'}, '×')), h('div.sheet-in'));
    dialog.addEventListener('cancel', (event) => { event.preventDefault(); history.back(); });
    dialog.addEventListener('click', (event) => { if (event.target === dialog) history.back(); });
    document.body.append(dialog);
    // What lies below a sheet is neither seen nor heard.
    dialog.append(...words());
    sheet = {...target, dialog};
  }
  sheet.view = new module.default(context(target));
  sheet.view.update(context(target));
  morphChildren(sheet.dialog.querySelector('.sheet-in'), [sheet.view.render()].flat());
  if (!sheet.dialog.open) sheet.dialog.showModal();
  refresh();
}

/// A view's script. What a page of before an upgrade asks for is gone: that page is loaded anew, once for each upgrade.
async function script(route) {
  try { return await route.load(); } catch {
    if (!await isOutdated()) return {default: Unread};
    location.reload();
    return new Promise(() => {});
  }
}

async function isOutdated() {
  try {
    const shell = await (await fetch('/shell', {cache: 'no-store'})).text();
    const now = /data-base="([^"]+)"/.exec(shell)?.[1] ?? base;
    if (now === base || sessionStorage.getItem('odi.renewed') === now) return false;
    sessionStorage.setItem('odi.renewed', now);
    return true;
  } catch { return false; }
}

/// In the place of a view whose script did not come, as without a network where no worker has kept it.
class Unread {
  pane = scripts;
  error = new Problem(0);
  update({url, refresh: draws}) { scripts.told(url.pathname, [], this.error); draws(); }
  retry() { show(); }
  leave() { scripts.cancel(); }
  render() { return h('div', h('h1.vh', t('name')), failure(this.error)); }
}
const scripts = new Pane('scripts');

class Nowhere {
  error = {status: 404};
  update({refresh: draws}) { draws(); }
  render() { return [h('h1.vh', t('name')), failure(this.error)]; }
}

/// Asks for what a view was not given; what is whole is looked at anew.
function wake(view) { if (isWanting(view)) askAnew(view); else view.woke?.(); }

function closeSheet() {
  if (!sheet) return;
  sheet.view?.leave?.();
  document.body.append(...words());
  sheet.dialog.close();
  sheet.dialog.remove();
  sheet = null;
}

// Some browsers show the way back by themselves.
addEventListener('popstate', (event) => show({back: true, still: event.hasUAVisualTransition}));
history.scrollRestoration = 'manual';
addEventListener('pagehide', () => history.replaceState({...history.state, scroll: scrollY}, ''));

// --- What people do --------------------------------------------------------------------------------------------------

const common = {
  back() { history.length > 1 && history.state ? history.back() : go('/'); },
  retry() { (sheet?.view ?? page.view).retry?.(); refresh(); },
  reload() { location.reload(); },
  theme() { setTheme(isDark() ? 'light' : 'dark'); },
  help() { help(); },
  strip(button) {
    const list = button.closest('.strip, .row').querySelector('[data-strip]');
    list.scrollBy({left: Number(button.dataset.by) * list.clientWidth * 0.8, behavior: calm() ? 'auto' : 'smooth'});
  },
  async want(button) {
    const {mark, title} = button.dataset;
    const on = !bookmarks.isWanted(mark);
    try {
      const answer = await bookmarks.toggle(mark);
      if (answer === 'waiting') toast(t(on ? 'want.later' : 'want.laterOff', {title}));
      else toast(t(on ? 'want.added' : 'want.removed', {title}));
    } catch { toast(t('want.failed', {title}), {action: t('retry'), doing: () => common.want({dataset: {mark, title}})}); }
  },
  async report(button) {
    try {
      await post('/reports', {subject: {cinema_id: button.dataset.subject}, kind: 'wrong-time'},
        {headers: {'Idempotency-Key': crypto.randomUUID?.() ?? String(Math.random())}});
      toast(t('report.thanks'));
    } catch (error) { toast(t(error.offline ? 'error.offline' : 'report.failed')); }
    button.closest('details')?.removeAttribute('open');
  },
};

document.addEventListener('click', (event) => {
  // While a view fades in, a press lands on the page as a whole: the fading ends, and what was meant is pressed.
  if (fading && event.target === document.documentElement) {
    fading.skipTransition();
    fading = null;
    document.elementFromPoint(event.clientX, event.clientY)?.closest('a, button, label, summary')?.click();
    return;
  }
  const doing = event.target.closest('[data-do]');
  // What a form does is done when it is sent, not when somebody presses into it.
  if (doing && doing.nodeName !== 'FORM') {
    const name = doing.dataset.do;
    const view = doing.closest('dialog') ? sheet?.view : page?.view;
    const action = view?.actions?.[name] ?? common[name];
    if (action) { event.preventDefault(); answer(() => action.call(view, doing, event)); return; }
  }
  const link = event.target.closest('a[href]');
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  const url = new URL(link.href);
  if (link.getAttribute('href').startsWith('#')) return;
  const language = url.searchParams.get('lang');
  if (link.hreflang && language) { event.preventDefault(); setLanguage(language); return; }
  const found = find(url);
  if (!found) return;
  event.preventDefault();
  // Which of several is taken shows at once.
  const among = link.hasAttribute('data-replace') ? link.closest('ul, ol, .choice:not(.many)') : null;
  const taken = among?.querySelector('[aria-current]');
  if (taken) { link.setAttribute('aria-current', taken.getAttribute('aria-current')); if (taken !== link) taken.removeAttribute('aria-current'); }
  answer(() => go(url.href, {over: Boolean(found.route.sheet), replace: link.hasAttribute('data-replace')}));
});

document.addEventListener('submit', (event) => {
  const view = event.target.closest('dialog') ? sheet?.view : page?.view;
  const action = view?.actions?.[event.target.dataset.do];
  if (action) { event.preventDefault(); action.call(view, event.target, event); }
});
for (const type of ['input', 'change']) {
  document.addEventListener(type, (event) => {
    const name = event.target.dataset?.['on' + type[0].toUpperCase() + type.slice(1)];
    const view = event.target.closest?.('dialog') ? sheet?.view : page?.view;
    const action = name && (view?.actions?.[name] ?? common[name]);
    if (action) action.call(view, event.target, event);
  });
}

// A browser leaves a link where it is that is cut off by the end of its row; who has no pointer sees it whole, and that more follows.
document.addEventListener('focusin', ({target}) => {
  const row = target.matches(':focus-visible') && target.closest('.filters, .more > .many, .days, .rail, .cards');
  if (row) reveal(row, target);
});

/// The row alone moves, not the page.
function reveal(row, target) {
  const at = target.getBoundingClientRect(), {left, right} = row.getBoundingClientRect(), more = 40;
  row.scrollLeft += Math.min(0, at.left - left - more) || Math.max(0, at.right - right + more);
}

let prefix = 0;
document.addEventListener('keydown', (event) => {
  const strip = event.target.closest?.('.days');
  if (strip && walkStrip(event)) return;
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.nodeName);
  if (typing && (sheet?.view ?? page?.view)?.typing?.(event)) { event.preventDefault(); return; }
  if (event.key === 'Escape' && typing) { event.target.blur(); return; }
  if (typing || event.metaKey || event.ctrlKey || event.altKey || memory.get('keys') === false) return;
  // The second key of two belongs to the first, whatever it means to a view.
  if (Date.now() - prefix < 1500) {
    const to = {n: '/', m: '/map', t: '/tonight', d: '/discover', b: '/bookmarks', f: '/festivals', r: '/radio', s: '/status'}[event.key];
    prefix = 0;
    if (to) { event.preventDefault(); closeSheet(); go(to); }
    return;
  }
  const view = sheet?.view ?? page?.view;
  if (view?.key?.(event)) { event.preventDefault(); return; }
  if (event.key === 'g') prefix = Date.now();
  else if (event.key === '/') { event.preventDefault(); go('/search'); focusLater('q'); }
  else if (event.key === '?') help();
});

/// The focus goes there as soon as it is there.
function focusLater(id, until = Date.now() + 10_000) {
  const field = document.getElementById(id);
  if (field) field.focus(); else if (Date.now() < until) requestAnimationFrame(() => focusLater(id, until));
}

/// Arrows, Home and End, a week by page: one stop in the tab order for all days.
function walkStrip(event) {
  const days = [...event.target.closest('.days').querySelectorAll('.day')];
  const at = days.indexOf(event.target.closest('.day'));
  const to = {ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: days.length - 1, PageUp: at - 7, PageDown: at + 7}[event.key];
  if (to === undefined || at < 0) return false;
  event.preventDefault();
  const day = days[Math.max(0, Math.min(days.length - 1, to))];
  for (const other of days) other.tabIndex = other === day ? 0 : -1;
  day.focus();
  return true;
}

function help() {
  if (document.querySelector('dialog.help')) return;
  const rows = ['/', 'g n', 'g m', 'g t', 'g d', 'g f', 'g r', 'g b', '[ ]', '← →', 'b o i', '+ − 0', 'k m t', 's', 'Esc'];
  const dialog = h('dialog.help', {'aria-labelledby': 'help-t'}, h('h2', {id: 'help-t'}, t('keys')), h('dl', rows.map((keys, i) =>
    h('div', h('dt', keys.split(' ').map((k) => h('kbd', k))), h('dd', t('keys.' + i))))), h('form', {method: 'dialog'}, h('button.btn', {autofocus: true}, t('close'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// --- Taste -----------------------------------------------------------------------------------------------------------

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const isDark = () => {
  const theme = document.documentElement.dataset.theme;
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
};

/// The page's looks, and the browser's own bars in its ground.
function wear(name, value) {
  document.documentElement.dataset[name] = value;
  if (name === 'theme') for (const theme of ['light', 'dark']) document.getElementById('bars-' + theme).media = value === 'auto' ? `(prefers-color-scheme: ${theme})` : value === theme ? 'all' : 'not all';
}

/// A choice of looks: here at once, and in the server's next first paint.
function look(name, value) {
  wear(name, value);
  memory.set(name, value);
  choose(name, value);
  refresh();
}
export const setTheme = (theme) => look('theme', theme);
export const setText = (size) => look('text', size);

/// Turns a mark on or off, and says so.
export const want = (dataset) => common.want({dataset});

/// What a part of the page outside its views does.
export const extend = (actions) => Object.assign(common, actions);

/// Who listens whatever view is there: {topics(), heard(name, data)}.
const others = [];
export const attend = (other) => { others.push(other); hear(); };

/// Another language is another page from the server: all its words change.
export function setLanguage(code) {
  memory.set('lang', code);
  choose('lang', code);
  const url = new URL(location.href);
  url.searchParams.delete('lang');
  // An address that differs in its fragment alone would not be loaded.
  url.hash = '';
  location.assign(url);
}

// --- What happens meanwhile ------------------------------------------------------------------------------------------

export function hear() {
  const topics = [page?.view, sheet?.view, ...others].flatMap((one) => one?.topics?.() ?? []);
  if (bookmarks.hasSession()) {
    topics.push('me');
    // Saved films that begin to play are told around where somebody said that they are.
    const place = memory.get('place');
    if (place) topics.push(`near=${place.lat},${place.lon}`);
  }
  live.listenTo([...new Set(topics)]);
}

/// What changed of the times that are on the screen is said in one word, however many they are.
const news = new Map();
const together = 300;
function announce(kind, id) {
  const chip = document.querySelector(`[data-show="${CSS.escape(id)}"]`);
  const key = {sold_out: 'live.sold', cancelled: 'live.cancelled', moved: 'live.moved'}[kind];
  if (!chip || !key) return;
  const what = [chip.closest('li:has(.film-title)')?.querySelector('.film-title > a')?.textContent, chip.querySelector('.chip-t').textContent].filter(Boolean).join(' ');
  if (!news.has(key)) {
    news.set(key, []);
    setTimeout(() => { toast(t(key, {what: news.get(key).join(', ')})); news.delete(key); }, together);
  }
  news.get(key).push(what);
}

let wasClosed = false;
function catchUp() {
  bookmarks.flush().then(() => bookmarks.hasSession() && bookmarks.list()).catch(() => {});
}
// From now on there is somebody to hear about.
bookmarks.onSession(hear);
// Another tab was told where somebody is.
addEventListener('storage', hear);
live.onEvent(({name, data}) => {
  if (name === 'state') {
    if (data === 'closed') wasClosed = true;
    // Whatever happened while nobody listened is asked for, even if the stream resumes: a snapshot loses nothing.
    else if (wasClosed) { wasClosed = false; catchUp(); views().forEach(wake); }
  }
  if (name === 'bookmark.playing') toast(t('live.playing'), {action: t('live.see'), doing: () => go('/films/' + data.film_id, {over: true})});
  if (name === 'bookmark.put') bookmarks.learn(data.film_id ?? data.id, true);
  if (name === 'bookmark.removed') bookmarks.learn(data.film_id ?? data.id, false);
  if (data?.showtime_id) announce(name.split('.')[1], data.showtime_id);
  for (const one of [page?.view, sheet?.view, ...others]) one?.heard?.(name, data);
});
onUnanswered((pane) => { for (const one of views()) if (Object.values(one).includes(pane)) one.retry(); refresh(); });
bookmarks.onChange(() => { page?.view?.wantedChanged?.(); refresh(); });
addEventListener('online', () => { refresh(); views().forEach(askAnew); });
addEventListener('offline', refresh);
document.addEventListener('visibilitychange', () => { if (!document.hidden) { bookmarks.flush().catch(() => {}); views().forEach(wake); refresh(); } });
setInterval(() => { if (!document.hidden) refresh(); }, 30_000);
addEventListener('unhandledrejection', (event) => { if (isAbort(event.reason)) event.preventDefault(); });

function keepOffline() {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return;
  const version = base.split('/').pop();
  navigator.serviceWorker.register(workerURL('/sw.js?v=' + encodeURIComponent(version)), {updateViaCache: 'none'}).then((registration) => {
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      const known = navigator.serviceWorker.controller;
      worker.addEventListener('statechange', () => {
        if (worker.state === 'installed' && known) toast(t('update'), {action: t('update.now'), doing: () => location.reload()});
      });
    });
  }).catch(() => { /* the page works without */ });
  navigator.serviceWorker.addEventListener('message', ({data}) => {
    for (const view of views()) {
      if (data?.fresh) view.woke?.(data.fresh);
      if (data?.lost) view.lost?.(data.lost);
    }
  });
}

/// What nobody sees is begun once the page has nothing else to do, and soon in any case.
const whenIdle = (doing) => window.requestIdleCallback ? requestIdleCallback(doing, {timeout: 1000}) : setTimeout(doing);

/// Until its texts are there the page is what the server wrote, which works without a script.
async function texts(code) {
  for (let wait = 1000; ; wait = Math.min(wait * 2, 30_000)) {
    try { return await speak(code); } catch { await new Promise((done) => { setTimeout(done, wait); addEventListener('online', done, {once: true}); }); }
  }
}

async function begin() {
  const asked = new URL(location.href).searchParams.get('lang') ?? memory.get('lang');
  for (const name of ['theme', 'text']) {
    const chosen = memory.get(name);
    if (chosen) wear(name, chosen);
  }
  await texts(asked && (languages.includes(asked) || asked === 'xx') ? asked : lang);
  document.documentElement.classList.add('js');
  if (memory.get('radio')) import('./player.js').then((player) => player.restore());
  await show();
  whenIdle(() => { live.start(); catchUp(); });
  if (document.readyState === 'complete') keepOffline(); else addEventListener('load', keepOffline);
}
begin();
