"""Without a pointer: everything is reached, seen and left again."""

import functools
import json

import told

PATHS = ("/", "/map", "/tonight", "/status", "/settings", "/search", "/discover", "/radio", f"/festivals/{told.FESTIVAL}", f"/dinner/{told.SHOW}")


def units(options):
    return [*(functools.partial(walks, paths=PATHS[half::2], width=width) for width in (390, 1280) for half in (0, 1)), rows, strip, map_keys, clusters, letters, film_keys, suggestions]


def walks(world, paths, width):
    """One view after the other in one page."""
    with world.again(width=width, noise="404|503|ERR_") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        for path in paths:
            walk(world, page, path, f"{path} at {width}")


def walk(world, page, path, where):
    world.enter(page, path)
    # What comes later would be more to reach.
    world.settle(page)
    # The page notes what has the focus when the key comes up again: by then it has scrolled.
    wanted = page.evaluate("""() => {
      const all = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')];
      const usable = all.filter(e => e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true}) && !e.disabled
        && !(e.type === 'radio' && !e.checked));
      document.querySelectorAll('*').forEach(e => { delete e.walked; });
      usable.forEach((e, i) => e.walked = i);
      if (!window.steps) addEventListener('keyup', () => {
        const e = document.activeElement;
        if (!e || e === document.body) { steps.push(null); return; }
        const r = e.getBoundingClientRect(), s = getComputedStyle(e), next = e.nextElementSibling ? getComputedStyle(e.nextElementSibling) : s;
        const x = Math.min(innerWidth - 2, Math.max(1, r.x + r.width / 2)), y = Math.min(innerHeight - 2, Math.max(1, r.y + r.height / 2));
        const top = document.elementFromPoint(x, y);
        steps.push({walk: e.walked ?? null, name: e.outerHTML.slice(0, 120), ring: s.outlineStyle !== 'none' || next.outlineStyle !== 'none',
          covered: !(top && (e.contains(top) || top.contains(e) || e.type === 'radio')), inside: r.bottom > 0 && r.top < innerHeight});
      }, true);
      window.steps = [];
      // From the page's beginning: past its end the browser leads round it after the key came up, when nothing is noted.
      document.body.tabIndex = -1;
      document.body.focus();
      document.body.removeAttribute('tabindex');
      return usable.length; }""")
    seen, hidden, unseen, pressed = set(), [], [], 0
    while len(seen - {None}) < wanted and pressed < wanted + 12:
        for _ in range(min(20, wanted + 12 - pressed)):
            page.keyboard.press("Tab")
            pressed += 1
        for at in page.evaluate("steps.splice(0)"):
            if at is None:
                continue
            seen.add(at["walk"])
            if at["covered"] or not at["inside"]:
                hidden.append(at["name"])
            if not at["ring"]:
                unseen.append(at["name"])
    # What went meanwhile, as a showing that has begun, is not waited for.
    left = set(page.evaluate("[...document.querySelectorAll('*')].filter(e => e.walked !== undefined).map(e => e.walked)"))
    world.check(len(left) > wanted / 2 and left <= seen, f"{where}: Tab reaches everything", f"{len(seen)} of {wanted}, not {left - seen}")
    world.check(not hidden, f"{where}: what has the focus is in sight", hidden[:3])
    world.check(not unseen, f"{where}: the focus can be seen", unseen[:3])
    small = page.evaluate("""() => [...document.querySelectorAll('main a[href], main button, .tabs a')].filter(e => e.checkVisibility() && e.tabIndex >= 0)
      .filter(e => { const r = e.getBoundingClientRect(); return (r.height < 24 || r.width < 24) && !e.closest('p, h1, h2, h3, .links, .asof, dd'); }).map(e => e.outerHTML.slice(0, 100))""")
    world.check(not small, f"{where}: targets are at least 24 pixels", small[:3])


def rows(world):
    """What is cut off at the end of its row is seen whole by whoever comes to it with a key."""
    with world.page(width=390) as page:
        world.visit(page, "/tonight?within=720")
        page.locator(".more summary").click()
        pills = page.locator(".filters a")
        # A row that ends within one of its links, so that a browser takes it to be in sight.
        n, end = pills.evaluate_all("""all => { const n = all.findIndex(e => e.getBoundingClientRect().x > 290 && e.offsetWidth > 40);
          return [n, all[n].getBoundingClientRect().x + 36 + innerWidth - document.documentElement.clientWidth]; }""")
        page.set_viewport_size({"width": int(end), "height": 844})
        pills.nth(n - 1).focus()
        for key, at in (("Tab", n), ("Shift+Tab", n - 1)):
            page.keyboard.press(key)
            told = pills.nth(at).evaluate("e => { const {left, right} = e.getBoundingClientRect(); return [document.activeElement === e, left, right, document.documentElement.clientWidth]; }")
            world.check(told[0] and told[1] >= 0 and told[2] <= told[3], f"{key} shows a link of a row whole", told)


