// Elements from values. Text is always text: nothing here parses HTML, so nothing that a site wrote can become markup.

const SVG = 'http://www.w3.org/2000/svg';
const svgTags = new Set(['svg', 'use', 'g', 'path', 'circle', 'text']);

/// An element. `h('a.card', {href: '/'}, 'text', child, [children], false)`; null, undefined and false are left out.
export function h(tag, ...rest) {
  const [name, ...classes] = tag.split('.');
  const svg = svgTags.has(name);
  const element = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  let children = rest;
  const first = rest[0];
  if (first && typeof first === 'object' && !first.nodeType && !Array.isArray(first)) {
    children = rest.slice(1);
    for (const [key, value] of Object.entries(first)) {
      if (value === undefined || value === null || value === false) continue;
      if (key === 'value') { element.value = value; element.setAttribute('value', value); }
      // The policy refuses styles in markup, not what a script sets one by one.
      else if (key === 'style') for (const [name, text] of Object.entries(value)) element.style.setProperty(name, text);
      else if (key === 'href' || key === 'src') element.setAttribute(key, safeURL(value));
      else element.setAttribute(key, value === true ? '' : value);
    }
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child.nodeType ? child : String(child));
  }
}

/// An address that may be followed: our own paths, fragments, http, https, webcal. Anything else leads nowhere.
function safeURL(text) {
  const value = String(text);
  if (/^[/#?]/.test(value) && !/^\/[/\\]/.test(value)) return value;
  try {
    const url = new URL(value);
    return /^(https?|webcal):$/.test(url.protocol) ? value : '#';
  } catch { return '#'; }
}

/// A picture from the sheet in the page's head.
export const icon = (name) => h('svg.i', {'aria-hidden': 'true'}, h('use', {href: '#i-' + name}));

/// Makes `old` look like `fresh`, and keeps what is alike: focus, scroll offsets and running animations stay.
/// Children with the same `data-key` are the same thing, wherever they moved.
function morph(old, fresh) {
  if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) { old.replaceWith(fresh); return; }
  if (old.nodeType !== 1) { if (old.data !== fresh.data) old.data = fresh.data; return; }
  if (old.hasAttribute('data-keep') && old.getAttribute('data-keep') === fresh.getAttribute('data-keep')) return;
  for (const {name} of [...old.attributes]) if (!fresh.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
  for (const {name, value} of [...fresh.attributes]) {
    if (old.getAttribute(name) === value) continue;
    if (name === 'style') old.style.cssText = value; else old.setAttribute(name, value);
  }
  if (old.nodeName === 'INPUT') {
    if (old !== document.activeElement && old.value !== fresh.value) old.value = fresh.value;
    // Once somebody has pressed it, the attribute says nothing any more.
    if (old.checked !== fresh.checked) old.checked = fresh.checked;
  }
  morphChildren(old, [...fresh.childNodes]);
  if (old.nodeName === 'SELECT' && old.value !== fresh.value) old.value = fresh.value;
}

/// The children of `parent` become `fresh`.
export function morphChildren(parent, fresh) {
  const keyed = new Map();
  for (const child of parent.childNodes) {
    const key = child.nodeType === 1 && child.getAttribute('data-key');
    if (key) keyed.set(key, child);
  }
  let cursor = parent.firstChild;
  for (const node of fresh) {
    const key = node.nodeType === 1 && node.getAttribute('data-key');
    let match = key ? keyed.get(key) : null;
    if (match) keyed.delete(key);
    else if (!key && cursor && cursor.nodeName === node.nodeName && !(cursor.nodeType === 1 && cursor.hasAttribute('data-key'))) {
      match = cursor;
    }
    if (!match) { parent.insertBefore(node, cursor); continue; }
    if (match !== cursor) parent.insertBefore(match, cursor); else cursor = cursor.nextSibling;
    morph(match, node);
  }
  while (cursor) { const next = cursor.nextSibling; cursor.remove(); cursor = next; }
}
