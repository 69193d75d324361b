"""Answers that lack a part, because a service could not give it in time: what came is shown, the rest is said to lack, asked for
again by itself, later each time and only where somebody looks, and then by hand. Nothing is called nothing meanwhile."""

import json
from urllib.parse import quote

PART = "document.querySelector('.notice.part')"
NOTHING = "document.querySelectorAll('.notice.empty').length"
FIRST, SECOND, THIRD = 1600, 4100, 10_100


def units(options):
    return [heals, is_left, is_seen, keeps_what_came, is_old, by_itself]


def films(page):
    """A title that cinemas print, and its film."""
    near = page.request.get("/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days,showtimes&lang=en").json()["data"]
    film = next(row["film"] for cinema in near for row in cinema.get("films") or [] if row.get("film"))
    return film["title"], film["id"]


def lacking(page, path, parts):
    """Answers of a path lack these parts, and what is of them, unless they were asked for when `whole` held something: a slow
    machine may have asked again by then. What was asked, and `whole`."""
    asked, whole = [], []

    def answer(route):
        lacks = not whole
        asked.append(route.request.url)
        fetched = route.fetch()
        if not lacks:
            return route.fulfill(response=fetched)
        body = fetched.json()
        body["data"] = [one for one in body["data"] if one.get("type") not in parts and one.get("id") not in parts]
        return route.fulfill(response=fetched, body=json.dumps({**body, "missing": parts}))
    page.route(path, answer)
    return asked, whole


def later(world, page, milliseconds, asked, count):
    """So much later it was asked for so often, at least: the page's clock goes on by itself too. The answer is there then, for
    with it the next wait begins."""
    page.clock.fast_forward(milliseconds)
    came = world.wait(lambda: page.evaluate("1") and len(asked) >= count)
    world.quiet(page)
    return came


def heals(world):
    with world.page(lang="en", width=1280) as page:
        page.clock.install()
        title, film = films(page)
        asked, whole = lacking(page, "**/v1/search?*", ["film", "catalogue"])
        page.goto("/search?q=" + quote(title))
        world.until(page, PART)
        world.check(page.evaluate(NOTHING) == 0, "where a part is missing, a search does not say that there is nothing", page.locator("main").inner_text())
        world.check("not come" in page.locator(".notice.part").inner_text() and page.locator(".notice.part button").count() == 1,
                    "it says that a part has not come, and offers to ask again", page.locator("main").inner_text())
        world.axe(page, "a search that lacks a part")
        world.shot(page, "search-missing")
        world.check(later(world, page, FIRST, asked, 2), "it is asked for again by itself", asked)
        world.until(page, PART)
        world.check(page.evaluate(NOTHING) == 0, "and again not called nothing")
        whole.append(True)
        world.check(later(world, page, SECOND, asked, 3), "and once more, later", asked)
        # One that was on its way when the rest came was the last that lacks.
        page.clock.fast_forward(THIRD)
        world.until(page, f"document.querySelector('.hits a[href=\"/films/{film}\"]') && !{PART}")
        count = len(asked)
        page.clock.fast_forward(600_000)
        world.quiet(page)
        world.check(count <= 4 and len(asked) == count, "what came then is shown, and no more is asked", asked)


def is_left(world):
    with world.page(lang="ko", width=390) as page:
        page.clock.install()
        title, film = films(page)
        asked, whole = lacking(page, "**/v1/search?*", ["film", "catalogue"])
        page.goto("/search?q=" + quote(title))
        world.until(page, PART)
        for turn, wait in enumerate((FIRST, SECOND, THIRD)):
            later(world, page, wait, asked, turn + 2)
        page.clock.fast_forward(600_000)
        world.quiet(page)
        world.check(len(asked) == 4, "after three times nobody asks any more", len(asked))
        world.check("답이 오지 않아요" in page.locator(".notice.part").inner_text(), "and this is told", page.locator(".notice.part").inner_text())
        page.locator(".notice.part button").click()
        world.check(world.wait(lambda: page.evaluate("1") and len(asked) == 5), "by hand it is asked for at once", len(asked))
        world.quiet(page)
        whole.append(True)
        page.locator(".notice.part button").click()
        world.until(page, f"document.querySelector('.hits a[href=\"/films/{film}\"]') && !{PART}")
        world.check(True, "and shown when it came")


