"""Choices that overtake each other, quick fingers, back and forward."""

import json


def units(options):
    return [newest_wins, numbered, one_sheet, back_and_forward, fading]


def newest_wins(world):
    with world.page(width=1280, noise="ERR_FAILED|ERR_ABORTED") as page:
        world.visit(page, "/")
        dates = page.evaluate("[...document.querySelectorAll('.day')].map(d => d.dataset.date)")
        first, second = dates[3], dates[4]
        held = []

        def answer(route):
            if f"date={first}" in route.request.url:
                held.append(route)
            else:
                route.continue_()
        page.route("**/showtimes?*", answer)
        page.locator(f".day[data-date='{first}']").click()
        world.wait(lambda: page.evaluate("1") and held)
        page.locator(f".day[data-date='{second}']").click()
        world.until(page, f"document.querySelector('.day[aria-current]').dataset.date === '{second}' && !document.querySelector('main .ghost')")
        # Seats and ages may change meanwhile.
        chosen = lambda: page.evaluate("[document.querySelector('.day[aria-current]').dataset.date, ...[...document.querySelectorAll('.near-main .film')].map(f => f.dataset.key)]")
        shown = chosen()
        for route in held:
            try:
                route.fulfill(status=200, content_type="application/json", body=json.dumps(
                    {"data": [{"film": {"id": "film_late", "title": "TOO LATE"}, "showtimes": []}], "has_more": False}))
            except Exception:
                pass  # the page took the question back: as good as it gets
        world.quiet(page)
        world.check("TOO LATE" not in page.locator("main").inner_text(), "a slow older answer never shows")
        world.check(chosen() == shown and len(shown) > 1, "the newest choice stays as it is", (chosen(), shown))
        page.unroute_all(behavior="ignoreErrors")
        # The same, with a server that ignores the cancelling: the page alone must hold the order.
        result = page.evaluate("""async () => {
          const base = document.querySelector('meta[name=odi]').dataset.base, api = await import(base + '/js/api.js');
          const real = window.fetch, waits = [800, 0]; let turn = 0;
          window.fetch = async (url) => { const n = turn++; await new Promise(r => setTimeout(r, waits[n])); return new Response(JSON.stringify({n})); };
          const pane = new api.Pane('test'), seen = [];
          const ask = () => pane.ask('/x').then(v => seen.push(v.n), e => seen.push(e.name));
          await Promise.all([ask(), ask()]); window.fetch = real; return seen; }""")
        world.check(result == [1, "AbortError"], "of two answers only the newer is taken, whatever their order", result)


def numbered(world):
    """On the way one question may overtake another: each says which it is, so that the older is the one that ends."""
    with world.page() as page:
        sent = []
        page.on("request", lambda r: sent.append((r.headers["x-odi-slot"], int(r.headers["x-odi-sequence"]))) if "x-odi-slot" in r.headers else None)
        world.visit(page, "/")
        film = page.locator(".film .want").first.get_attribute("data-mark")
        for path in ("/films/" + film, "/tonight", "/films/" + film):
            world.enter(page, path)
            world.settle(page)
        numbers = [number for _, number in sent]
        world.check(len(numbers) > 3 and all(a < b for a, b in zip(numbers, numbers[1:])), "questions are numbered", sent)
        slots = page.evaluate("""import(document.querySelector('meta[name=odi]').dataset.base + '/js/api.js')
          .then(api => [new api.Pane('film').slot, new api.Pane('film').slot])""")
        world.check(slots[0] != slots[1], "one film's page ends no question of another's", slots)


def one_sheet(world):
    with world.page() as page:
        world.visit(page, "/")
        page.evaluate("for (let i = 0; i < 5; i++) document.querySelector('.film .poster').click()")
        world.until(page, "document.querySelector('dialog.sheet[open] h1')")
        world.check(page.locator("dialog").count() == 1, "five quick taps open one sheet", page.locator("dialog").count())
        page.keyboard.press("Escape")
        world.until(page, "!document.querySelector('dialog')")
        world.holds(page, lambda: page.evaluate("location.pathname") == "/", "Escape closes the sheet and restores the address")


