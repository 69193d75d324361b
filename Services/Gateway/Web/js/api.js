// Questions to the server: a deadline on each, one open question a pane, the newest choice wins.
import {lang} from './i18n.js';

const deadline = 10_000;
let sequence = 0, born = 0;
const session = Math.random().toString(36).slice(2) + Date.now().toString(36);

/// What went wrong, in the server's words where it has some (RFC 9457).
export class Problem extends Error {
  constructor(status, body, after) {
    super(body?.detail || body?.title || (status ? 'HTTP ' + status : 'no answer'));
    this.status = status;
    this.body = body;
    /// Milliseconds that the server asks to wait, if it does.
    this.after = after;
  }
  /// Nobody answered: no network, a dead server, or too late.
  get offline() { return this.status === 0; }
  /// It may be otherwise in a moment; a day's questions to somebody else are used up until tomorrow.
  get passes() { return this.status === 0 || this.status === 429 || (this.status >= 500 && !this.body?.type?.endsWith('upstream-quota')); }
}

/// Whether the server answered the newest question. A browser that says it has no network may well reach one that runs beside it.
let isReached = true;
export const isOffline = () => !navigator.onLine && !isReached;
addEventListener('offline', () => { isReached = false; });

async function send(method, path, {body, raw, signal, slot, headers = {}, patience = deadline} = {}) {
  const limit = AbortSignal.timeout(patience);
  let answer;
  try {
    answer = await fetch('/v1' + path, {
      method,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      // Others may keep an answer for a minute; who was just told that something changed may not.
      cache: method === 'GET' ? 'no-cache' : undefined,
      credentials: 'same-origin',
      headers: {
        'Accept-Language': lang === 'xx' ? 'en' : lang,
        ...(raw ? {'Content-Type': raw.type} : body === undefined ? {} : {'Content-Type': 'application/json'}),
        ...(method === 'GET' ? {} : {'X-Odi-Request': '1'}),
        ...(slot ? {'X-Odi-Session': session, 'X-Odi-Slot': slot, 'X-Odi-Sequence': String(++sequence)} : {}),
        ...headers,
      },
    });
  } catch (error) {
    if (signal?.aborted) throw new DOMException('a newer choice was made', 'AbortError');
    isReached = false;
    throw new Problem(0);
  }
  // The service worker marks what it kept for bad times.
  const kept = answer.headers.get('X-Odi-Kept');
  isReached = !kept;
  const text = answer.status === 204 ? '' : await answer.text();
  if (signal?.aborted) throw new DOMException('a newer choice was made', 'AbortError');
  let value = null;
  try { value = text ? JSON.parse(text) : null; } catch { throw new Problem(answer.status || 0); }
  if (answer.status === 409 && value?.type?.endsWith('superseded')) throw new DOMException('a newer choice was made', 'AbortError');
  if (!answer.ok) throw new Problem(answer.status, value, Math.min(longest, 1000 * answer.headers.get('Retry-After')));
  // Invented listings say so in the page's foot.
  if (value?.demo === true) document.documentElement.dataset.demo = 'true';
  if (kept && value && typeof value === 'object') Object.defineProperty(value, 'kept', {value: kept});
  return value;
}

export const get = (path, options) => send('GET', path, options);
export const post = (path, body, options) => send('POST', path, {...options, body});
export const patch = (path, body, options) => send('PATCH', path, {...options, body});
export const put = (path, body, options) => send('PUT', path, {...options, body});
export const remove = (path, options) => send('DELETE', path, options);

/// What the server takes, with something to spare; a camera's picture has twelve million points, and a code's squares can be
/// told apart in far fewer.
const pictureBytes = 1_500_000, pictureSide = 2048;

async function smaller(file) {
  if (file.size <= pictureBytes && /^image\/(png|jpeg)$/.test(file.type)) return file;
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return file;
  const canvas = document.createElement('canvas');
  let small = file;
  for (let side = pictureSide; side >= 256; side /= 2) {
    const scale = Math.min(1, side / Math.max(picture.width, picture.height));
    Object.assign(canvas, {width: Math.round(picture.width * scale), height: Math.round(picture.height * scale)});
    const pen = canvas.getContext('2d');
    // What is transparent is paper, and no ink.
    pen.fillStyle = '#fff';
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    small = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 0.9)) ?? file;
    if (small.size <= pictureBytes) break;
  }
  picture.close();
  return small;
}