def is_seen(world):
    with world.page(lang="ja", width=768) as page:
        page.clock.install()
        title, _ = films(page)
        asked, whole = lacking(page, "**/v1/search?*", ["film", "catalogue"])
        page.add_init_script("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
        page.goto("/search?q=" + quote(title))
        world.until(page, PART)
        whole.append(True)
        page.clock.fast_forward(600_000)
        world.quiet(page)
        world.check(len(asked) == 1, "where nobody looks nothing is asked", asked)
        page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
        world.until(page, f"document.querySelector('.hits') && !{PART}")
        world.check(len(asked) == 2, "until somebody looks again", asked)


def keeps_what_came(world):
    with world.page(lang="en", width=390, noise="404") as page:
        page.clock.install()
        asked, whole = lacking(page, "**/v1/home?*", ["near_you", "classics"])
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/discover")
        world.until(page, f"{PART} && document.querySelector('.rail li')")
        ids = page.evaluate("[...document.querySelectorAll('.row .rail')].map(row => row.dataset.key)")
        world.check(ids and "classics" not in ids, "the rows that came are there", ids)
        box = page.locator(".notice.part").bounding_box()
        world.check(box["y"] + box["height"] <= 844, "and that one is lacking is seen without scrolling", box)
        world.axe(page, "rows of which some lack")
        world.shot(page, "discover-missing")
        whole.append(True)
        # By itself if tries are left on this machine, else by hand.
        page.clock.fast_forward(THIRD)
        world.quiet(page)
        page.evaluate("document.querySelector('.notice.part button')?.click()")
        world.until(page, f"document.querySelector('.rail[data-key=classics]') && !{PART}")
        now = page.evaluate("[...document.querySelectorAll('.row .rail')].map(row => row.dataset.key)")
        world.check([one for one in now if one in ids] == ids, "the rest takes its place, while the others stay", now)


def is_old(world):
    """A whole answer of before, because nobody could give a new one: it is shown, and a new one asked for."""
    with world.page(lang="en", width=1280) as page:
        page.clock.install()
        asked, fresh = [], []

        def answer(route):
            is_old = not fresh
            asked.append(route.request.url)
            fetched = route.fetch()
            if not is_old or not fetched.ok:
                return route.fulfill(response=fetched)
            body = {"stale": True, "stale_as_of": "2026-11-20T00:00:00Z", **fetched.json()}
            return route.fulfill(response=fetched, body=json.dumps(body))
        page.route("**/v1/home?*", answer)
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/discover")
        world.until(page, f"document.querySelector('.rail li') && !{PART}")
        world.check(later(world, page, FIRST, asked, 2), "what is old is asked for again by itself", asked)
        fresh.append(True)
        world.check(later(world, page, SECOND, asked, 3), "and once more, later", asked)
        # One that was on its way when the new one came was the last that is old.
        page.clock.fast_forward(THIRD)
        world.quiet(page)
        count = len(asked)
        page.clock.fast_forward(600_000)
        world.quiet(page)
        world.check(count <= 4 and len(asked) == count, "what is new is not", asked)


def by_itself(world):
    """The same with a service that really does not answer for a while."""
    if not world.owns:
        print("  (no ODI_BIN: no service is made to fail)")
        return
    with world.page(lang="en", width=1280) as page:
        # A film of the catalogue alone: no cinema knows it.
        classic = page.request.get("/v1/films?list=classics&limit=1&lang=en").json()["data"][0]
        film = classic.get("film", classic)
        page.goto("/settings")
        world.settle(page)
        try:
            world.tool("odi-films", "fault", "set", "SearchCatalogue", "--fail", "unavailable", "--for", "1m")
            world.enter(page, "/search?q=" + quote(film["title"]))
            world.until(page, PART, 15)
            world.check(page.evaluate(NOTHING) == 0, "without the catalogue a search says what it lacks", page.locator("main").inner_text())
        finally:
            world.tool("odi-films", "fault", "clear")
        world.until(page, f"document.querySelector('.hits a[href=\"/films/{film['id']}\"]') && !{PART}", 30)
        world.check(True, "and finds it when the catalogue is back, without a hand")
