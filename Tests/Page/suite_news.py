"""What changes while somebody looks, and what follows them: news of times, a second device, whose clock it is."""

import datetime
import json
import re
from urllib.parse import unquote

import told


def units(options):
    return [changes, topics, devices, ended, history, over, people, sizes, bars, clocks, marks, languages, pictures]


def near(page):
    return page.request.get("/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days,showtimes").json()["data"]


def changes(world):
    """Two times of the page sell out at once, and one that nobody sees."""
    with world.page(noise="ERR_|Failed to load") as page:
        cinema = near(page)[0]
        date = cinema["days"][2]["date"]
        films = [f for f in page.request.get(f"/v1/cinemas/{cinema['id']}/showtimes?date={date}").json()["data"] if f.get("film")]
        shows = [f["showtimes"][0] for f in films[:2]]
        body = "".join("event: showtime.sold_out\ndata: " + json.dumps({"showtime_id": name, "cinema_id": "other"}) + "\n\n"
                       for name in (*(s["id"] for s in shows), "show_elsewhere"))
        # Without a shared worker the page itself holds the stream, where a test can stand in for the server.
        page.add_init_script("delete window.SharedWorker")
        told = []

        def stream(route):
            told.append(1)
            route.fulfill(status=200, content_type="text/event-stream", body="retry: 60000\n\n" + (body if len(told) == 1 else ""))
        page.route("**/v1/events*", stream)
        page.goto(f"/?date={date}")
        world.settle(page)
        said = world.said(page)
        world.check(len(said) == 1 and all(f["film"]["title"] in said[0] and f["showtimes"][0]["display_time"] in said[0] for f in films[:2]),
                    "what sells out together is said once, by film and time", said)
        world.check("undefined" not in said[0] and said[0].count(",") == 1, "what is not on the page is not news", said)


def topics(world):
    """A view hears about what it shows, also where that is known only once it was read."""
    with world.page(noise="ERR_|404|Failed to load") as page:
        page.add_init_script("delete window.SharedWorker")
        wanted, asked = {}, []

        def stream(route):
            topic = next((t for t in wanted if t in unquote(route.request.url)), None)
            name, data = wanted.pop(topic) if topic else (None, None)
            body = f"event: {name}\ndata: {json.dumps(data)}\n\n" if topic else ""
            route.fulfill(status=200, content_type="text/event-stream", body="retry: 60000\n\n" + body)
        world.visit(page, "/")
        page.locator(".film .want").first.click()
        world.said(page)
        film = page.locator(".film .want").first.get_attribute("data-mark")
        page.route("**/v1/events*", stream)
        told.tell(page)
        show = {**told.dinner()["showtime"], "starts_at": (told.now() + datetime.timedelta(hours=1)).isoformat(), "attributes": [], "distance_m": 400, "walk_min": 5}
        page.route("**/v1/tonight*", lambda r: told.fulfil(r, {"data": [show]}))
        page.on("request", lambda r: asked.append(r.url))
        gone = ("showtime.sold_out", {"showtime_id": told.SHOW, "cinema_id": "lantern"})
        for path, reads, topic, event in (("/tonight", "/v1/tonight", "cinema:lantern", gone), ("/plans/" + told.PLAN, "/v1/plans/", "cinema:lantern", gone),
                                          ("/bookmarks", "/v1/me/bookmarks?", "film:" + film, ("film.listed", {"film_id": film}))):
            wanted[topic] = event
            asked.clear()
            world.enter(page, path)
            world.check(world.wait(lambda: page.evaluate("1") and sum(reads in url for url in asked) > 1),
                        f"{path} is read again when its {topic.split(':')[0]} changes", [url for url in asked if "/v1/" in url])