/// What the code on a picture says, if there is one.
export async function readCode(file) {
  return (await post('/qr/decode', undefined, {raw: await smaller(file)})).results?.[0]?.text;
}

/// How long after an answer that lacks a part, or one that failed, it is asked for again by itself; after the last only by
/// hand, or when the network or somebody comes back.
const waits = [1500, 4000, 10_000];
/// Whoever is told to wait longer than this is not told so by us.
const longest = 60_000;
let heal = null;
/// Who asks again: the page, for the view that the pane is of.
export const onUnanswered = (healer) => { heal = healer; };

/// Does it as soon as somebody can see it.
function seen(doing) {
  if (!document.hidden) doing();
  else document.addEventListener('visibilitychange', () => seen(doing), {once: true});
}

/// One pane's questions. Asking again ends the question before; an answer that is not the newest never arrives.
export class Pane {
  /// Parts of the newest answer that a service could not give in time.
  missing = [];
  /// The newest answer is one of before: nobody could give a whole one.
  isOld = false;
  /// The newest question failed, for now.
  failed = false;
  /// How often it was asked again.
  tries = 0;
  /// A question is on its way; or was taken back before it was answered well.
  asking = false;
  cut = false;

  /// One film may be open over another: each has its own.
  constructor(slot) { this.slot = `${slot}-${++born}`; this.turn = 0; }

  async ask(path) {
    this.stop();
    const turn = ++this.turn;
    this.controller = new AbortController();
    Object.assign(this, {asking: true, cut: false});
    let value;
    try { value = await get(path, {signal: this.controller.signal, slot: this.slot}); } catch (error) {
      // What was lacking is lacking still.
      if (turn === this.turn) this.told(path, path === this.path ? this.missing : [], error, path === this.path && this.isOld);
      throw error;
    }
    if (turn !== this.turn) throw new DOMException('a newer choice was made', 'AbortError');
    this.told(path, value?.missing, null, Boolean(value?.stale_as_of));
    return value;
  }

  /// What an answer lacks is asked for again, and so is what is old or failed for now; later each time.
  told(path, missing = [], error = null, isOld = false) {
    clearTimeout(this.timer);
    const failed = Boolean(error?.passes), again = failed || isOld || missing.length > 0;
    if (path !== this.path || !again) this.tries = 0;
    Object.assign(this, {path, missing, isOld, failed, asking: false, isLeft: this.tries >= waits.length});
    if (!again || this.isLeft) return;
    const {turn} = this;
    this.timer = setTimeout(() => seen(() => { if (turn === this.turn) heal?.(this); }), Math.max(waits[this.tries++], error?.after || 0));
  }

  stop() { this.turn++; this.controller?.abort(); clearTimeout(this.timer); }

  /// Nobody waits any more; what did not come is asked for when somebody does again.
  cancel() {
    this.stop();
    Object.assign(this, {cut: this.cut || this.asking || this.failed, asking: false, failed: false});
  }
}

const panes = (view) => Object.values(view).filter((one) => one instanceof Pane);
/// The panes of a view whose answers lack a part.
export const lacking = (view) => panes(view).filter((pane) => pane.missing.length);
/// Those whose newest question failed for now.
export const failing = (view) => panes(view).filter((pane) => pane.failed);
/// Whether a view was not given all that it asked for.
export const isWanting = (view) => panes(view).some((pane) => pane.missing.length || pane.isOld || pane.failed || pane.cut);
/// Asks again as if for the first time.
export function askAnew(view) {
  for (const pane of panes(view)) pane.tries = 0;
  view.retry?.();
}
export const isAbort = (error) => error?.name === 'AbortError';

/// What a view asks for: it is drawn with the answer, or with what was wrong. A question that was taken back changes nothing.
export async function load(view, ask) {
  try { await ask(); view.error = null; } catch (error) {
    if (isAbort(error)) return;
    view.error = error;
  }
  view.ctx.refresh();
}
/// What can stand in an address of the page as it is.
export const isPlain = (text) => /^[\w.:-]{1,80}$/.test(text);
export const query = (values) => {
  const parts = Object.entries(values).filter(([, v]) => v !== undefined && v !== null && v !== '');
  return parts.length ? '?' + parts.map(([k, v]) => k + '=' + encodeURIComponent(v).replace(/%2C/g, ',')).join('&') : '';
};
