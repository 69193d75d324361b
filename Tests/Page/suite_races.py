"""Choices that overtake each other, quick fingers, back and forward."""

import json


def units(options):
    return [newest_wins, numbered, one_sheet, back_and_forward]


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
