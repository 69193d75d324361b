// What the server says about itself in the page's head.
const meta = document.querySelector('meta[name=odi]').dataset;

export const base = meta.base;
/// Where the page looks when nobody has said where they are.
export const defaultPlace = (() => {
  const [lat, lon] = meta.at.split(',').map(Number);
  return {lat, lon, name: meta.name || undefined};
})();

/// The only maker of script addresses (trusted types): workers of our own, by name.
const policy = window.trustedTypes?.createPolicy('odi', {
  createScriptURL(url) {
    const path = new URL(url, location.origin);
    if (path.origin !== location.origin || !/^\/(sw\.js|s\/[^/]+\/js\/live-worker\.js)$/.test(path.pathname)) {
      throw new TypeError('not a worker of this page: ' + url);
    }
    return url;
  },
});
export const workerURL = (url) => policy ? policy.createScriptURL(url) : url;

/// A small memory of this browser; without one (private windows) the page works and forgets.
export const memory = {
  get(key) { try { return JSON.parse(localStorage.getItem('odi.' + key)); } catch { return null; } },
  set(key, value) {
    try { value === null ? localStorage.removeItem('odi.' + key) : localStorage.setItem('odi.' + key, JSON.stringify(value)); }
    catch { /* full or forbidden: nothing depends on it */ }
  },
};

/// A choice that the server's first paint should know too: set only when somebody chose.
export function choose(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=lax` + (location.protocol === 'https:' ? '; secure' : '');
}
