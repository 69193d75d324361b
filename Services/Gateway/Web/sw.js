// The page without a network: its own files, the last schedules and the list of saved films with their age, posters.
// Never the event stream, and nothing that changes something: marks wait in the page's own outbox.

const version = new URL(location).searchParams.get('v') ?? 'dev';
const base = '/s/' + version;
const shell = 'shell-' + version;
const answers = 'answers-1';
const pictures = 'pictures-1';

const files = [
  'app.css', 'icons/icon.svg', 'i18n/ko.json', 'i18n/ja.json', 'i18n/en.json', 'map/base.json',
  'js/app.js', 'js/api.js', 'js/bookmarks.js', 'js/dom.js', 'js/env.js', 'js/geo.js', 'js/i18n.js', 'js/live.js', 'js/live-stream.js',
  'js/live-worker.js', 'js/parts.js', 'js/player.js', 'js/time.js', 'js/views/bookmarks.js', 'js/views/cinema.js', 'js/views/dinner.js',
  'js/views/discover.js', 'js/views/festival.js', 'js/views/festival-grid.js', 'js/views/festivals.js', 'js/views/film.js', 'js/views/map.js',
  'js/views/nearby.js', 'js/views/plan.js', 'js/views/radio.js', 'js/views/search.js', 'js/views/session.js', 'js/views/settings.js', 'js/views/status.js',
  'js/views/tonight.js', 'js/kinds.js',
];

const keptAnswers = 300;
const keptFor = 14 * 86_400_000;
const keptPictures = 400;
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
  if (request.mode === 'navigate') event.respondWith(navigate(request, url));
  else if (url.pathname.startsWith('/s/')) event.respondWith(ours(request));
  else if (/^\/v1\/films\/[^/]+\/poster$/.test(url.pathname)) event.respondWith(picture(request));
  else if (url.pathname === '/v1/events' || url.pathname.startsWith('/v1/me/')) {
    if (/^\/v1\/me\/(bookmarks|favourites|festivals\/[^/]+\/agenda)$/.test(url.pathname)) event.respondWith(answer(event, request));
  } else if (url.pathname.startsWith('/v1/') && !/\.ics$|\/(stream|now_playing)$/.test(url.pathname)) event.respondWith(answer(event, request));
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

async function picture(request) {
  const cache = await caches.open(pictures);
  const kept = await cache.match(request);
  if (kept) return kept;
  const fresh = await fetch(request);
  if (fresh.ok) { await cache.put(request, fresh.clone()); await trim(cache, keptPictures); }
  return fresh;
}

/// The network first; a copy, marked with its time, when that fails or takes too long.
async function answer(event, request) {
  const cache = await caches.open(answers);
  const key = new Request(request.url, {headers: {'Accept-Language': request.headers.get('Accept-Language') ?? ''}});
  let late = false;
  const network = fetch(request).then(async (fresh) => {
    if (fresh.ok) {
      const copy = new Headers(fresh.headers);
      copy.set('X-Odi-Kept', new Date().toISOString());
      const bytes = await fresh.clone().arrayBuffer();
      await cache.put(key, new Response(bytes, {status: 200, headers: copy}));
      event.waitUntil(trim(cache, keptAnswers));
      if (late) for (const client of await self.clients.matchAll()) client.postMessage({fresh: request.url});
    }
    return fresh;
  });
  event.waitUntil(network.catch(() => {}));
  const kept = await cache.match(key);
  const usable = kept && Date.now() - Date.parse(kept.headers.get('X-Odi-Kept')) < keptFor ? kept : null;
  if (!usable) return network;
  const limit = new Promise((done) => setTimeout(() => { late = true; done(null); }, patience));
  try {
    const fresh = await Promise.race([network, limit]);
    if (fresh && fresh.status < 500) return fresh;
  } catch (error) {
    // A question that the page took back is not a bad network.
    if (request.signal.aborted) throw error;
  }
  return usable;
}

async function trim(cache, most) {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(key);
}
