"""One stream for all tabs; nothing is lost while the gateway is away, or while no tab holds the stream."""

import json
import os
import signal

API = {"X-Odi-Request": "1"}


def units(options):
    return [shared, elected, near, news, restart]


# --- One stream ------------------------------------------------------------------------------------------------------

def tabs(world, first):
    """Three tabs of a browser in which a film was saved."""
    world.visit(first, "/")
    first.locator(".film .want").first.click()
    world.said(first)
    all = [first]
    for path, ready in (("/bookmarks", ".saved-row"), ("/settings", "fieldset")):
        page = first.context.new_page()
        page.set_default_timeout(8000)
        page.goto(path)
        world.settle(page)
        world.until(page, f"document.querySelector('{ready}')")
        all.append(page)
    for page in all:
        hears(world, page)
    return all


def hears(world, page):
    """The browser's stream tells what this user saves."""
    world.until(page, "import(document.querySelector('meta[name=odi]').dataset.base + '/js/live.js').then(live => live.connected && live.hearing.includes('me'))")


def streams(world):
    """How many event streams the gateway has open; all of them are this suite's, which runs alone."""
    return len(world.tool("odi-gateway", "clients")[0]["data"])


def one(world, sentence):
    if world.owns:
        world.check(world.wait(lambda: streams(world) == 1), sentence, streams(world))
    else:
        print("  (no ODI_BIN: the gateway's streams are not counted)")


def watches(page):
    """Notes when the list of what is saved loses its row."""
    page.evaluate("""new MutationObserver(() => { if (!window.goneAt && document.querySelector('.saved-row.gone, .notice.empty')) window.goneAt = Date.now(); })
      .observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true})""")
    return page.evaluate("document.querySelector('.want[aria-pressed=true]').dataset.mark")


def shared(world):
    with world.page() as first:
        _, saved, other = tabs(world, first)
        one(world, "three tabs have one event stream")
        film = watches(saved)
        # Taken out behind the page's own channel between tabs: only the event stream can tell.
        tell = """async ([film, method]) => { await fetch('/v1/me/bookmarks/' + film, {method, headers: {'X-Odi-Request': '1', 'Content-Type': 'application/json'}, body: method === 'PUT' ? '{}' : undefined});
          return Date.now(); }"""
        took = []
        # The best of some: one may meet a moment in which the machine does something else.
        while len(took) < 4 and min(took, default=300) >= 300:
            if took:
                other.evaluate(tell, [film, "PUT"])
                world.until(saved, "document.querySelector('.saved-row:not(.gone)')")
                world.quiet(saved)
                saved.evaluate("window.goneAt = 0")
            at = other.evaluate(tell, [film, "DELETE"])
            if not world.check(world.wait(lambda: saved.evaluate("window.goneAt")), "a removal made elsewhere arrives over the event stream"):
                break
            took.append(saved.evaluate("window.goneAt") - at)
        world.check(took and min(took) < 300, "within 300 ms", took)
        first.close()
        other.close()
        hears(world, saved)
        one(world, "the stream outlives the tab that opened it")


def elected(world):
    """Without shared workers a tab leads; when it is closed, another takes over and has missed nothing."""
    with world.page() as first:
        first.context.add_init_script("delete window.SharedWorker")
        _, saved, other = tabs(world, first)
        one(world, "three tabs without a shared worker have one event stream")
        film = watches(saved)
        held, free = [], []
        for page in (saved, other):
            page.route("**/v1/events*", lambda route: route.continue_() if free else held.append(route))
        first.close()
        world.check(world.wait(lambda: saved.evaluate("1") and other.evaluate("1") and held), "when the tab that leads is closed another takes over")
        # Now nobody listens.
        gone = saved.context.request.delete("/v1/me/bookmarks/" + film, headers=API)
        world.check(gone.status == 204, "a removal is taken meanwhile", gone.status)
        free.append(True)
        for route in held:
            route.continue_()
        world.check(world.wait(lambda: saved.evaluate("window.goneAt")), "what happened while nobody listened is heard")
        for page in (saved, other):
            page.unroute_all(behavior="ignoreErrors")
        one(world, "and there is one stream again")


def near(world):
    """The stream says where somebody said that they are, and says it anew when that changes, in whichever tab."""
    with world.page() as page:
        page.context.add_init_script("""delete window.SharedWorker;
          localStorage.getItem('odi.place') ?? localStorage.setItem('odi.place', '{"lat": 37.571, "lon": 126.976}')""")
        asked = []
        page.on("request", lambda request: "/v1/events?" in request.url and asked.append(request.url))
        world.visit(page, "/")
        world.check(not any("near=" in url for url in asked), "who saved nothing says nothing of where they are", asked)
        page.locator(".film .want").first.click()
        world.said(page)
        hears(world, page)
        world.check("&near=37.571,126.976" in asked[-1], "the stream says where its reader is", asked)
        other = page.context.new_page()
        other.goto("/settings")
        other.evaluate("""localStorage.setItem('odi.place', '{"lat": 35.115, "lon": 129.042}')""")
        world.check(world.wait(lambda: page.evaluate("1") and "&near=35.115,129.042" in asked[-1]), "and where they are now", asked)


# --- What is heard is shown ------------------------------------------------------------------------------------------

