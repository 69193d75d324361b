"""Catalogues: complete, used, translated."""

import functools
import json
import os
import re

import told

from world import LANGUAGES

# Keys that are put together from a prefix and a value.
BUILT = ("about.", "door.script", "state.", "missing.", "place.", "keys.", "saved.", "attr.", "kind.", "theme.", "text.", "row.", "dinner.leave.", "dinner.away.", "tab.", "country.", "tonight.kind.", "radio.of.", "import.why.", "zone.", "status.why.")
PATHS = ("/", "/map", "/tonight", "/bookmarks", "/status", "/settings", "/search", "/discover", "/radio", "/festivals",
         f"/festivals/{told.FESTIVAL}", f"/festivals/{told.FESTIVAL}/door", f"/dinner/{told.SHOW}")


def units(options):
    return [catalogues, *(functools.partial(pseudo, paths=PATHS[half::2]) for half in (0, 1))]


def catalogues(world):
    web = os.path.join(world.options.root, "Services/Gateway/Web")
    texts = {}
    for lang in LANGUAGES:
        with open(f"{web}/i18n/{lang}.json", encoding="utf-8") as file:
            texts[lang] = json.load(file)
    keys = set(texts["ko"])
    for lang in LANGUAGES:
        world.check(set(texts[lang]) == keys, f"{lang} has the keys that ko has", set(texts[lang]) ^ keys)
    source = ""
    for folder, _, names in os.walk(web):
        for name in names:
            if name.endswith((".js", ".html")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    source += file.read()
    literal = {k for k in re.findall(r"\bt\('([\w.]+)'", source) if not k.endswith(".")}
    world.check(literal <= keys, "every text that is asked for exists", literal - keys)
    used = {k for k in keys if f"'{k}'" in source or "{{t:" + k + "}}" in source or k.startswith(BUILT)}
    world.check(used == keys, "every text is used", keys - used)
    for key in sorted(keys):
        forms = {}
        for lang in LANGUAGES:
            value = texts[lang][key]
            text = " ".join(value.values()) if isinstance(value, dict) else value if isinstance(value, str) else ""
            forms[lang] = set(re.findall(r"\{(\w+)\}", text))
            if isinstance(value, dict):
                world.check("other" in value, f"{lang} {key} has a form for any number")
        named = forms["ko"] | forms["ja"] | forms["en"]
        # A date may leave out what its language does not say; nothing may be made up.
        for lang in LANGUAGES:
            world.check(not named or forms[lang] <= named, f"{lang} {key} takes the same values", forms)


def pseudo(world, paths):
    """With the strange language, what is not in brackets was never translated."""
    with world.again(lang="en", width=1280, noise="404|503|ERR_") as page:
        page.goto("/settings?lang=xx")
        world.settle(page)
        told.tell(page)
        for path in paths:
            translated(world, page, path)


def translated(world, page, path):
    world.enter(page, path)
    world.until(page, "!document.querySelector('main .ghost')")
    plain = page.evaluate("""() => {
      const out = [], walk = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
      const data = '[lang], .film-title, .p-t, .p-y, .orig, .facts, .age, .card-n, .day-n, .chip-m, .vh, .address, .links, .source, .sum,'
        + ' .station, .radio h2, .kinds, .fgrid, .hero, .fest, .session, .place-h h2, .bar-e, option, .sched-h h2, .map, .map-n, .map-c, .small, .at, .asof a, .wall-t, time, b, kbd, .cinema h1, .status li';
      for (let n; n = walk.nextNode();) {
        const text = n.data.trim();
        if (text && /\\p{L}{3}/u.test(text) && !text.includes('~~]') && !n.parentElement.closest(data)) out.push(text);
      }
      return out; }""")
    world.check(not plain, f"everything on {path} is translated", plain[:8])
    holes = page.evaluate("document.body.innerText.match(/⟦.*?⟧/g)")
    world.check(not holes, f"no text is missing on {path}", holes)