def back_and_forward(world):
    with world.page(width=390) as page:
        world.visit(page, "/")
        page.evaluate("scrollTo(0, 400)")
        world.painted(page)
        before = page.evaluate("scrollY")
        page.locator(".tabs a[data-tab=map]").click()
        world.until(page, "document.querySelector('.map-list a')")
        page.go_back()
        world.until(page, "document.querySelector('.film') && !document.querySelector('main .ghost')")
        world.check(world.wait(lambda: abs(page.evaluate("scrollY") - before) < 3), "back restores where one was", (before, page.evaluate("scrollY")))
        page.go_forward()
        world.until(page, "document.querySelector('.map-list a')")
        world.check(page.evaluate("location.pathname") == "/map", "forward goes forward again")
        page.go_back()
        title = page.locator(".film-title a").first
        title.click()
        world.until(page, "document.querySelector('dialog.sheet h1')")
        address = page.evaluate("location.pathname")
        page.reload()
        world.settle(page)
        world.until(page, "document.querySelector('.film-page h1')")
        world.check(page.evaluate("location.pathname") == address, "a film's address is its own", address)


# Counts what fades, and can hold the change back as long as a browser takes for its picture of what was there.
FADES = """() => {
  window.fades = 0;
  const real = document.startViewTransition.bind(document);
  document.startViewTransition = change => {
    fades++;
    if (!window.holds) return real(change);
    const held = Promise.withResolvers();
    window.late = () => { change(); held.resolve(); };
    return {ready: held.promise, finished: held.promise, updateCallbackDone: held.promise};
  }; }"""


def fading(world):
    """From view to view the page fades, and nobody's next choice waits for that or is lost to it."""
    with world.page(width=390, noise="ERR_ABORTED") as page:
        view = lambda: page.evaluate("document.querySelector('main').dataset.view")
        tab = lambda name: page.locator(f".tabs a[data-tab={name}]")
        world.visit(page, "/")
        page.evaluate(FADES)
        tab("map").click()
        world.until(page, "document.querySelector('.map-list a')")
        world.check(page.evaluate("fades") == 0, "who wants less motion sees no fading")
        page.emulate_media(reduced_motion="no-preference")
        tab("nearby").click()
        world.until(page, "document.querySelector('.film')")
        world.check(page.evaluate("fades") == 1, "another view fades in", page.evaluate("fades"))
        page.locator(".day").nth(3).click()
        world.until(page, "document.querySelectorAll('.day')[3].hasAttribute('aria-current')")
        world.check(page.evaluate("fades") == 1, "another day of the same view does not")
        # One fading that goes on as long as it likes: what lies below it takes presses.
        cdp = page.context.new_cdp_session(page)
        cdp.send("Animation.enable")
        cdp.send("Animation.setPlaybackRate", {"playbackRate": 0.001})
        box = tab("bookmarks").bounding_box()
        tab("map").click()
        world.until(page, "document.getAnimations().some(one => one.effect?.pseudoElement?.startsWith('::view-transition'))")
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        world.holds(page, lambda: view() == "bookmarks" and page.evaluate("location.pathname") == "/bookmarks", "while one view fades in, the next is chosen", lambda: (view(), page.url))
        cdp.send("Animation.setPlaybackRate", {"playbackRate": 1})
        # A browser that takes long for its picture: what was chosen after that stands, also when the picture is there.
        page.evaluate("holds = true")
        tab("map").click()
        world.until(page, "window.late")
        page.evaluate("holds = false")
        tab("tonight").click()
        world.until(page, "document.querySelector('main').dataset.view === 'tonight' && document.querySelector('main .tonight')")
        page.evaluate("late()")
        world.quiet(page)
        world.check(view() == "tonight" and page.locator("main .map-page").count() == 0 and page.evaluate("location.pathname") == "/tonight",
                    "an older choice that comes late changes nothing", (view(), page.url))
        # The same of one that went back: where one was then is not where one is now.
        page.evaluate("holds = true; late = null")
        page.go_back()
        world.until(page, "window.late")
        page.evaluate("holds = false")
        tab("nearby").click()
        world.until(page, "document.querySelector('main').dataset.view === 'nearby' && document.querySelector('.film')")
        page.evaluate("scrollTo(0, 300)")
        world.painted(page)
        at = page.evaluate("scrollY")
        page.evaluate("late()")
        world.quiet(page)
        world.check(view() == "nearby" and page.evaluate("scrollY") == at and at > 0, "nor does one that led back", (view(), at, page.evaluate("scrollY")))
