"""After one visit, without a network."""

import json

GONE = "ERR_|Failed to"


def units(options):
    return [programme, views, halls, first_the_copy, wholes, posters, newer, manifest]


def kept(world, page, path):
    """The page has been here, so that a service worker answers for it from now on."""
    world.visit(page, path)
    world.until(page, "navigator.serviceWorker?.controller !== null", 15)


def programme(world):
    with world.page(workers="allow", noise="ERR_INTERNET_DISCONNECTED|Failed to|ERR_FAILED") as page:
        kept(world, page, "/")
        page.reload()
        world.settle(page)
        world.until(page, "document.querySelectorAll('.film').length > 0")
        cinema = page.locator(".sched-h h2").inner_text()
        page.goto("/map")
        world.settle(page)
        page.goto("/")
        world.settle(page)
        page.context.set_offline(True)
        page.reload()
        world.settle(page)
        world.until(page, "document.querySelectorAll('.film').length > 0")
        world.check(page.locator(".sched-h h2").inner_text() == cinema, "the programme is there without a network")
        world.check(not page.locator("#banner").is_hidden(), "and the page says that there is none", page.locator("#banner").inner_text())
        # Within a minute the browser's own cache answers, and the copy is as good as fresh; its age is told anyway.
        world.check("확인" in page.locator(".asof").inner_text(), "and how old this is", page.locator(".asof").inner_text())
        page.locator(".tabs a[data-tab=map]").click()
        world.until(page, "document.querySelector('.map-list a') && document.querySelector('.map .land')?.getAttribute('d')?.length > 1000")
        world.check(page.locator(".map-list a").count() > 5, "the map and its list are there too")
        page.locator(".tabs a[data-tab=tonight]").click()
        world.until(page, "document.querySelector('.notice.error, .evening > li:not(.ghost)')")
        world.check(True, "what was never seen says so")
        page.goto("/status")
        world.settle(page)
        world.check(page.locator("h1").count() >= 1, "any address opens the page")
        page.context.set_offline(False)
        # The page may have tried again by itself, and the button be gone.
        page.evaluate("document.querySelector('[data-do=retry]')?.click()")
        world.until(page, "document.querySelectorAll('.sources li:not(.ghost)').length > 0", 10)
        world.check(True, "and goes on when the network is back")
        caches = page.evaluate("caches.keys()")
        world.check(sum(c.startswith("shell-") for c in caches) == 1, "one version of the page is kept", caches)


def views(world):
    """A film, a cinema and what was saved, each with its age."""
    with world.page(workers="allow", noise=GONE) as page:
        kept(world, page, "/")
        page.locator(".film .want").first.click()
        world.said(page)
        film = page.locator(".film .want").first.get_attribute("data-mark")
        title = page.locator(f"[data-key={film}] .film-title a").inner_text()
        cinema = page.request.get("/v1/cinemas/nearby?lat=37.571&lon=126.976").json()["data"][0]
        looks = ((f"/films/{film}", ".film-page h1", title, ".kept"), (f"/cinemas/{cinema['id']}", ".cinema h1", cinema["name"], ".asof"),
                 ("/bookmarks", ".saved-row .film-title a", title, ".kept"))
        for path, place, text, _ in looks:
            page.goto(path)
            world.settle(page)
            world.until(page, f"document.querySelector('{place}')")
            world.quiet(page)
            # On a slow network the copy is shown until the answer comes.
            world.holds(page, lambda: text in page.locator(place).first.inner_text() and page.locator(".kept").count() == 0
                        and "저장된 사본" not in page.locator("main").inner_text(), f"{path}: with a network nothing is called a copy")
        page.context.set_offline(True)
        for path, place, text, age in looks:
            page.goto(path)
            world.settle(page)
            world.until(page, f"document.querySelector('{place}')")
            world.until(page, f"document.querySelector('{age}')")
            world.check(text in page.locator(place).first.inner_text(), f"{path} opens without a network", page.locator("main").inner_text()[:200])
            told = lambda: page.locator(age).first.inner_text()
            world.holds(page, lambda: "저장된 사본" in told() and ("전" in told() or "방금" in told()), f"{path} says that it is a copy, and how old", told)


