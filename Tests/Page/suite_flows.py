"""Each tab in each state, with language, theme and width in turn; everything under --full."""

import functools
import itertools
import json
from urllib.parse import parse_qsl, urlsplit

import told
from world import LANGUAGES, SIZES, THEMES

STATES = ("loaded", "loading", "empty", "missing", "problem", "offline", "stale")
PROBLEM = {"type": "https://odi.example/problems/upstream-unavailable", "title": "The schedule cannot be read now", "status": 503,
           "detail": "Try again in a moment."}


def tabs(film="", cinema=""):
    """Each view's path, and what of the API it reads."""
    fest = f"festivals/{told.FESTIVAL}"
    return {
        "nearby": ("/", ["cinemas/nearby"]), "map": ("/map", ["cinemas.geojson"]), "tonight": ("/tonight", ["tonight"]),
        "bookmarks": ("/bookmarks", ["me/bookmarks"]), "search": ("/search?q=a", ["search"]), "status": ("/status", ["sources"]),
        "film": (f"/films/{film}", [f"films/{film}"]), "cinema": (f"/cinemas/{cinema}", [f"cinemas/{cinema}"]),
        "settings": ("/settings", []),
        "discover": ("/discover", ["home"]), "wall": ("/discover?list=classics", ["films"]), "radio": ("/radio", ["stations"]),
        "festivals": ("/festivals", ["festivals"]), "festival": ("/" + fest, [fest + "/timetable"]),
        "grid": (f"/{fest}?view=grid", [fest + "/timetable"]), "session": (f"/{fest}/sessions/ses_1", [fest + "/sessions/ses_1", fest + "/timetable"]),
        "dinner": (f"/dinner/{told.SHOW}", [f"showtimes/{told.SHOW}/dinner"]), "plan": (f"/plans/{told.PLAN}", [f"plans/{told.PLAN}"]),
    }


# Views with an address of another's name, and those that cannot be empty: they are there or not.
VIEWS = {"wall": "discover", "grid": "festival"}
NEVER_EMPTY = {"session", "settings", "plan"}
# Whoever was here is known from then on.
LAST = {"bookmarks"}


def example(world):
    """A film and a cinema that are there."""
    with world.page() as page:
        near = page.request.get(world.base + "/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days,showtimes").json()["data"]
        film = next(g["film"]["id"] for c in near for g in c.get("films") or [] if g.get("film"))
        return film, near[0]["id"]


def emptied(body):
    """Nothing plays, and all that was asked says so: what a busy service left out of the real answer is no part of this."""
    body = {key: value for key, value in body.items() if key != "missing"}
    if "sessions" in body:
        return {**body, "sessions": []}
    if "features" in body:
        return {**body, "features": []}
    if isinstance(body.get("data"), list) and body["data"] and "days" in body["data"][0]:
        for cinema in body["data"]:
            cinema["films"] = []
            for day in cinema["days"]:
                day.update(status="closed", films=0, showtimes=0)
        return body
    if "data" in body:
        return {**body, "data": []}
    return {**body, "showtimes": [], "similar": [], "days": [{**d, "status": "closed", "films": 0} for d in body.get("days", [])]}


def lacking(body):
    """Nothing came, because a service did not answer."""
    return {**emptied(body), "missing": ["something"]}


def aged(value):
    if isinstance(value, dict):
        return {k: True if k == "stale" else aged(v) for k, v in value.items()}
    return [aged(v) for v in value] if isinstance(value, list) else value


def intercept(page, state, reads, held):
    def answer(route):
        parts = urlsplit(route.request.url)
        path = parts.path[4:]
        invented = told.answer(path, dict(parse_qsl(parts.query)))
        mine = path in reads or (state in ("empty", "missing", "stale") and path.endswith("/showtimes"))
        change = {"empty": emptied, "missing": lacking}.get(state, aged)
        if path == "events" or not mine or state == "loaded":
            return told.fulfil(route, invented) if invented else route.continue_()
        if state == "loading":
            held.append(route)
            return None
        if state == "problem":
            return route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(PROBLEM), headers={"Retry-After": "2"})
        if state == "offline":
            return route.abort()
        if invented:
            return told.fulfil(route, change(invented))
        fetched = route.fetch()
        if not fetched.ok:
            return route.fulfill(response=fetched)
        body = fetched.json()
        return route.fulfill(response=fetched, body=json.dumps(change(body)))
    page.route("**/v1/**", answer)