def devices(world):
    with world.page(noise="404|Failed to load") as first, world.page(lang="en", noise="404|503|Failed to load") as second:
        world.visit(first, "/")
        first.locator(".film .want").first.click()
        world.said(first)
        world.visit(first, "/settings")
        first.locator("[data-do=pair]").click()
        world.until(first, "document.querySelector('.pair-code')")
        code = first.locator(".pair-code").inner_text()
        world.visit(second, "/settings")
        second.locator("[data-do=pair]").click()
        world.until(second, "document.querySelector('.pair-code')")
        field = second.locator("#code")
        second.route("**/v1/sessions/pair", lambda r: r.fulfill(status=503, content_type="application/problem+json", body="{}"))
        field.fill("AAAA BBBB")
        field.press("Enter")
        told = world.said(second)
        world.check(not any("wrong" in words for words in told), "a server that is away is not a wrong code", told)
        second.unroute("**/v1/sessions/pair")
        world.forget(second)
        field.press("Enter")
        told = world.said(second)
        world.check("wrong" in told[0], "a code that does not hold says what to do", told)
        tries = []
        second.on("request", lambda r: tries.append(r.url) if "/sessions/pair" in r.url else None)
        field.fill(code.lower())
        second.locator("label[for=code]").click()
        field.click()
        world.quiet(second)
        world.check(not tries, "pressing into a form sends nothing", tries)
        # The list that is read afterwards may fail: joined is joined.
        second.route("**/v1/me/bookmarks?*", lambda r: r.fulfill(status=503, content_type="application/problem+json", body="{}"))
        second.evaluate("for (let i = 0; i < 3; i++) document.querySelector('form.pair').requestSubmit()")
        world.said(second, "joined")
        world.check(len(tries) == 1, "a code is sent once, however often it is asked for", tries)
        world.check(second.locator(".pair-code").count() == 0, "a code of who this device was before is not shown any more")
        second.unroute("**/v1/me/bookmarks?*")
        world.enter(second, "/bookmarks")
        world.until(second, "document.querySelector('.saved-row')")
        # Where it plays near here is known a moment later.
        world.quiet(second)
        world.check(second.locator(".saved-row").count() == 1, "the other device has what was marked on this one")
        away = second.locator(".saved-row .at .small").first.inner_text()
        far = float(re.search(r"[\d.]+", away).group()) / (1 if "km" in away else 1000)
        world.check(far <= 20, "a saved film is told with where it plays near here, not with what begins sooner elsewhere", away)
        history = "document.querySelector('[data-on-change=history]')"
        world.enter(second, "/settings")
        for device in (first, second):
            world.until(device, history + "?.checked")
        first.locator("[data-on-change=history]").click()
        world.holds(second, lambda: not second.evaluate(history + ".checked"), "what one device chooses of the history is shown on the other")
        world.axe(first, "a code for another device")


def ended(world):
    """Another device has ended this one's session, which the page learns by asking."""
    with world.page(noise="401|404|Failed to load") as page:
        world.visit(page, "/")
        page.locator(".film .want").first.click()
        world.said(page)
        for _ in range(2):
            page.context.clear_cookies()
            world.enter(page, "/settings")
            page.locator("[data-do=pair]").click()
            world.check(world.came(page, "document.querySelector('.pair-code')"), "a code for another device is shown all the same", page.locator("#said").inner_text())
            page.locator("[data-do=erase]").click()
            page.locator("[data-do=reallyErase]").click()
            world.until(page, "!document.querySelector('[data-do=erase], [data-do=reallyErase]')")
            world.check(page.locator(".pair-code").count() == 0, "and goes with all else that is erased")
            world.enter(page, "/")
            page.locator(".film .want").nth(1).click()
            world.until(page, "document.querySelector('.film .want[aria-pressed=true]') && localStorage.getItem('odi.outbox') === null")


def history(world):
    with world.page(noise="503|Failed to load") as page:
        world.visit(page, "/")
        page.locator(".film .want").first.click()
        world.said(page)
        world.visit(page, "/settings")
        kept = lambda: page.evaluate("fetch('/v1/me/settings').then(r => r.json()).then(s => s.keeps_history !== false)")
        world.holds(page, lambda: kept() and page.locator("[data-on-change=history]").is_checked(), "looks are remembered at first")
        # What was looked at cannot be removed: nothing is chosen.
        page.route("**/v1/me/views", lambda r: r.fulfill(status=503, content_type="application/problem+json", body="{}"))
        page.locator("[data-on-change=history]").click()
        world.said(page)
        world.check(world.came(page, "document.querySelector('[data-on-change=history]').checked"), "what was not done whole is not shown as done")
        world.check(kept(), "nor kept as done")
        page.unroute("**/v1/me/views")
        page.locator("[data-on-change=history]").click()
        world.check(world.wait(lambda: not kept()), "and no longer, once somebody says so")
        page.reload()
        world.settle(page)
        world.until(page, "!document.querySelector('[data-on-change=history]').checked")
        page.locator("[data-do=help]").click()
        world.until(page, "document.querySelector('dialog.help[open]')")
        world.check(page.locator("dialog kbd").count() > 10, "the keys are explained to whoever has no key to ask with")