def halls(world):
    """A festival that was opened once: all its days, its floors and what was chosen of it, as the suite itself has them."""
    with world.page(workers="allow", width=1280, noise=GONE) as page:
        festival = page.request.get("/v1/festivals").json()["data"][0]
        kept(world, page, "/settings")
        asked = []
        page.on("requestfinished", lambda r: asked.append(r.url))
        world.enter(page, "/festivals/" + festival["id"])
        floors = [floor["url"] for floor in page.request.get(f"/v1/festivals/{festival['id']}/floors").json()["data"]]
        wanted = [*(f"/timetable?day={day}" for day in festival["days"]), *floors]
        have = "caches.open('answers-1').then(cache => cache.keys()).then(keys => keys.map(key => key.url))"
        missing = lambda: [one for one in wanted if not any(url.endswith(one) for url in page.evaluate(have))]
        world.check(world.wait(lambda: not missing(), 20, 0.1), "opening a festival keeps every day and every floor", missing())
        world.check(len(floors) > 1 and len(festival["days"]) > 1, "of which there are several", wanted)
        # A session of the last day, which was never looked at.
        last = festival["days"][-1]
        day = page.request.get(f"/v1/festivals/{festival['id']}/timetable?day={last}").json()
        chosen = day["sessions"][0]
        page.evaluate("""path => fetch('/v1/sessions', {method: 'POST', headers: {'X-Odi-Request': '1', 'Content-Type': 'application/json'}, body: '{}'})
          .then(() => fetch(path, {method: 'PUT', headers: {'X-Odi-Request': '1', 'Content-Type': 'application/json'}, body: '{}'})).then(() => localStorage.setItem('odi.session', 'true'))""",
                      f"/v1/me/festivals/{festival['id']}/agenda/{chosen['id']}")
        page.goto("/festivals/" + festival["id"])
        world.settle(page)
        world.until(page, have + f".then(urls => urls.some(url => url.endsWith('/me/festivals/{festival['id']}/agenda')))")
        page.context.set_offline(True)
        page.goto(f"/festivals/{festival['id']}?day={last}&view=grid")
        world.settle(page)
        world.until(page, "document.querySelector('.fcell')")
        world.check(page.locator(".fcell").count() == len(day["sessions"]), "the grid of a day that was not looked at is there", (page.locator(".fcell").count(), len(day["sessions"])))
        world.until(page, "document.querySelector('.kept')")
        world.check("저장된 사본" in page.locator(".kept").inner_text(), "and says how old it is", page.locator(".kept").inner_text())
        page.goto(f"/festivals/{festival['id']}/sessions/{chosen['id']}")
        world.settle(page)
        world.until(page, "document.querySelector('.film-page h1:not(.vh)')")
        told = page.locator("main").inner_text()
        screen = next(one["name"] for one in day["screens"] if one["id"] == chosen["screen"])
        world.check(chosen["title"] in told and screen in told and "저장된 사본" in told, "a session that was never opened is there, with its hall and its age", told)
        page.go_back()
        world.settle(page)
        world.until(page, "document.querySelector('.fcell')")
        page.locator("details.floor summary").last.click()
        world.until(page, "[...document.querySelectorAll('details.floor[open] img')].some(image => image.complete && image.naturalWidth > 0)")
        world.check(True, "a floor's map is drawn")
        address = page.locator("details.floor[open] > a").get_attribute("href")
        page.goto(address)
        world.check(page.locator("svg a").count() > 0, "and opens on its own", address)
        page.go_back()
        page.goto(f"/festivals/{festival['id']}?day={last}&view=list&mine=1")
        world.settle(page)
        world.until(page, "document.querySelectorAll('.session').length === 1")
        world.check(page.locator(".session").get_attribute("data-key") == chosen["id"], "and so is what was chosen")