def news(world):
    """A showing sells out while somebody looks: the page asks anew, and is not shown the copy that it has of a minute ago."""
    if not world.owns:
        print("  (no ODI_BIN: no programme is changed)")
        return
    with world.page() as page:
        cinema = page.request.get("/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days").json()["data"][0]
        date = cinema["days"][2]["date"]
        world.visit(page, f"/cinemas/{cinema['id']}?date={date}")
        world.until(page, "document.querySelector('.film .chip')")
        world.until(page, "import(document.querySelector('meta[name=odi]').dataset.base + '/js/live.js').then(live => live.connected && live.hearing.some(topic => topic.startsWith('cinema:')))")
        sold = lambda: page.locator(".chip.sold").count()
        before = sold()
        try:
            world.tool("odi-demo", "change", cinema["id"], "--sell-out", "--date", date)
            read(world, cinema["id"])
            world.check(world.wait(lambda: sold() == before + 1, 10), "what sells out while somebody looks is shown as sold out", (before, sold()))
        finally:
            world.tool("odi-demo", "behave", cinema["id"])
            read(world, cinema["id"])


def read(world, cinema):
    """A cinema's site is read now, after whoever was just reading it."""
    world.tool("odi-scraper", "run", "demo-" + cinema)


# --- While the gateway is away ---------------------------------------------------------------------------------------

def restart(world):
    """The gateway is killed, and started again by its supervisor; what the services did meanwhile is heard once, in order."""
    if not world.owns:
        print("  (no ODI_BIN: the gateway's restart is not tried)")
        return
    with world.page(noise="ERR_|502|503|Failed to load") as page:
        sessions = []
        page.on("response", lambda r: sessions.append(r.json()["user_id"]) if r.url.endswith("/v1/sessions") else None)
        world.visit(page, "/")
        films = page.evaluate("[...document.querySelectorAll('.film .want')].slice(0, 4).map(b => b.dataset.mark)")
        page.locator(".film .want").first.click()
        world.said(page)
        hears(world, page)
        cinema = listened(page)
        saved = page.context.new_page()
        saved.goto("/bookmarks")
        world.settle(saved)
        world.until(saved, "document.querySelector('.saved-row')")
        hears(world, page)
        page.evaluate("""() => { window.heard = [];
          return import(document.querySelector('meta[name=odi]').dataset.base + '/js/live.js').then(live => live.onEvent(event => { heard.push(event); })); }""")
        user = sessions[0]
        # What is heard of this user carries the id to come back with.
        world.tool("odi-bookmarks", "add", user, films[1])
        world.check(world.wait(lambda: heard(page, cinema)[0]), "what is saved elsewhere is heard")
        page.evaluate("heard.length = 0")
        marked = page.request.get("/v1/me/bookmarks/changes?since=0").json()["rev"]
        changed = events(world, 1)[0]["revision"]
        # Stopped it keeps its connections and reads nothing: all that is done now happens behind it.
        gateway = next(s["pid"] for s in world.tool("odi", "ps")[0]["data"] if s["service"] == "gateway")
        os.kill(gateway, signal.SIGSTOP)
        try:
            world.tool("odi-bookmarks", "add", user, films[2])
            world.tool("odi-bookmarks", "add", user, films[3])
            world.tool("odi-bookmarks", "rm", user, films[0])
            for change in ("--sell-out", "--move"):
                world.tool("odi-demo", "change", cinema, change)
                read(world, cinema)
        finally:
            os.kill(gateway, signal.SIGKILL)
        world.check(world.wait(lambda: saved.evaluate("document.querySelectorAll('.saved-row:not(.gone)').length") == 3, 35),
                    "the list shows what happened around the restart")
        back = world.wait(lambda: len(heard(page, cinema)[0]) >= 3 and len(heard(page, cinema)[1]) >= 2, 35)
        told = ([c["rev"] for c in page.request.get(f"/v1/me/bookmarks/changes?since={marked}").json()["data"]], published(world, changed, cinema))
        world.check(back and heard(page, cinema)[0] == told[0], "each change of what is saved is heard once, in order", (heard(page, cinema)[0], told[0]))
        world.check(heard(page, cinema)[1] == told[1], "and so is each change of the programme", (heard(page, cinema)[1], told[1]))
        world.check(len(told[0]) == 3 and len(told[1]) >= 2, "as the services' logs have them", told)
        world.tool("odi-demo", "behave", cinema)
        read(world, cinema)


def listened(page):
    """The cinema whose programme the page listens to."""
    return page.evaluate("""import(document.querySelector('meta[name=odi]').dataset.base + '/js/live.js')
      .then(live => live.hearing.find(topic => topic.startsWith('cinema:')).slice(7))""")


def heard(page, cinema):
    """The revisions that the events had: of what is saved, and of a cinema's programme."""
    events = page.evaluate("heard")
    return ([int(e["data"]["rev"]) for e in events if e["name"].startswith("bookmark.") and "rev" in e["data"]],
            [int(e["id"].split("-")[0]) for e in events if e["name"] == "schedule.changed" and e["data"]["cinema_id"] == cinema])


def events(world, count, **since):
    """So many of the scraper's own events; the first tells where they begin."""
    return world.tool("odi-scraper", "call", "ScheduleEvents", json.dumps(since), "-n", str(count), "--timeout", "30s")


def published(world, since, cinema):
    """The revisions of a cinema's changes after one, from the scraper's log, up to where that begins for who comes now."""
    newest = events(world, 1)[0]["revision"]
    found, count = events(world, 1, since=since), 1
    while found[-1]["revision"] < newest:
        count += 1
        found = events(world, count, since=since)
    return [event["revision"] for event in found if event.get("change", {}).get("cinema") == cinema]
