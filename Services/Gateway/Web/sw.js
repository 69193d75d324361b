// The page without a network: its own files, the last schedules and the list of saved films with their age, posters.
// Never the event stream, and nothing that changes something: marks wait in the page's own outbox.

const version = new URL(location).searchParams.get('v') ?? 'dev';
const base = '/s/' + version;
const shell = 'shell-' + version;
const answers = 'answers-1';
const pictures = 'pictures-1';

const files = [
  'app.css', 'icons/icon.svg', 'i18n/ko.json', 'i18n/ja.json', 'i18n/en.json', 'map/base.json',
  'js/app.js', 'js/api.js', 'js/bookmarks.js', 'js/dom.js', 'js/env.js', 'js/geo.js', 'js/i18n.js', 'js/live.js', 'js/live-leader.js', 'js/live-stream.js',
  'js/live-worker.js', 'js/parts.js', 'js/pieces.js', 'js/player.js', 'js/time.js', 'js/views/bookmarks.js', 'js/views/cinema.js', 'js/views/dinner.js',
  'js/views/discover.js', 'js/views/door.js', 'js/views/festival.js', 'js/views/festival-grid.js', 'js/views/festivals.js', 'js/views/film.js', 'js/views/import.js', 'js/views/map.js',
  'js/views/nearby.js', 'js/views/plan.js', 'js/views/radio.js', 'js/views/search.js', 'js/views/session.js', 'js/views/settings.js', 'js/views/status.js',
  'js/views/tonight.js', 'js/kinds.js',
];

const keptAnswers = 300;
const keptFor = 14 * 86_400_000;
/// Of posters: some thousand of them, and little of what a phone has.
const pictureBytes = 30 << 20;
/// A network that has not answered by then is as good as none, if there is a copy.
const patience = 2500;

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(shell);
    await cache.addAll(files.map((file) => `${base}/${file}`));
    await cache.put('/shell', await fetch('/shell', {cache: 'no-store'}));
    await self.skipWaiting();
  })());
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith('shell-') && name !== shell) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (event) => {
  const {request} = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || request.destination === 'audio') return;
  // A floor's map opens on its own, and is kept as an answer.
  if (request.mode === 'navigate' && !/^\/v1\/festivals\/.*\.svg$/.test(url.pathname)) event.respondWith(navigate(request, url));
  else if (url.pathname.startsWith('/s/')) event.respondWith(ours(request));
  else if (/^\/v1\/films\/[^/]+\/poster$/.test(url.pathname)) event.respondWith(picture(event, request));
  else if (url.pathname === '/v1/events' || url.pathname.startsWith('/v1/me/')) {
    if (/^\/v1\/me\/(bookmarks|favourites|festivals\/[^/]+\/agenda)$/.test(url.pathname)) event.respondWith(answer(event, request));
  } else if (url.pathname.startsWith('/v1/') && !/\.ics$|\/(stream|now_playing)$/.test(url.pathname)) {
    // In a festival's halls there is often no network worth waiting for, and its programme seldom changes.
    event.respondWith(url.pathname.startsWith('/v1/festivals/') ? keptFirst(event, request) : answer(event, request));
  }
});

async function navigate(request, url) {
  try {
    const fresh = await fetch(request);
    if (fresh.status < 500) return fresh;
  } catch { /* the shell takes over */ }
  if (/^\/(v1|docs|openapi)/.test(url.pathname)) return Response.error();
  return (await caches.match('/shell')) ?? Response.error();
}

