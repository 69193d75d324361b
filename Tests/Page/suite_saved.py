"""Marks: at once, taken back with a word, in every tab, kept while there is no network."""

import json
import re


def units(options):
    return [optimistic, two_tabs, overtaken, outbox, busy, lost, many]


def optimistic(world):
    with world.page(noise="403|500|Failed to load") as page:
        world.visit(page, "/")
        world.check(not page.context.cookies(), "looking leaves no cookie", page.context.cookies())
        mark = page.locator(".film .want").first
        page.route("**/v1/me/bookmarks/*", lambda r: r.fulfill(status=500, content_type="application/problem+json",
                                                              body=json.dumps({"title": "no", "status": 500})))
        mark.click()
        world.check(mark.get_attribute("aria-pressed") == "true" or world.wait(lambda: page.locator("#said p").count() > 0), "a mark shows at once")
        told = world.said(page)
        world.holds(page, lambda: mark.get_attribute("aria-pressed") == "false", "a refused mark is taken back")
        world.check(len(told) == 1 and "되돌렸" in told[0], "and the reason is said", told)
        page.unroute("**/v1/me/bookmarks/*")
        mark.click()
        world.said(page, "담았")
        page.locator(".tabs a[data-tab=bookmarks]").click()
        world.until(page, "document.querySelector('.saved-row')")
        world.check(page.locator(".saved-row").count() == 1, "what was marked is in the list")
        cookie = [c for c in page.context.cookies() if c["name"] in ("odi", "__Host-odi")]
        world.check(len(cookie) == 1 and cookie[0]["httpOnly"] and cookie[0]["sameSite"] == "Lax", "the session is a cookie no script reads", cookie)
        world.shot(page, "saved-one")


def two_tabs(world):
    with world.page(width=768) as first:
        world.visit(first, "/")
        first.locator(".film .want").first.click()
        world.said(first)
        second = first.context.new_page()
        second.goto("/bookmarks")
        world.settle(second)
        world.until(second, "document.querySelector('.saved-row')")
        second.evaluate("""new MutationObserver(() => { if (window.goneAt) return; const gone = document.querySelector('.saved-row.gone');
          if (gone || document.querySelector('.notice.empty')) { window.goneAt = Date.now(); window.moved ||= Boolean(gone); } })
          .observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true})""")
        # The best of some: one may meet a moment in which the machine does something else.
        took = []
        while len(took) < 4 and min(took, default=300) >= 300:
            if took:
                first.locator(".film .want").first.click()
                world.until(second, "document.querySelector('.saved-row:not(.gone)')")
                world.quiet(second)
            second.evaluate("window.goneAt = 0")
            at = first.evaluate("(document.querySelector('.film .want[aria-pressed=true]').click(), Date.now())")
            world.until(second, "window.goneAt")
            took.append(second.evaluate("window.goneAt") - at)
        world.check(min(took) < 300, "two tabs agree within 300 ms", took)
        world.check(second.evaluate("window.moved"), "a removed film leaves with a movement")
        world.until(second, "document.querySelector('.notice.empty')")
        world.check(True, "and the empty list says what to do")


def overtaken(world):
    """A list that was read before a mark arrives after it."""
    with world.page() as page:
        world.visit(page, "/")
        marks = [one.get_attribute("data-mark") for one in page.locator(".film .want").all()[:2]]
        module = "const b = await import(document.querySelector('meta[name=odi]').dataset.base + '/js/bookmarks.js');"
        page.evaluate(f"async mark => {{ {module} await b.toggle(mark); }}", marks[0])
        held = []
        page.route("**/v1/me/bookmarks?*", lambda route: held.append((route, route.fetch())))
        page.evaluate(f"async () => {{ {module} window.listing = b.list(); }}")
        world.wait(lambda: page.evaluate("1") and held)
        told = page.evaluate(f"async mark => {{ {module} return b.toggle(mark); }}", marks[1])
        world.check(told == "done", "the server knows the mark", told)
        for route, answer in held:
            route.fulfill(response=answer)
        on = page.evaluate(f"async marks => {{ {module} await window.listing; return marks.map(b.isWanted); }}", marks)
        world.check(on == [True, True], "a list that is older than a mark does not take it away", on)
        page.unroute_all(behavior="ignoreErrors")


def outbox(world):
    with world.page(noise="ERR_INTERNET_DISCONNECTED|Failed to load") as page:
        world.visit(page, "/")
        marks = page.locator(".film .want")
        for index in (1, 2):
            marks.nth(index).click()
            world.said(page, times=index)
        page.context.set_offline(True)
        marks.nth(0).click()
        marks.nth(2).click()
        world.until(page, "!document.getElementById('banner').hidden")
        world.holds(page, lambda: [marks.nth(n).get_attribute("aria-pressed") for n in range(3)] == ["true", "true", "false"],
                    "what is marked and unmarked without a network stays so")
        sent = []
        page.on("request", lambda r: sent.append(r.method) if "/me/bookmarks/" in r.url else None)
        page.context.set_offline(False)
        sends(world, page)
        world.check(sent == ["PUT", "DELETE"], "and is sent when there is one, in order", sent)
        saved, wanted = page.evaluate("fetch('/v1/me/bookmarks').then(r => r.json()).then(v => v.data.map(b => b.film_id).sort())"), \
            sorted(marks.nth(n).get_attribute("data-mark") for n in (0, 1))
        world.check(saved == wanted, "nothing is lost and nothing doubled", (saved, wanted))
        world.quiet(page)


