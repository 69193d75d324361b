"""How every view lies on the screen, in three widths, both themes and three languages: told as facts, because pictures of
another machine's letters differ in every pixel. Nothing covers anything, nothing leaves its box, no text is cut off."""

import functools

import told
from suite_flows import VIEWS, examples, tabs
from world import LANGUAGES, SIZES, THEMES

FACTS = """() => {
  const seen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && !e.closest('.vh, [hidden], .ghost, .skip');
  const shown = e => seen(e) && !e.closest('svg, option, select');
  const name = e => (e.id ? '#' + e.id : e.className && typeof e.className === 'string' ? '.' + e.className.split(' ')[0] : e.nodeName.toLowerCase());
  const path = e => [e.parentElement?.parentElement, e.parentElement, e].filter(Boolean).map(name).join(' > ');
  const layer = e => { for (let a = e; a && a !== document.body; a = a.parentElement) { const p = getComputedStyle(a).position; if (p === 'fixed' || p === 'sticky') return a; } return null; };
  // What scrolls by itself may hold more than it shows; a box with three dots says that there is more.
  const held = (e, how) => { for (let a = e; a && a !== document.body; a = a.parentElement) {
    const s = getComputedStyle(a); if (how.test(s.overflowX) || how.test(s.overflowY)) return a; } return null; };
  const dotted = a => { const s = getComputedStyle(a); return s.textOverflow === 'ellipsis' || s.webkitLineClamp !== 'none'; };
  const out = {cut: [], outside: [], covered: []}, lines = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node; node = walk.nextNode();) {
    const e = node.parentElement;
    if (!node.data.trim() || !e || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(e.nodeName) || !shown(e)) continue;
    range.selectNodeContents(node);
    const scroller = held(e, /auto|scroll/), box = held(e, /hidden|clip/), frame = box?.getBoundingClientRect(), top = layer(e);
    for (const r of range.getClientRects()) {
      if (r.width < 2 || r.height < 2) continue;
      const text = node.data.trim().slice(0, 40), where = path(e) + ' “' + text + '”';
      if (box && !(scroller && box.contains(scroller))) {
        const over = Math.max(frame.left - r.left, r.right - frame.right, frame.top - r.top, r.bottom - frame.bottom);
        if (over > 2 && !dotted(box) && !dotted(e)) { out.cut.push(where); break; }
        if (over > 2) continue;
      }
      if (!scroller && (r.left < -1 || r.right > document.documentElement.clientWidth + 1)) { out.outside.push(where); break; }
      lines.push({r, e, node, where, top, box: scroller});
    }
  }
  // Lines of one layer, from above: two that share a good part of the smaller one cover each other.
  lines.sort((a, b) => a.r.top - b.r.top);
  for (let i = 0; i < lines.length; i++) for (let k = i + 1; k < lines.length && lines[k].r.top < lines[i].r.bottom; k++) {
    const a = lines[i], b = lines[k];
    if (a.node === b.node || a.top !== b.top || a.box !== b.box) continue;
    const w = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), t = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
    if (w > 2 && t > 2 && w * t > 0.25 * Math.min(a.r.width * a.r.height, b.r.width * b.r.height)) out.covered.push(a.where + ' and ' + b.where);
  }
  // What is pressed lies apart from what else is pressed.
  const keys = [...document.querySelectorAll('a[href], button, input:not([type=radio], [type=checkbox], .vh), select, summary')].filter(e => seen(e) && !e.closest('.map-box')).map(e => ({e, r: e.getBoundingClientRect(), top: layer(e), box: held(e, /auto|scroll/)}));
  const within = (a, b) => { const x = (a.left + a.right) / 2, y = (a.top + a.bottom) / 2; return x > b.left && x < b.right && y > b.top && y < b.bottom; };
  for (let i = 0; i < keys.length; i++) for (let k = i + 1; k < keys.length; k++) {
    const a = keys[i], b = keys[k];
    if (a.top !== b.top || a.box !== b.box || a.e.contains(b.e) || b.e.contains(a.e)) continue;
    // One may lie on the other's edge, as the way to dinner does on a time; not where it is pressed, nor by more than a quarter.
    const w = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), t = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
    if (within(a.r, b.r) || within(b.r, a.r) || (w > 0 && t > 0 && w * t > 0.25 * Math.min(a.r.width * a.r.height, b.r.width * b.r.height))) out.covered.push(path(a.e) + ' and ' + path(b.e));
  }
  // Nor does any of it go on beyond the screen.
  for (const {e, r, box} of keys) if (!box && (r.left < -1 || r.right > document.documentElement.clientWidth + 1)) out.outside.push(path(e));
  return out; }"""
