// Where somebody is. What leaves the browser is rounded to three decimals: about 110 metres.
import {base, memory, choose, defaultPlace} from './env.js';
import {lang} from './i18n.js';

const movedEnough = 300;
const notMoreOftenThan = 15_000;

export const round = (n) => Math.round(n * 1000) / 1000;

/// Metres between two points of the earth.
export function metres(a, b) {
  const rad = Math.PI / 180;
  const x = Math.sin((b.lat - a.lat) * rad / 2) ** 2
    + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin((b.lon - a.lon) * rad / 2) ** 2;
  return 2 * 6371008.8 * Math.asin(Math.sqrt(x));
}

/// The place that the page looks from: {lat, lon, name?, mine?}.
export let here = memory.get('place') ?? {...defaultPlace, byDefault: true};
let asked = 0;
let watcher = null;
/// The exact position that was last taken; it never leaves this file.
let accepted = null;
let later = 0;

function take(position, moved) {
  accepted = position;
  asked = Date.now();
  setPlace({...position, mine: true});
  moved();
}

/// The cities that the map knows, asked for once, when somebody needs their names.
let places = null;
export async function cities() {
  places ??= (await (await fetch(base + '/map/base.json')).json()).places;
  return places;
}

export const placeName = (place) => place[lang] ?? place.en;

export function setPlace(place, remember = true) {
  here = {...place, lat: round(place.lat), lon: round(place.lon)};
  if (remember) { memory.set('place', here); choose('at', `${here.lat},${here.lon}`); }
}

/// Asks the browser once, then follows: `moved()` is called for the first position, and again after 300 m and 15 s.
export function follow(moved, refused) {
  if (!navigator.geolocation || !window.isSecureContext) { refused('unsupported'); return; }
  stop();
  watcher = navigator.geolocation.watchPosition(({coords}) => {
    const now = Date.now();
    const position = {lat: coords.latitude, lon: coords.longitude};
    clearTimeout(later);
    if (accepted && metres(accepted, position) < movedEnough) return;
    const wait = accepted ? asked + notMoreOftenThan - now : 0;
    if (wait > 0) later = setTimeout(() => take(position, moved), wait); else take(position, moved);
  }, (error) => { if (!accepted) { stop(); refused(error.code === 1 ? 'refused' : 'unknown'); } },
  {enableHighAccuracy: false, maximumAge: 60_000, timeout: 10_000});
}

export function stop() {
  if (watcher !== null) navigator.geolocation.clearWatch(watcher);
  clearTimeout(later);
  watcher = null;
  accepted = null;
}
