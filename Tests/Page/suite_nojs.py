"""Without script: the programme can be read, its links lead somewhere, machines find it too."""

import functools
import json

from suite_budgets import OBSERVE, SHIFT
from world import LANGUAGES, SIZES


def units(options):
    return [readable, machines, *(functools.partial(painted, lang=lang, turn=turn) for turn, lang in enumerate(LANGUAGES))]


def readable(world):
    with world.page(script=False, noise="404") as page:
        answer = page.goto("/")
        world.check(answer.status == 200, "the page comes")
        world.check(page.locator(".card").count() == 3, "three cinemas are there", page.locator(".card").count())
        world.check(page.locator(".day").count() == 14, "and fourteen days", page.locator(".day").count())
        world.check(page.locator(".chip").count() > 0 or page.locator(".notice.empty").count() == 1, "and times, or why there are none")
        world.check(page.locator(".js:visible").count() == 0, "what needs script is not offered")
        world.follow(page, page.locator(".card").nth(1))
        world.check("cinema=" in page.url and page.locator(".card").nth(1).get_attribute("aria-current") == "true", "a cinema can be chosen")
        days = page.locator(".day:not(.off):not(.unknown)")
        world.follow(page, days.nth(min(2, days.count() - 1)))
        world.check("date=" in page.url and page.locator(".film").count() > 0, "a day can be chosen", page.url)
        film = page.locator(".film-title a").first
        title = film.inner_text()
        world.follow(page, film)
        heading = page.locator("h1").inner_text()
        world.check("/films/" in page.url and heading == title, "a film has a page", (page.url, title, heading))
        world.check(page.locator(".by-day .chip").count() > 0, "with its showings")
        world.follow(page, page.locator(".by-day .at a").first)
        world.check("/cinemas/" in page.url and page.locator(".film").count() + page.locator(".notice").count() > 0, "a cinema has a page", page.url)
        page.goto("/discover")
        world.check(page.locator(".row .wall-a").count() > 3 and page.locator(".hero h2 a").count() == 1, "discover has its rows")
        world.follow(page, page.locator(".row .wall-a").first)
        world.check("/films/" in page.url and page.locator("h1").count() == 1, "whose films have pages", page.url)
        page.goto("/map")
        world.check(page.locator(".map-list a").count() > 20 and not page.locator(".map-box").is_visible(), "the map is the list that stands beside it")
        world.follow(page, page.locator(".map-list a").first)
        world.check("/cinemas/" in page.url and page.locator(".strip").count() == 1, "whose cinemas have pages", page.url)
        page.goto("/search")
        page.locator("#q").fill("괴물")
        with page.expect_navigation():
            page.locator("#q").press("Enter")
        world.check(page.locator(".hits a[href^='/films/']").count() > 0 and page.locator("#q").input_value() == "괴물", "a search is asked and answered", page.url)
        page.goto("/status")
        world.check(page.locator(".sources .state").count() > 20, "sources say how they are")
        page.goto("/bookmarks")
        world.check(page.locator("noscript .notice, .saved .notice").count() == 1 and page.locator(".saved .btn").is_visible(), "what was saved says what it needs, and where else to go")
        world.check(page.goto("/films/film_none").status == 404, "a film that is none is 404")
        for lang, word in (("ja", "近く"), ("en", "Near"), ("ko", "근처")):
            page.goto("/?lang=" + lang)
            world.check(word in page.locator("h1").first.inner_text() and page.locator("html").get_attribute("lang") == lang, f"it speaks {lang}")


def machines(world):
    with world.page(script=False) as page:
        page.goto("/")
        blocks = [json.loads(b) for b in page.locator("script[type='application/ld+json']").all_inner_texts()]
        things = [t for b in blocks for t in (b.get("@graph") or [b])]
        kinds = {t["@type"] for t in things}
        world.check({"MovieTheater", "ScreeningEvent"} <= kinds, "the page says what it shows in schema.org's words", kinds)
        for event in (t for t in things if t["@type"] == "ScreeningEvent"):
            world.check(all(k in event for k in ("name", "startDate", "location", "workPresented")), "a screening has name, start, place and film", event)


# Views and what of them must be there before they are compared: four in each language, the others in turn.
ALWAYS = (("/", ".near"), ("/discover", ".row"), ("/tonight?within=720", ".evening > li:not(.ghost), .notice"),
          ("/tonight?within=720&cinemas={cinema},none", ".evening > li:not(.ghost), .notice"))
IN_TURN = (("/tonight?within=4&walk=601&cinemas=-odd&with=Subtitled&genre=odd", ".evening > li:not(.ghost), .notice"),
           ("/tonight?utm=a&within=720&within=60&cinemas=Bad!ID,{cinema}&with=G%20V,gv&genre=odd!&until=&free=", ".evening > li:not(.ghost), .notice"),
           ("/?utm=a&date=a%20b&date=2026-01-01&cinema=%3Cb%3E&at=37.498,127.028,%20", ".near"), ("/festivals", ".fest"), ("/festivals/{festival}?view=list", ".session, .notice"), ("/festivals/{festival}/sessions/{session}", "article"),
           ("/festivals/{festival}?view=list&screen={screen}", ".session"),
           ("/dinner/{show}", ".places > li:not(.ghost)"), ("/dinner/{show}?mode=after&walk=20", ".places > li:not(.ghost), .notice"),
           ("/map", ".map-list li:not(.ghost)"), ("/status", ".sources li:not(.ghost)"), ("/search?q=lee", ".hits li:not(.ghost)"), ("/search?q=seoul", ".hits li:not(.ghost)"), ("/search?q=%EA%B4%B4%EB%AC%BC", ".hits li:not(.ghost)"), ("/search?q=zzzqqq", ".notice"), ("/search", ".pad"),
           ("/radio", ".station:not(.ghost)"), ("/plans/{plan}", "article"), ("/films/{film}", ".film-head h1"), ("/discover?person={person}", ".wall-a"), ("/cinemas/{cinema}", ".strip"))

