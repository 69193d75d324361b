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
  const {lead} = await import('./live-leader.js');
  speak = lead(arrived, () => topics);
  speak({topics});
}
