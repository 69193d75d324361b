"""A view looks the same however it was come to: as the server painted it, drawn by the script, and entered from another view in
another look. Pictures of one run are compared pixel by pixel, so that this machine's letters are in all of them."""

import base64
import functools

from suite_nojs import known
from world import LANGUAGES, SIZES, THEMES

# Of a screen's pixels so many may differ: the edges of letters that were drawn twice.
SHARE = 0.001
# What the server does not paint, or tells by its own clock; its place is the same.
UNLIKE = "[data-do], body .js, time, .asof p, .leave { visibility: hidden !important } noscript { display: none !important } * { caret-color: transparent !important; transition: none !important }"
# A view's address, and what of it must be there.
VIEWS = {"nearby": ("/", ".near"), "cinema": ("/cinemas/{cinema}", ".strip"), "film": ("/films/{film}", ".film-head h1"),
         "tonight": ("/tonight?within=720", ".evening > li:not(.ghost), .notice"), "discover": ("/discover", ".row"),
         "wall": ("/discover?person={person}", ".wall-a"), "dinner": ("/dinner/{show}", ".places > li:not(.ghost)"), "plan": ("/plans/{plan}", "article"),
         "festivals": ("/festivals", ".fest"), "festival": ("/festivals/{festival}?view=list", ".session, .notice"),
         "session": ("/festivals/{festival}/sessions/{session}", "article"), "radio": ("/radio", ".station:not(.ghost)")}
# Pixels that differ by more than a shade, and where.
DIFF = """async both => {
  const load = src => new Promise(done => { const i = new Image(); i.onload = () => done(i); i.src = 'data:image/png;base64,' + src; });
  const [a, b] = await Promise.all(both.map(load));
  if (a.width !== b.width || a.height !== b.height) return {sizes: [a.width, a.height, b.width, b.height], pixels: a.width * Math.max(1, Math.abs(a.height - b.height))};
  const [one, two] = [a, b].map(image => { const c = new OffscreenCanvas(a.width, a.height).getContext('2d'); c.drawImage(image, 0, 0); return c.getImageData(0, 0, a.width, a.height).data; });
  let pixels = 0, left = 1e9, top = 1e9, right = 0, bottom = 0;
  for (let i = 0; i < one.length; i += 4) {
    if (Math.max(Math.abs(one[i] - two[i]), Math.abs(one[i + 1] - two[i + 1]), Math.abs(one[i + 2] - two[i + 2])) <= 24) continue;
    const x = i / 4 % a.width, y = Math.floor(i / 4 / a.width);
    pixels++; left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
  }
  return {pixels, box: pixels ? [left, top, right, bottom] : null}; }"""

IDS = {}


def units(options):
    return [sees, *(functools.partial(alike, view=view, turn=turn) for turn, view in enumerate(VIEWS))]


def ids(world):
    if not IDS:
        with world.page() as page:
            IDS.update(known(page))
    return IDS


def picture(world, page, style="", scripted=True):
    page.evaluate("style => { const sheet = new CSSStyleSheet(); sheet.replaceSync(style); document.adoptedStyleSheets = [sheet]; document.activeElement?.blur?.(); scrollTo(0, 0); }", UNLIKE + style)
    # Without script nothing runs that could tell.
    if scripted:
        world.painted(page)
    return base64.b64encode(page.screenshot(full_page=True, animations="disabled")).decode()


def difference(world, one, two):
    context = world.browser.new_context()
    try:
        return context.new_page().evaluate(DIFF, [one, two])
    finally:
        context.close()


def most(width):
    return SHARE * width * SIZES[width]


def sees(world):
    """A fault of a few pixels is seen, and nothing where there is none."""
    with world.page(lang="ko", width=390, noise="404") as page:
        world.visit(page, "/cinemas/{cinema}".format(**ids(world)))
        world.until(page, "document.querySelectorAll('.chip').length > 1")
        world.settle(page)
        # A poster that comes late, a showing that begins: what is not still yet is looked at once more.
        for attempt in range(4):
            whole = picture(world, page)
            found = difference(world, whole, picture(world, page))
            if not found["pixels"]:
                break
        world.check(found["pixels"] == 0, "two pictures of one view are the same", found)
        for sentence, style in (("a time that lies on another", ".film:first-child li + li > .chip { transform: translate(-12px, 4px) }"),
                                ("a title in other letters", ".film:first-child .film-title { font-family: serif; font-weight: 400 }"),
                                ("a row that is some pixels too high", ".film:first-child { padding-bottom: 20px }")):
            found = difference(world, whole, picture(world, page, style))
            world.check(found["pixels"] > most(390), f"{sentence} is found", found)


def alike(world, view, turn):
    path, ready = (text.format(**ids(world)) for text in VIEWS[view])
    lang, width, theme = LANGUAGES[turn % 3], list(SIZES)[(turn + turn // 3) % 3], THEMES[turn % 2]
    other = THEMES[(turn + 1) % 2], list(SIZES)[(turn + turn // 3 + 1) % 3]
    where = f"{view}, {lang}, {theme}, {width}"
    with world.page(lang=lang, theme=theme, width=width, script=False, noise="404", zone="Asia/Seoul") as served, \
            world.page(lang=lang, theme=theme, width=width, noise="404|401", zone="Asia/Seoul") as drawn, \
            world.page(lang=lang, theme=other[0], width=other[1], noise="404|401", zone="Asia/Seoul") as entered:
        world.visit(entered, "/settings")
        # What begins or is read meanwhile makes another page of it: then all are looked at once more.
        for attempt in range(3):
            served.goto(path)
            world.visit(drawn, path)
            world.turn(entered, *other)
            world.enter(entered, path)
            for page in (drawn, entered):
                world.until(page, f"document.querySelector('main :is({ready})')")
                world.settle(page)
            world.look(entered, theme, width)
            pictures = [picture(world, served, scripted=False), picture(world, drawn), picture(world, entered)]
            found = [difference(world, pictures[1], one) for one in (pictures[0], pictures[2])]
            if all(one["pixels"] <= most(width) for one in found):
                break
            world.enter(entered, "/settings")
            if world.owns:
                world.tool("odi-gateway", "cache", "purge")
        for name, page in (("painted", served), ("drawn", drawn), ("entered", entered)):
            world.shot(page, f"visual-{view}-{name}")
        world.check(found[0]["pixels"] <= most(width), f"{where}: what the server painted looks as the script draws it", found[0])
        world.check(found[1]["pixels"] <= most(width), f"{where}: it looks the same to whoever came from elsewhere", found[1])