def over(world):
    """The evening after the last film."""
    with world.page() as page:
        # In the cinema's own offset, by which the page learns what is today there.
        def begun(route):
            answer = route.fetch()
            body = answer.json()
            past = (datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))) - datetime.timedelta(hours=1)).isoformat(timespec="seconds")
            for cinema in body["data"]:
                for film in cinema.get("films") or []:
                    for show in film["showtimes"]:
                        show["starts_at"] = past
            route.fulfill(response=answer, body=json.dumps(body))
        page.route("**/v1/cinemas/nearby*", begun)
        world.visit(page, "/settings")
        world.enter(page, "/")
        world.until(page, "document.querySelector('.over-day a')")
        page.locator(".over-day a").click()
        world.until(page, "location.search.includes('date=')")
        world.until(page, "document.querySelector('.film a.chip')")
        world.holds(page, lambda: page.locator(".over-day").count() == 0, "from a day that is over one step leads to one that is not")


def people(world):
    with world.again(lang="en", width=768) as page:
        page.goto("/search?q=lee")
        world.settle(page)
        world.until(page, "document.querySelector('.hits a[href*=\"person=\"]')")
        link = page.locator(".hits a[href*='person=']").first
        name = link.inner_text()
        link.click()
        world.until(page, "document.querySelector('.wall .wall-a')")
        world.holds(page, lambda: page.locator(".kinds [aria-current]").inner_text() == name, "somebody who was found leads to their films", lambda: name)
        world.axe(page, "somebody's films")
        name = page.request.get("/v1/festivals").json()["data"][0]["name"]
        page.goto("/search?q=" + name[:4])
        world.settle(page)
        world.until(page, "document.querySelector('.hits a[href^=\"/festivals/\"]')")
        world.axe(page, "a festival that was found")
        page.locator(".hits a[href^='/festivals/']").first.click()
        world.until(page, "document.querySelector('.festival h1')")
        world.check(page.locator(".festival h1, .festival .orig").filter(has_text=name).count() == 1, "a festival is found by its name", name)


def sizes(world):
    """Letters as large as somebody wants them."""
    with world.page(lang="en", noise="404|Failed to load") as page:
        told.tell(page)
        world.visit(page, "/settings")
        size = lambda: page.evaluate("parseFloat(getComputedStyle(document.querySelector('main p')).fontSize)")
        before = size()
        page.locator("input[name=text][value=largest]").check(force=True)
        world.check(size() > before * 1.2, "the largest letters are there at once", (before, size()))
        page.reload()
        world.settle(page)
        world.check(page.locator("input[name=text][value=largest]").is_checked() and size() > before * 1.2, "and still after a while")
        first = page.evaluate("fetch('/').then(r => r.text())")
        world.check('data-text="largest"' in first, "the server's first paint has them too", first[:200])
        for path in ("/", "/map", "/tonight", "/discover", "/radio", f"/festivals/{told.FESTIVAL}", f"/dinner/{told.SHOW}", "/bookmarks", "/status", "/search?q=a"):
            world.enter(page, path)
            world.settle(page)
            sideways = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
            cut = page.evaluate("""[...document.querySelectorAll('main button, main .btn, main .pill, .tabs a span')].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline').map(e => e.outerHTML.slice(0, 90))""")
            world.check(sideways <= 0 and not cut, f"{path} has room for them", (sideways, cut[:3]))


def bars(world):
    """A theme that somebody chose is the browser's own bars' too, from the first paint on."""
    with world.page(width=390) as page:
        ground = lambda: page.evaluate("""[...document.querySelectorAll('meta[name=theme-color]')].filter(m => matchMedia(m.media).matches).map(m => m.content).join()""")
        paper = lambda: page.evaluate("""'#' + getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(n => Number(n).toString(16).padStart(2, '0')).join('')""")
        world.visit(page, "/settings")
        world.check(ground() == paper() == "#faf8f5", "the browser's bars have the page's ground", (ground(), paper()))
        page.locator("input[name=theme][value=dark]").check(force=True)
        world.holds(page, lambda: ground() == paper() == "#121116", "and the one that is chosen", lambda: (ground(), paper()))
        first = page.evaluate("fetch('/').then(r => r.text())")
        world.check('id="bars-dark" media="all"' in first and 'id="bars-light" media="not all"' in first, "the server's first paint has it too", first[:700])
        page.locator("input[name=theme][value=auto]").check(force=True)
        world.holds(page, lambda: ground() == "#faf8f5", "until the browser's is", ground)