def strip(world):
    with world.page() as page:
        world.visit(page, "/")
        page.locator(".day[tabindex='0']").focus()
        dates = page.evaluate("[...document.querySelectorAll('.day')].map(d => d.dataset.date)")
        at = lambda: page.evaluate("document.activeElement.dataset.date")
        for key, index in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", len(dates) - 1), ("Home", 0), ("PageDown", 7), ("PageUp", 0)):
            page.keyboard.press(key)
            world.check(at() == dates[index], f"{key} moves in the strip of days", at())
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        world.until(page, f"document.querySelector('.day[aria-current]').dataset.date === '{dates[1]}'")
        world.check(at() == dates[1], "the focus stays on the day that was chosen", at())
        world.check(f"date={dates[1]}" in page.evaluate("location.search"), "the address has the day")
        page.keyboard.press("]")
        world.check(world.wait(lambda: page.locator(".card").nth(1).get_attribute("aria-current") == "true"), "] goes to the next cinema")


def map_keys(world):
    with world.page(width=1280) as page:
        world.visit(page, "/map")
        world.until(page, "document.querySelector('.map .land')?.getAttribute('d')?.length > 1000")
        page.locator(".map-box").focus()
        view = lambda: page.evaluate("document.querySelector('.map > g').getAttribute('transform')")
        for key in ("ArrowRight", "ArrowDown", "+", "-", "0"):
            before = view()
            page.keyboard.press(key)
            world.check(world.wait(lambda: view() != before), f"{key} moves the map")
        page.locator(".pin").first.focus()
        names = page.evaluate("[...document.querySelectorAll('.map-list .map-n')].map(n => n.textContent)")
        order = page.evaluate("[...document.querySelectorAll('.pin:not(.many)')].map(p => p.getAttribute('aria-label').split(',')[0])")
        world.check(len(order) > 1 and [n for n in names if n in order] == order, "Tab goes through the marks in the list's order", order[:6])
        page.keyboard.press("Tab")
        world.check(page.evaluate("document.activeElement.matches('.pin') && document.activeElement !== document.querySelector('.pin')"), "from one mark to the next")
        for _ in range(9):
            page.keyboard.press("ArrowLeft")
            world.painted(page)
        world.check(page.evaluate("document.activeElement.closest('.map-box') !== null"), "a mark that leaves the map leaves the keys to it")
        world.visit(page, "/map")
        world.until(page, "document.querySelector('.pin:not(.many)')")
        one = page.locator(".pin:not(.many)").first
        label = one.get_attribute("aria-label").split(",")[0]
        one.focus()
        page.keyboard.press("Enter")
        world.until(page, "document.querySelector('.map-side .strip')")
        world.holds(page, lambda: label in page.locator(".map-side h2").first.inner_text(), "Enter on a mark opens its cinema", lambda: label)
        world.holds(page, lambda: page.evaluate("document.activeElement.matches('.pin.chosen')"), "and stays on it")
        world.quiet(page)
        world.axe(page, "a map with a chosen mark")
        page.locator("[data-do=all]").click()
        world.until(page, "document.querySelector('.map-list a')")
        page.locator(".map-box").focus()
        page.keyboard.press("Escape")
        world.check(page.evaluate("document.activeElement.closest('.map-list') !== null"), "Escape leaves the map for the list")
        first = page.locator(".map-list a").first
        name = first.locator(".map-n").inner_text()
        page.keyboard.press("Enter")
        world.until(page, "document.querySelector('.map-side .film')")
        world.holds(page, lambda: name in page.locator(".map-side").inner_text(), "a cinema of the list opens its programme")
        world.holds(page, lambda: page.locator(".pin.chosen").count() == 1, "and is marked on the map")