# Views that the script alone fills or draws more of, and the grid, which it puts where the server painted the list.
DRAWN = ("/map", "/tonight", "/search", "/bookmarks", "/status", "/settings", "/festivals/{festival}")


IDS = {}


def known(page):
    """Ids that this suite has: a showing with places to eat around it, a plan of it, a festival and what it begins with."""
    ask = lambda path: page.request.get("/v1/" + path).json()
    near = ask("cinemas/nearby?lat=37.571&lon=126.976&include=days,showtimes")["data"]
    day = near[0]["days"][1]["date"]
    films = ask(f"cinemas/{near[0]['id']}/showtimes?date={day}")["data"]
    shows = sorted((s for f in films for s in f["showtimes"]), key=lambda s: s["starts_at"])
    show = next(s for s in reversed(shows) if ask(f"showtimes/{s['id']}/dinner?mode=before&walk_max_min=10&eat_min=60").get("data"))
    place = ask(f"showtimes/{show['id']}/dinner")["data"][0]["restaurant"]["id"]
    headers = {"X-Odi-Request": "1"}
    page.request.post("/v1/sessions", headers=headers, data={})
    plan = page.request.post("/v1/me/plans", headers=headers, data={"showtime_id": show["id"], "restaurant_id": place, "note": "2층에서 봐"}).json()
    festival = ask("festivals")["data"][0]
    sessions = ask(f"festivals/{festival['id']}/timetable?day={festival['days'][0]}")["sessions"]
    return {"cinema": near[0]["id"], "film": show["film_id"], "show": show["id"], "plan": plan["share"], "festival": festival["id"], "session": sessions[0]["id"], "screen": sessions[0]["screen"],
            "person": next(h["id"] for h in ask("search?q=lee&types=person")["data"])}


def painted(world, lang, turn):
    """What the server paints is what the script draws, both of what this suite answers."""
    if not IDS:
        with world.page() as page:
            IDS.update(known(page))
    paths = [*ALWAYS, *IN_TURN[turn::3]]
    width = list(SIZES)[turn]
    with world.page(lang=lang, script=False) as served, world.page(lang=lang, width=width, noise="404") as drawn:
        drawn.add_init_script(OBSERVE)
        for path, ready in paths:
            same(world, served, drawn, lang, path.format(**IDS), ready)
            still(world, drawn, f"{path} at {width}")
        for path in DRAWN:
            world.visit(drawn, path.format(**IDS))
            world.quiet(drawn)
            still(world, drawn, f"{path} at {width}")


def still(world, page, where):
    world.check(page.evaluate("seen.cls") <= SHIFT, f"{where}: nothing moves while it fills", page.evaluate("seen.cls"))


def same(world, served, drawn, lang, path, ready):
    look = """() => { const m = document.querySelector('main').cloneNode(true);
      m.querySelectorAll('[data-do], .js, time, .asof p, .leave, .map-box').forEach(e => e.remove());
      m.querySelectorAll('.map-list a').forEach(e => { e.removeAttribute('href'); e.removeAttribute('data-replace'); });
      m.querySelectorAll('*').forEach(e => { for (const n of ['tabindex', 'loading', 'fetchpriority', 'decoding', 'style', 'data-walk']) e.removeAttribute(n);
        const sorted = [...e.attributes].sort((a, b) => a.name < b.name ? -1 : 1).map(a => [a.name, a.value]);
        for (const [n] of sorted) e.removeAttribute(n); for (const [n, v] of sorted) e.setAttribute(n, v); });
      return m.innerHTML.replace(/></g, '>\\n<').split('\\n'); }"""
    # A showing may begin between the two, or a cinema be read: then the server, too, paints another page than before. So the
    # script's page is held to what the server painted before it and after it, line by line.
    # And the script's answer may be one that was kept for a minute, in which a showing came too near to be walked to.
    for attempt in range(4):
        served.goto(path)
        one = served.evaluate(look)
        world.visit(drawn, path)
        world.until(drawn, f"document.querySelector('main :is({ready})')")
        world.quiet(drawn)
        two = drawn.evaluate(look)
        agree = one == two
        if agree:
            break
        # Nor may the server's own kept page hide what changed meanwhile: "just now" is "a minute ago" by then.
        if world.owns:
            world.tool("odi-gateway", "cache", "purge")
        served.goto(path)
        after = served.evaluate(look)
        agree = len(one) == len(two) == len(after) and all(b in (a, c) for a, b, c in zip(one, two, after))
        if agree or (attempt > 0 and after == one):
            break
    differing = [(a, b) for a, b in zip(one, two) if a != b][:3]
    world.check(agree, f"{path} in {lang}: server and script write the same page", (len(one), len(two), differing))