def expected(page, tab, state):
    """What must be there, and what must not."""
    if tab == "settings":
        return page.locator("main fieldset").count() == 3
    if state == "loading":
        return page.locator("main .ghost").count() > 0 and page.locator("main .notice").count() == 0
    if state in ("problem", "offline"):
        return page.locator("main .notice.error").count() == 1 and page.locator("main .notice.error .btn").count() == 1
    if state == "empty":
        return page.locator("main .notice.empty").count() >= 1
    if state == "missing":
        return page.locator("main .notice.part button").count() == 1 and page.locator("main .notice.empty").count() == 0
    if state == "stale" and tab in ("nearby", "cinema"):
        return page.locator("main .asof[data-stale]").count() >= 1
    return page.locator("main .notice.error").count() == 0 and len(page.locator("main").inner_text()) > 60


def units(options):
    """One for each state and language: its views follow each other in one page, as somebody would go through them, and
    none of them twice. A view is entered once, and then looked at in one theme and width, or under --full in all."""
    looks = list(itertools.product(THEMES, LANGUAGES, SIZES))
    groups, count = {}, 0
    for tab, (_, reads) in tabs().items():
        for state in STATES if reads else ("loaded",):
            if state in ("empty", "missing") and tab in NEVER_EMPTY:
                continue
            # Seven on: each view meets other looks than its neighbours, and all of them in turn.
            theme, lang, width = looks[count * 7 % len(looks)]
            if options.full:
                every = [(t, w) for t in THEMES for w in SIZES]
                for other in [options.lang] if options.lang else LANGUAGES:
                    groups.setdefault((state, other), []).append((tab, every[count % 6:] + every[:count % 6]))
            else:
                groups.setdefault((state, lang), []).append((tab, [(theme, width)]))
            count += 1
    return [functools.partial(walk, state=state, lang=lang, views=sorted(views, key=lambda view: view[0] in LAST))
            for (state, lang), views in groups.items()]


def walk(world, state, lang, views):
    """Views in one state, each entered from the one before. One that fails leaves the others a page of their own."""
    while views:
        with world.again(lang=lang, noise="503|ERR_FAILED|401|404") as page:
            if state == "loading":
                # What is held stays so for as long as somebody looks, however patient the page itself would be.
                page.add_init_script("AbortSignal.timeout = () => new AbortController().signal")
            page.goto("/settings?lang=" + lang)
            world.settle(page)
            been = set()
            # A view that was left knows something already.
            while views and VIEWS.get(views[0][0], views[0][0]) not in been:
                tab, looks = views.pop(0)
                been.add(VIEWS.get(tab, tab))
                try:
                    one(world, page, tab, state, lang, looks)
                except Exception as error:
                    world.check(False, f"{tab}, {state}, {lang}, {looks[0]}: can be entered", f"{error}"[:400])
                    break


def one(world, page, tab, state, lang, looks):
    path, reads = tabs(*examples(world))[tab]
    world.turn(page, *looks[0])
    held = []
    intercept(page, state, reads, held)
    if tab == "bookmarks" and state != "empty":
        page.evaluate("""async film => { await fetch('/v1/sessions', {method: 'POST', headers: {'X-Odi-Request': '1', 'Content-Type': 'application/json'}, body: '{}'});
          await fetch('/v1/me/bookmarks/' + film, {method: 'PUT', headers: {'X-Odi-Request': '1', 'Content-Type': 'application/json'}, body: '{}'});
          localStorage.setItem('odi.session', 'true'); }""", examples(world)[0])
    world.enter(page, path)
    world.until(page, f"document.querySelector('main').dataset.view === '{VIEWS.get(tab, tab)}'")
    if state == "loading":
        world.until(page, "document.querySelector('main .ghost')")
        world.wait(lambda: page.evaluate("1") and (held or tab in NEVER_EMPTY))
    else:
        world.until(page, "!document.querySelector('main .ghost')")
    # What is wrong for ears and eyes is wrong at every width, but not in both themes.
    heard = set()
    for theme, width in looks:
        if (theme, width) != looks[0]:
            world.look(page, theme, width)
        seen(world, page, tab, state, f"{tab}, {state}, {lang}, {theme}, {width}", theme not in heard)
        heard.add(theme)
        world.shot(page, f"{tab}-{state}-{lang}-{theme}-{width}")
    for route in held:
        route.abort()


def seen(world, page, tab, state, where, listens):
    world.holds(page, lambda: expected(page, tab, state), f"{where}: shows what it should", lambda: page.locator("main").inner_text()[:200])
    sideways = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
    world.check(sideways <= 0, f"{where}: nothing scrolls sideways", sideways)
    world.check("⟦" not in page.locator("body").inner_text(), f"{where}: no text is missing")
    if listens:
        world.check(len(page.locator("body").aria_snapshot()) > 200, f"{where}: has something to say to a screen reader")
        world.axe(page, where)


_examples = None


def examples(world):
    global _examples
    _examples = _examples or example(world)
    return _examples