def clusters(world):
    """Cinemas that would touch are one mark with their number; pressed, it comes nearer until they part."""
    with world.page(width=1280) as page:
        world.visit(page, "/map")
        world.until(page, "document.querySelector('.map .land')?.getAttribute('d')?.length > 1000")
        page.locator(".map-box").focus()
        page.keyboard.press("0")
        world.until(page, "document.querySelector('.pin.many')")
        marks = lambda: page.evaluate("[...document.querySelectorAll('.pin')].map(p => [p.dataset.pins.split(' '), p.querySelector('text:not(.name)')?.textContent ?? '1'])")
        world.check(all(str(len(pins)) == number for pins, number in marks()), "a mark has the number of its cinemas", marks())
        # With the focus on it, + comes nearer to it, and - leaves the focus to the mark that takes it in.
        held = page.evaluate("""() => { const all = [...document.querySelectorAll('.pin.many[tabindex="0"]')];
          const middle = (p) => { const r = p.querySelector('.body').getBoundingClientRect(), b = document.querySelector('.map-box').getBoundingClientRect(); return Math.hypot(r.x + r.width / 2 - b.x - b.width / 2, r.y + r.height / 2 - b.y - b.height / 2); };
          const far = all.sort((a, b) => middle(b) - middle(a))[0]; far.focus(); return far.dataset.pins.split(' '); }""")
        where = f"(() => {{ const p = document.querySelector('.pin[data-pins~=\"{held[0]}\"]')?.getBoundingClientRect(), b = document.querySelector('.map-box').getBoundingClientRect(); return p && p.x > b.x && p.right < b.right && p.y > b.y && p.bottom < b.bottom; }})()"
        for key in ("+", "+", "-", "-", "-"):
            before = page.evaluate("document.querySelector('.map > g').getAttribute('transform')")
            page.keyboard.press(key)
            world.until(page, f"document.querySelector('.map > g').getAttribute('transform') !== '{before}'")
            world.painted(page)
            world.check(page.evaluate(where), f"{key} at a mark keeps that mark on the map", held)
            world.check(page.evaluate(f"document.activeElement.matches('.pin[data-pins~=\"{held[0]}\"]')"), f"{key} at a mark keeps the focus on it", page.evaluate("document.activeElement.outerHTML.slice(0, 200)"))
        page.keyboard.press("0")
        world.painted(page)
        named = [pin for pins, _ in marks() for pin in pins]
        world.check(len(named) == len(set(named)), "every cinema is in one mark", len(named))
        crowd = max((pins for pins, _ in marks()), key=len)
        apart = lambda: sum(1 for pins, _ in marks() if set(pins) & set(crowd))
        for step in range(12):
            before = page.evaluate("document.querySelector('.map > g').getAttribute('transform')")
            mark = page.locator(f".pin.many[data-pins~='{crowd[0]}']")
            if apart() > 1 or not mark.count():
                break
            mark.click()
            world.until(page, f"document.querySelector('.map > g').getAttribute('transform') !== '{before}'")
            world.painted(page)
        together = max((len(set(pins) & set(crowd)) for pins, _ in marks()), default=0)
        world.check(together < len(crowd), "pressing it comes nearer, and its cinemas part", marks()[:6])
        page.keyboard.press("0")


def film_keys(world):
    """b marks, o books, i takes into a calendar: of the film that is looked at."""
    with world.page(width=1280, noise="404") as page:
        near = page.request.get("/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days").json()["data"][0]
        films = page.request.get(f"/v1/cinemas/{near['id']}/showtimes?date={near['days'][1]['date']}").json()["data"]
        film = next(group["film"]["id"] for group in films if group.get("film") and any(show.get("booking_url") for show in group["showtimes"]))
        page.add_init_script("window.opened = []; window.open = (...what) => { opened.push(what); return null; }")
        world.visit(page, "/films/" + film)
        world.until(page, "document.querySelector('.film-page .want')")
        world.quiet(page)
        for state in ("true", "false"):
            page.keyboard.press("b")
            world.until(page, f"document.querySelector('.film-page .want').getAttribute('aria-pressed') === '{state}'")
        world.check(True, "b marks a film, and unmarks it")
        page.keyboard.press("o")
        shows = [s.get("booking_url") for s in page.request.get(f"/v1/films/{film}?include=showtimes&near=37.571,126.976").json()["showtimes"]]
        world.check(world.wait(lambda: page.evaluate("opened.length")) and page.evaluate("opened[0][0]") in shows and "noopener" in page.evaluate("opened[0][2]"),
                    "o opens the booking of a showing, which learns nothing of this page", (page.evaluate("opened"), shows))
        with page.expect_download() as waiting:
            page.keyboard.press("i")
        world.check(waiting.value.url.endswith(".ics"), "i takes the next showing into a calendar", waiting.value.url)


def letters(world):
    with world.page(width=1280, noise="404") as page:
        told.tell(page)
        world.visit(page, "/")
        for keys, path in ((("g", "m"), "/map"), (("g", "d"), "/discover"), (("g", "f"), "/festivals"), (("g", "r"), "/radio"), (("g", "b"), "/bookmarks"), (("g", "t"), "/tonight"), (("g", "n"), "/"), (("/",), "/search")):
            there = lambda: page.evaluate("location.pathname") == path
            # The second key belongs to the first for a second and a half: a machine that takes longer is no person.
            for _ in range(5):
                for key in keys:
                    page.keyboard.press(key)
                if world.wait(there, 4):
                    break
            world.check(there(), f"{' '.join(keys)} goes to {path}")
        world.check(world.wait(lambda: page.evaluate("document.activeElement.id") == "q"), "/ leads into the search field")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        world.until(page, "document.querySelector('dialog.help[open]')")
        told_keys = set(page.locator("dialog.help kbd").all_inner_texts())
        world.check({"/", "b", "o", "i", "s", "k", "m", "t", "[", "]", "0"} <= told_keys, "the help names every key", sorted(told_keys))
        world.axe(page, "the help")
        page.keyboard.press("Escape")
        world.holds(page, lambda: page.locator("dialog").count() == 0, "? explains the keys, Escape closes that")
        page.goto("/settings")
        world.settle(page)
        page.locator("[data-on-change=keys]").uncheck()
        page.locator("h1").click()
        page.keyboard.press("/")
        world.painted(page)
        world.check(page.evaluate("location.pathname") == "/settings", "single keys can be switched off")