def first_the_copy(world):
    """Nobody waits for a festival's programme that is here already; what is new is drawn when it comes."""
    with world.page(workers="allow", width=390, noise=GONE) as page:
        festival = page.request.get("/v1/festivals").json()["data"][0]
        path = f"/festivals/{festival['id']}?view=list&day={festival['days'][1]}"
        kept(world, page, "/settings")
        world.enter(page, path)
        world.until(page, "document.querySelector('.session:not(.ghost)')")
        title = page.locator(".session h2 a").first.inner_text()
        page.goto("/settings")
        world.settle(page)
        held, bodies = [], []

        def asked(route):
            # The first question waits, later ones are answered with what the first one's answer became.
            if not bodies:
                held.append(route)
            elif bodies[0] is None:
                route.abort()
            else:
                route.fulfill(status=200, content_type="application/json", body=bodies[0])
        page.context.route("**/timetable?day=*", asked)
        world.enter(page, path)
        world.until(page, "document.querySelector('.session:not(.ghost)')")
        world.check(page.locator(".session h2 a").first.inner_text() == title, "the copy is shown")
        world.check(world.wait(lambda: page.evaluate("1") and held), "while the network is asked and has not answered")
        world.check(page.locator(".kept").count() == 0, "and nobody is told of an age before it has")
        other = f"/v1/festivals/{festival['id']}/timetable?day={festival['days'][0]}"
        for lost in ("/v1/festivals/elsewhere", other, f"/v1/festivals/{festival['id']}-2/timetable?day={festival['days'][1]}"):
            page.evaluate("lost => navigator.serviceWorker.dispatchEvent(new MessageEvent('message', {data: {lost: location.origin + lost}}))", lost)
        world.painted(page)
        world.check(page.locator(".kept").count() == 0, "nor because another day, or another festival, could not be had")
        answer = held[0].fetch()
        body = answer.json()
        bodies.append(json.dumps({**body, "sessions": [{**session, "title": "새 제목 " + session["title"], "subtitle": None} for session in body["sessions"]]}))
        for route in held:
            route.fulfill(response=answer, body=bodies[0])
        world.until(page, "document.querySelector('.session h2')?.textContent.includes('새 제목')")
        world.check(True, "what is new takes its place when it comes")
        bodies[0] = None
        page.goto("/settings")
        world.settle(page)
        world.enter(page, path)
        world.until(page, "document.querySelector('.kept')")
        world.check(page.locator(".session").count() > 3, "a network that fails leaves the copy, and its age")
        page.context.unroute_all(behavior="ignoreErrors")


def wholes(world):
    """What lacks a part, or is an old answer given anew, takes the place of no whole copy."""
    with world.page(workers="allow", width=390, lang="en", noise=GONE) as page:
        kept(world, page, "/settings")
        change = {}

        def answer(route):
            fetched = route.fetch()
            body = fetched.json()
            if "lacks" in change:
                body = {**body, "data": [row for row in body["data"] if row["id"] != "classics"], "missing": ["classics"]}
            route.fulfill(response=fetched, body=json.dumps(body), headers={**fetched.headers, **change.get("headers", {})})
        page.context.route("**/v1/home?*", answer)
        row = "document.querySelector('.rail[data-key=classics]')"
        ages = lambda: page.evaluate("caches.open('answers-1').then(async cache => Promise.all((await cache.keys()).filter(key => key.url.includes('/v1/home'))"
                                     ".map(async key => (await cache.match(key)).headers.get('X-Odi-Kept'))))")
        world.enter(page, "/discover")
        world.until(page, row)
        world.check(world.wait(lambda: len(ages()) == 1), "a whole answer is kept", ages())
        first = ages()
        change.update(lacks=True, headers={"X-Odi-Partial": "1"})
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/discover")
        world.until(page, f"document.querySelector('.notice.part') && !{row}")
        world.check(ages() == first, "one that lacks a part does not take its place", (ages(), first))
        change.clear()
        change["headers"] = {"X-Odi-Stale-As-Of": "2026-11-20T09:00:00Z"}
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/discover")
        world.until(page, row)
        world.quiet(page)
        world.check(ages() == first, "nor one that is old, and would be called new", (ages(), first))
        page.context.unroute_all(behavior="ignoreErrors")
        page.context.set_offline(True)
        page.goto("/discover")
        world.until(page, f"{row} && document.querySelector('.kept')")
        world.check(page.locator(".notice.part").count() == 0, "without a network the whole one is there", page.locator("main").inner_text()[:200])
        page.context.set_offline(False)
        # Of what nothing is kept, a part is better than nothing; and it goes on saying so.
        page.evaluate("caches.delete('answers-1')")
        change.update(lacks=True, headers={"X-Odi-Partial": "1"})
        page.context.route("**/v1/home?*", answer)
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/discover")
        world.until(page, "document.querySelector('.notice.part')")
        world.check(world.wait(lambda: len(ages()) == 1), "where nothing is kept a part is", ages())
        page.context.unroute_all(behavior="ignoreErrors")
        page.context.set_offline(True)
        page.goto("/discover")
        world.until(page, "document.querySelector('.rail') && document.querySelector('.notice.part')")
        world.check(True, "and it is not called whole later")