def clocks(world):
    for zone, strange in (("Europe/Berlin", True), ("Asia/Seoul", False)):
        with world.page(zone=zone) as page:
            world.visit(page, "/")
            text = page.locator(".asof").first.inner_text()
            world.check(("대한민국" in text or "한국" in text) == strange, f"in {zone} the page {'says' if strange else 'need not say'} whose clock it is", text)


def marks(world):
    with world.page(width=1280) as page:
        world.visit(page, "/map")
        world.until(page, "document.querySelector('.pin')")
        row = page.locator(".map-list li").first
        row.hover()
        name = row.get_attribute("data-key")
        world.until(page, "document.querySelector('.pin.hint')")
        world.check(page.locator(".pin.hint").count() == 1 and name in page.locator(".pin.hint").get_attribute("data-pins").split(), "a line of the list shows its mark on the map")


def languages(world):
    """Another language is two presses away on every view, also without script and on the narrowest screen."""
    for script in (True, False):
        with world.page(script=script) as page:
            page.set_viewport_size({"width": 320, "height": 640})
            page.goto("/tonight")
            if script:
                world.settle(page)
            button, found = page.locator(".lang"), page.locator(".langs")
            world.check(button.inner_text().replace("\n", " ").strip() == "언어: 한국어", "the header says which language it is", button.inner_text())
            boxes = [page.locator(part).bounding_box() for part in (".mark", ".tools")]
            world.check(boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] and boxes[1]["x"] + boxes[1]["width"] <= 320 and boxes[1]["height"] < 60,
                        "and has room for it on 320 pixels", boxes)
            world.check(not found.is_visible(), "the others are not in the way")
            button.click()
            world.check(found.is_visible() and page.locator(".langs [aria-current]").inner_text() == "한국어", "a press shows all of them, and which it is")
            if script:
                world.axe(page, "the languages")
                page.keyboard.press("Escape")
                world.check(not found.is_visible() and page.evaluate("document.activeElement.matches('.lang')"), "Escape closes them, and the focus is where it was")
                button.press("Enter")
            world.follow(page, page.locator(".langs a[lang=ja]"), to="/tonight" if script else None)
            world.holds(page, lambda: page.locator("html").get_attribute("lang") == "ja" and page.locator(".lang").inner_text().endswith("日本語")
                        and "/tonight" in page.url, "another press changes it, and nothing else", lambda: page.url)


def pictures(world):
    """What is drawn below a title stands in a picture's place while it comes, and nothing of it after that."""
    with world.page() as page:
        def pictured(route):
            answer = route.fetch()
            body = answer.json()
            for film in (row["film"] for cinema in body["data"] for row in cinema.get("films") or [] if row.get("film")):
                film["poster"] = {"url": f"/v1/films/{film['id']}/poster?w=342&v=0", "w": 342, "h": 513, "color": "#24304f"}
            route.fulfill(response=answer, json=body)
        page.route("**/v1/cinemas/nearby?*", pictured)
        world.visit(page, "/")
        world.until(page, "document.querySelectorAll('.film .poster img').length > 1")
        world.check(page.evaluate("[...document.querySelectorAll('.film .poster')].every(p => getComputedStyle(p).backgroundColor !== 'rgba(0, 0, 0, 0)')"),
                    "a picture's place has a colour")
        covered = page.evaluate("""() => [...document.querySelectorAll('.film .poster img')].flatMap(img => {
          img.scrollIntoView({block: 'center'});
          const r = img.getBoundingClientRect(), spots = [.1, .3, .5, .7, .9];
          return spots.flatMap(x => spots.map(y => document.elementFromPoint(r.x + r.width * x, r.y + r.height * y)))
            .filter(top => top !== img).map(top => top?.className ?? 'nothing'); })""")
        world.check(not covered, "and nothing lies on the picture", sorted(set(covered)))