def busy(world):
    """A server that is there cannot take a mark just now: it is sent once more by itself, as late as was asked for."""
    with world.page(lang="en", noise="503|401|Failed to load") as page:
        page.clock.install()
        # Nobody hears of anything, which would be a sign of life; and what is waited for is known.
        page.add_init_script("delete window.EventSource; const own = setTimeout; window.waits = [];"
                             " window.setTimeout = (doing, wait, ...more) => { waits.push(wait); return own(doing, wait, ...more); }")
        world.visit(page, "/")
        sent, takes = [], []

        def refuse(route):
            sent.append(route.request.method)
            if takes:
                return route.continue_()
            return route.fulfill(status=503, content_type="application/problem+json", headers={"Retry-After": "7"}, body=json.dumps({"title": "no", "status": 503}))
        page.route("**/v1/me/bookmarks/*", refuse)
        # By their names: films whose showings have begun meanwhile go to the end of the list.
        one, other = [page.locator(f".film .want[data-mark='{mark.get_attribute('data-mark')}']") for mark in page.locator(".film .want").all()[:2]]

        def comes(count, sentence):
            world.wait(lambda: page.evaluate("1") and len(sent) >= count)
            world.quiet(page)
            world.check(len(sent) == count, sentence, sent)
        one.click()
        comes(1, "a mark is sent")
        world.holds(page, lambda: page.evaluate("waits.filter(wait => wait === 7000).length") == 1, "and once more as late as the server asks for", lambda: page.evaluate("waits"))
        page.clock.fast_forward(7100)
        comes(2, "by itself")
        page.clock.fast_forward(600_000)
        comes(2, "after one more refusal nothing is sent until there is a sign of life")
        other.click()
        comes(3, "a new mark is one")
        takes.append(True)
        page.clock.fast_forward(7100)
        comes(5, "and what waited goes with it")
        sends(world, page)
        world.holds(page, lambda: page.locator("#banner").is_hidden(), "what waits no more is not told as waiting", lambda: page.locator("#banner").inner_text())


def lost(world):
    """The server takes a mark, its answer is lost, and the page is loaded anew before there is a network again."""
    with world.page(workers="allow", noise="ERR_|Failed to") as page:
        world.visit(page, "/")
        world.until(page, "navigator.serviceWorker?.controller !== null", 15)
        page.reload()
        world.settle(page)
        mark = page.locator(".film .want").first
        revisions = lambda: page.evaluate("fetch('/v1/me/bookmarks/changes?since=0').then(r => r.json()).then(v => [v.rev, v.data.length, v.data.filter(c => c.op === 'put').length])")
        for method, pressed, wanted in (("PUT", "true", [1, 1, 1]), ("DELETE", "false", [2, 1, 0])):
            taken = []

            def lose(route):
                taken.append((route.request.method, route.fetch().status))
                route.abort()
            page.route("**/v1/me/bookmarks/*", lose)
            mark.click()
            world.said(page)
            world.until(page, "localStorage.getItem('odi.outbox')")
            world.check(world.wait(lambda: page.evaluate("1") and taken) and taken[0][0] == method and taken[0][1] < 300, f"the server takes a {method} whose answer is lost", taken)
            page.context.set_offline(True)
            page.unroute("**/v1/me/bookmarks/*")
            page.reload()
            world.settle(page)
            world.until(page, "document.querySelector('.film .want')")
            world.check(mark.get_attribute("aria-pressed") == pressed, "loaded anew without a network the page knows what was meant", mark.get_attribute("aria-pressed"))
            page.context.set_offline(False)
            sends(world, page)
            world.check(revisions() == wanted, f"a {method} that arrives twice is one row and one revision", (revisions(), wanted))


def sends(world, page):
    """Nothing waits in the outbox any more."""
    world.until(page, "localStorage.getItem('odi.outbox') === null")


def many(world):
    """More than the page lists keep their marks, although it does not read them all."""
    with world.page(noise="404|Failed to load") as page:
        films = [f"film_of-{n}" for n in range(1150)]

        def part(route):
            start = int(re.search(r"cursor=(\d+)", route.request.url)[1]) if "cursor=" in route.request.url else 0
            data = [{"film_id": film, "film": {"id": film, "title": film}, "created_at": "2026-11-20T09:00:00Z", "rev": 1} for film in films[start:start + 100]]
            more = start + 100 < len(films)
            route.fulfill(status=200, content_type="application/json",
                          body=json.dumps({"data": data, "has_more": more, "next_cursor": str(start + 100) if more else None}))
        world.visit(page, "/settings")
        page.route("**/v1/me/bookmarks?*", part)
        page.evaluate("films => { localStorage.setItem('odi.session', 'true'); localStorage.setItem('odi.wanted', JSON.stringify([...films, 'film_removed'])); }", films)
        world.visit(page, "/bookmarks")
        world.until(page, "document.querySelectorAll('.saved-row').length === 1000")
        kept = lambda: set(page.evaluate("JSON.parse(localStorage.getItem('odi.wanted'))"))
        world.check(kept() >= set(films), "who saved more than are listed keeps all marks", len(kept()))
        films[100:] = []
        world.enter(page, "/settings")
        world.enter(page, "/bookmarks")
        world.holds(page, lambda: kept() == set(films), "where all are listed, what is not among them is not marked", lambda: len(kept()))