SPACED = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-block-end: 2em !important }"
LITTLE_ROOM = {"a narrow screen": (320, ""), "wide spacing": (390, SPACED)}
SENTENCES = {"cut": "no text is cut off", "outside": "nothing leaves the screen", "covered": "nothing covers anything"}


def units(options):
    return [sees, *(functools.partial(little_room, how=how) for how in LITTLE_ROOM), *(functools.partial(looks, lang=lang, turn=turn) for turn, lang in enumerate(LANGUAGES))]


def sees(world):
    """What is broken on purpose is seen."""
    with world.page(lang="en", width=768) as page:
        world.visit(page, "/status")
        world.until(page, "document.querySelectorAll('.sources li').length > 3")
        whole = page.evaluate(FACTS)
        world.check(not any(whole.values()), "before anything is broken nothing is found", whole)
        for kind, place, styles in (("cut", ".status h1", {"width": "20px", "overflow": "hidden", "whiteSpace": "nowrap"}),
                                    ("outside", ".status .lead", {"whiteSpace": "nowrap", "width": "3000px", "wordSpacing": "40px"}),
                                    ("outside", ".sources .tool", {"position": "relative", "left": "60px"}),
                                    ("covered", ".sources li + li .tool", {"position": "relative", "top": "-70px"})):
            found = page.evaluate(f"([place, styles]) => {{ Object.assign(document.querySelector(place).style, styles); return ({FACTS})(); }}", [place, styles])
            world.check(found[kind], f"what is broken on purpose is seen: {kind}")
            page.evaluate("place => document.querySelector(place).removeAttribute('style')", place)


def little_room(world, how):
    """A screen of 320 pixels (WCAG 1.4.10), and letters, words and lines as far apart as somebody may want them (1.4.12)."""
    width, style = LITTLE_ROOM[how]
    views = {name: path for name, (path, _) in tabs(*examples(world)).items() if name != "bookmarks"}
    with world.page(lang="en", width=390, noise="404|401|503") as page:
        page.set_viewport_size({"width": width, "height": 640})
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        for name, path in views.items():
            world.enter(page, path)
            world.settle(page)
            page.evaluate("style => { const sheet = new CSSStyleSheet(); sheet.replaceSync(style); document.adoptedStyleSheets = [sheet]; }", style)
            world.painted(page)
            sideways = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
            world.check(sideways <= 0, f"{name}, {how}: nothing scrolls sideways", sideways)
            facts(world, page, f"{name}, {how}")
            world.shot(page, f"{name}-{how.replace(' ', '-')}")


def looks(world, lang, turn):
    """Every view of a language in every width, the theme in turn."""
    views = tabs(*examples(world))
    left = list(views)
    while left:
        with world.again(lang=lang, noise="404|401|503") as page:
            page.goto("/settings?lang=" + lang)
            world.settle(page)
            told.tell(page)
            been = set()
            while left and VIEWS.get(left[0], left[0]) not in been:
                view = left.pop(0)
                been.add(VIEWS.get(view, view))
                try:
                    world.enter(page, views[view][0])
                    world.settle(page)
                    for at, width in enumerate(SIZES):
                        theme = THEMES[(at + turn) % 2]
                        world.look(page, theme, width)
                        world.quiet(page)
                        facts(world, page, f"{view}, {lang}, {theme}, {width}")
                        world.shot(page, f"{view}-{lang}-{theme}-{width}")
                except Exception as error:
                    world.check(False, f"{view}, {lang}: can be looked at", f"{error}"[:300])
                    break


def facts(world, page, where):
    found = page.evaluate(FACTS)
    for kind, sentence in SENTENCES.items():
        world.check(not found[kind], f"{where}: {sentence}", found[kind][:3])
