// What changes while somebody looks: one stream for the whole browser, from a shared worker, or from the tab that holds
// a lock where there are none (Chrome on Android).
import {base, workerURL} from './env.js';

const listeners = new Set();
let topics = [];
let speak = () => {};
export let connected = false;
/// What the stream said that it tells, when it was opened last.
export let hearing = [];

export const onEvent = (listener) => listeners.add(listener);

function arrived(event) {
  if (event.name === 'state') connected = event.data === 'open';
  if (event.name === 'hello') hearing = event.data?.topics ?? [];
  for (const listener of listeners) listener(event);
}

/// What this tab wants to hear about from now on.
export function listenTo(list) {
  const text = list.join();
  if (text === topics.join()) return;
  topics = list;
  speak({topics});
}

/// The session changed: the stream must be opened with the new cookie.
export const renew = () => speak({topics, renew: true});

export function start() {
  if (!('EventSource' in window)) return;
  if ('SharedWorker' in window) {
    try { return throughWorker(); } catch { /* refused by policy: lead instead */ }
  }
  throughLeader();
}

function throughWorker() {
  const worker = new SharedWorker(workerURL(`${base}/js/live-worker.js`), {type: 'module', name: 'odi'});
  worker.port.onmessage = ({data}) => arrived(data);
  // A worker whose script does not come says so here and nowhere else.
  worker.onerror = () => throughLeader();
  speak = (message) => worker.port.postMessage(message);
  speak({topics});
  setInterval(() => speak({topics}), 60_000);
  addEventListener('pagehide', (event) => { if (!event.persisted) speak({bye: true}); });
}

async function throughLeader() {
  const {LiveStream} = await import('./live-stream.js');
  if (!navigator.locks || !('BroadcastChannel' in window)) {
    const own = new LiveStream(arrived);
    speak = ({topics: list, renew: again}) => { if (again) own.topics = ''; own.listen(list); };
    speak({topics});
    return;
  }
  const channel = new BroadcastChannel('odi-live');
  const me = Math.random().toString(36).slice(2);
  const wishes = new Map();
  let stream = null;
  // How the stream stands: for tabs that come later, and for this one if it leads next.
  let state = null, hello = null, last = '';
  const heard = (event) => {
    if (event.name === 'state') state = event;
    if (event.name === 'hello') hello = event;
    last = event.id || last;
    arrived(event);
  };
  const tell = (event) => { heard(event); channel.postMessage({event}); };
  const gather = (again) => {
    if (!stream) return;
    if (again) stream.topics = '';
    stream.listen([...wishes.values()].flat());
  };
  channel.onmessage = ({data}) => {
    if (data.event && (data.to ?? me) === me) heard(data.event);
    if (data.wish) {
      if (stream && !wishes.has(data.from)) for (const event of [state, hello]) if (event) channel.postMessage({event, to: data.from});
      wishes.set(data.from, data.wish);
      gather(data.renew);
    }
    if (data.who) speak({topics});
  };
  speak = ({topics: list, renew: again}) => {
    wishes.set(me, list);
    channel.postMessage({wish: list, from: me, renew: again});
    gather(again);
  };
  speak({topics});
  addEventListener('pagehide', () => channel.postMessage({wish: [], from: me}));
  navigator.locks.request('odi-live', () => new Promise(() => {
    // Nobody listened since the tab that led is gone: what happened meanwhile is asked for, as after any break.
    if (state) tell({name: 'state', data: 'closed'});
    stream = new LiveStream(tell);
    stream.last = last;
    channel.postMessage({who: true});
    gather();
  }));
}