def posters(world):
    """Posters have 30 MB; the one that was looked at longest ago goes first."""
    with world.page(workers="allow", noise=GONE) as page:
        kept(world, page, "/settings")
        picture = b"\0" * (8 << 20)
        page.context.route("**/v1/films/film_*/poster", lambda route: route.fulfill(status=200, content_type="image/png", body=picture))
        names = lambda: sorted(page.evaluate("caches.open('pictures-1').then(cache => cache.keys()).then(keys => keys.map(key => key.url.split('/').at(-2).slice(5)))"))
        look = lambda name: page.evaluate("name => fetch('/v1/films/film_' + name + '/poster').then(answer => answer.arrayBuffer()).then(bytes => bytes.byteLength)", name)
        for name in "abc":
            look(name)
            world.wait(lambda: name in names())
        world.check(names() == ["a", "b", "c"], "posters are kept", names())
        look("a")
        look("d")
        world.check(world.wait(lambda: names() == ["a", "c", "d"]), "what was looked at longest ago makes room", names())
        look("e")
        world.check(world.wait(lambda: names() == ["a", "d", "e"]), "one after another", names())
        page.context.unroute_all(behavior="ignoreErrors")


def newer(world):
    """A new version is told, and waits for somebody to want it."""
    with world.page(workers="allow", noise=GONE) as page:
        kept(world, page, "/")
        page.evaluate("window.here = true")
        base = page.evaluate("document.querySelector('meta[name=odi]').dataset.base")
        # The next version's files: those of this one, under another name.
        page.context.route("**/s/next/**", lambda route: route.fulfill(response=route.fetch(url=route.request.url.replace("/s/next", base))))
        page.evaluate("import(document.querySelector('meta[name=odi]').dataset.base + '/js/env.js').then(env => { navigator.serviceWorker.register(env.workerURL('/sw.js?v=next')); })")
        world.said(page, "새 판")
        world.check(page.evaluate("window.here") is True, "a new version is told, and forces nobody")
        world.until(page, "caches.keys().then(keys => keys.filter(key => key.startsWith('shell-')).join() === 'shell-next')")
        world.check(True, "the old version's files are let go of")
        page.locator(".toast button", has_text="새로 열기").click()
        world.until(page, "window.here === undefined")
        world.settle(page)
        world.check(page.locator(".film").count() > 0, "and pressing it opens the page anew")
        page.context.unroute_all(behavior="ignoreErrors")


def manifest(world):
    with world.page() as page:
        world.visit(page, "/")
        link = page.locator("link[rel=manifest]").get_attribute("href")
        answer = page.request.get(world.base + link)
        body = answer.json()
        world.check("manifest" in answer.headers["content-type"], "the manifest is served as one", answer.headers["content-type"])
        world.check(body["start_url"] == "/" and body["display"] == "standalone", "the page can be installed")
        for icon in body["icons"]:
            picture = page.request.get(world.base + link.rsplit("/", 1)[0] + "/" + icon["src"])
            world.check(picture.ok and picture.headers["content-type"].startswith("image/"), f"{icon['src']} is there")