def suggestions(world):
    """The search field as a combobox: the focus stays in it, arrows walk the list, and the list can be ignored."""
    with world.page(lang="en", width=1280, noise="404") as page:
        asked = []
        guesses = [{"text": "The Lighthouse", "type": "film", "id": "film_none"}, {"text": "Lighthouse Cinema", "type": "cinema", "id": "none"},
                   {"text": "Festival of Light", "type": "festival", "id": "light"}, {"text": "Lee Light", "type": "person", "id": "lee-light"}]

        def suggest(route):
            asked.append(route.request.url)
            route.fulfill(status=200, content_type="application/json", body=json.dumps({"data": guesses, "has_more": False, "next_cursor": None}))
        page.route("**/v1/suggest**", suggest)
        world.visit(page, "/search")
        field = page.locator("#q")
        state = lambda: page.evaluate("""(f => ({focus: document.activeElement === f, open: f.ariaExpanded, active: f.getAttribute('aria-activedescendant'),
          chosen: [...document.querySelectorAll('#q-list [aria-selected=true]')].map(o => o.id), shown: document.querySelector('#q-list').checkVisibility()}))(document.getElementById('q'))""")
        world.check(field.get_attribute("role") == "combobox" and state()["open"] == "false" and not state()["shown"], "an empty field is a closed combobox", state())
        # All five letters within one turn of the page: how fast a machine types is no question to it.
        page.evaluate("""() => { const field = document.getElementById('q'); field.focus();
          for (const letter of 'light') { field.setRangeText(letter, field.value.length, field.value.length, 'end'); field.dispatchEvent(new InputEvent('input', {bubbles: true, data: letter})); } }""")
        world.until(page, "document.querySelectorAll('#q-list [role=option]').length === 4")
        now = state()
        world.check(now["focus"] and now["open"] == "true" and now["active"] is None and now["shown"], "who types gets a list, and none of it is chosen", now)
        world.check(len(asked) == 1, "what is typed at once is asked for once", asked)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        now = state()
        world.check(now["focus"] and now["active"] == "q-1" and now["chosen"] == ["q-1"], "arrows choose, and the focus stays in the field", now)
        world.axe(page, "the search field with its list")
        world.shot(page, "search-suggestions")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        world.check(state()["active"] is None, "before the first is the field itself", state())
        page.keyboard.press("ArrowUp")
        world.check(state()["active"] == "q-3", "and before that the last")
        page.keyboard.press("Escape")
        now = state()
        world.check(now["open"] == "false" and not now["shown"] and now["focus"] and field.input_value() == "light", "Escape closes the list and nothing else", now)
        page.keyboard.press("Escape")
        world.check(not state()["focus"], "and then leaves the field")
        field.focus()
        page.keyboard.press("End")
        page.keyboard.type("h")
        world.until(page, "document.querySelectorAll('#q-list [role=option]').length === 4")
        page.keyboard.press("Enter")
        world.until(page, "document.getElementById('q').ariaExpanded === 'false'")
        world.holds(page, lambda: page.evaluate("location.pathname + location.search") == "/search?q=lighth", "Enter without a choice looks for what was typed", lambda: page.url)
        page.keyboard.type("o")
        world.until(page, "document.querySelectorAll('#q-list [role=option]').length === 4")
        page.keyboard.press("Tab")
        world.until(page, "document.getElementById('q').ariaExpanded === 'false'")
        world.check(True, "the list closes when the focus goes on")
        field.focus()
        page.keyboard.press("End")
        page.keyboard.type("u")
        world.until(page, "document.querySelectorAll('#q-list [role=option]').length === 4")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        world.check(world.wait(lambda: page.evaluate("location.pathname + location.search") == "/discover?person=lee-light"), "Enter goes where the chosen one leads", page.url)
        page.goto("/search")
        world.settle(page)
        field.press_sequentially("light")
        world.until(page, "document.querySelectorAll('#q-list [role=option]').length === 4")
        page.locator("#q-1").click()
        world.check(world.wait(lambda: page.evaluate("location.pathname") == "/cinemas/none"), "and a press does the same", page.url)