async function ours(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/// Posters by address with their sizes, the one that was looked at longest ago first. The cache keeps the order of putting:
/// what is looked at for the first time in this worker's life is put there anew.
let shelf = null;

async function shelved(cache) {
  const found = new Map();
  for (const key of await cache.keys()) found.set(key.url, Number((await cache.match(key))?.headers.get('X-Odi-Bytes')) || 0);
  return {found, used: new Set()};
}

async function picture(event, request) {
  const cache = await caches.open(pictures);
  const {found, used} = await (shelf ??= shelved(cache));
  const kept = await cache.match(request.url);
  if (kept) {
    const bytes = found.get(request.url) ?? 0;
    found.delete(request.url);
    found.set(request.url, bytes);
    if (!used.has(request.url)) event.waitUntil(cache.put(request.url, kept.clone()));
    used.add(request.url);
    return kept;
  }
  const fresh = await fetch(request);
  // What only stands in for a picture says that it is not to be kept.
  if (fresh.ok && !/no-store/.test(fresh.headers.get('Cache-Control'))) event.waitUntil(shelve(cache, request.url, fresh.clone()));
  return fresh;
}

async function shelve(cache, url, fresh) {
  const {found, used} = await shelf;
  const body = await fresh.arrayBuffer();
  const headers = new Headers(fresh.headers);
  headers.set('X-Odi-Bytes', body.byteLength);
  found.delete(url);
  found.set(url, body.byteLength);
  used.add(url);
  await cache.put(url, new Response(body, {status: 200, headers}));
  let all = 0;
  for (const bytes of found.values()) all += bytes;
  for (const [old, bytes] of found) {
    if (all <= pictureBytes) break;
    all -= bytes;
    found.delete(old);
    used.delete(old);
    await cache.delete(old);
  }
}

/// Under which an answer is kept: it differs by language.
const keyOf = (request) => new Request(request.url, {headers: {'Accept-Language': request.headers.get('Accept-Language') ?? ''}});

async function usable(cache, key) {
  const kept = await cache.match(key);
  return kept && Date.now() - Date.parse(kept.headers.get('X-Odi-Kept')) < keptFor ? kept : null;
}

/// Lacks a part, or is an old answer given anew.
const isLess = (answer) => answer.headers.has('X-Odi-Partial') || answer.headers.has('X-Odi-Stale-As-Of');
/// A whole copy is worth more, and has its own age; of two that lack something, the newer.
const isWorthKeeping = (fresh, kept) => fresh.ok && !(isLess(fresh) && kept && !isLess(kept));

async function keep(event, cache, key, fresh) {
  const copy = new Headers(fresh.headers);
  copy.set('X-Odi-Kept', new Date().toISOString());
  const bytes = await fresh.arrayBuffer();
  await cache.put(key, new Response(bytes, {status: 200, headers: copy}));
  event.waitUntil(trim(cache, keptAnswers));
  return bytes;
}

function alike(one, other) {
  const [before, after] = [new Uint8Array(one), new Uint8Array(other)];
  return before.length === after.length && before.every((byte, at) => byte === after[at]);
}

async function tell(message) {
  for (const client of await self.clients.matchAll()) client.postMessage(message);
}

/// The network first; a copy, marked with its time, when that fails or takes too long.
async function answer(event, request) {
  const cache = await caches.open(answers);
  const key = keyOf(request);
  // The copy that was given because the network took too long: only what differs from it is told.
  let late = null;
  const network = fetch(request).then(async (fresh) => {
    if (isWorthKeeping(fresh, await usable(cache, key))) {
      const bytes = await keep(event, cache, key, fresh.clone());
      if (late && !alike(await late.arrayBuffer(), bytes)) await tell({fresh: request.url});
    }
    return fresh;
  });
  event.waitUntil(network.catch(() => {}));
  const kept = await usable(cache, key);
  if (!kept) return network;
  const limit = new Promise((done) => setTimeout(() => { late = kept.clone(); done(null); }, patience));
  try {
    const fresh = await Promise.race([network, limit]);
    if (fresh && fresh.status < 500) return fresh;
  } catch (error) {
    // A question that the page took back is not a bad network.
    if (request.signal.aborted) throw error;
  }
  return kept;
}

/// The copy at once, if there is one. Meanwhile the network is asked, and the page is told what came of it: something
/// else than the copy, or nothing.
async function keptFirst(event, request) {
  const cache = await caches.open(answers);
  const key = keyOf(request);
  const kept = await usable(cache, key);
  if (!kept) return answer(event, request);
  event.waitUntil(renew(event, cache, key, kept.clone()).catch(() => tell({lost: request.url})));
  return kept;
}

async function renew(event, cache, key, kept) {
  // The page has its answer, and what becomes of its question does not concern this one.
  const fresh = await fetch(key.url, {headers: key.headers, cache: 'no-cache'});
  if (isWorthKeeping(fresh, kept)) {
    const bytes = await keep(event, cache, key, fresh);
    if (!alike(await kept.arrayBuffer(), bytes)) await tell({fresh: key.url});
  } else if (fresh.status === 404 || fresh.status === 410) {
    if (await cache.delete(key)) await tell({fresh: key.url});
  } else await tell({lost: key.url});
}

async function trim(cache, most) {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(key);
}
