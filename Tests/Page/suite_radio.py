"""Radio: one player for the whole page, started once, silent when it should be, honest about what is dead."""

import json
import re
from urllib.parse import parse_qs, urlsplit

import told

PLAYS = """() => { window.plays = 0; const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () { window.plays++; return play.call(this); }; }"""


def units(options):
    return [once, outside, sleeping, dying, favourites, heard]


def opened(world, page, path="/radio"):
    page.goto("/settings")
    world.settle(page)
    told.tell(page)
    page.evaluate(PLAYS)
    world.enter(page, path)
    world.until(page, "document.querySelector('main .station:not(.ghost)')")


def playing(world, page):
    world.until(page, "import(document.querySelector('meta[name=odi]').dataset.base + '/js/player.js').then(p => p.on.state === 'playing')")


def once(world):
    with world.again(width=390, noise="404") as page:
        opened(world, page)
        world.check(page.locator("#player").is_hidden(), "nobody who does not listen sees a player")
        page.evaluate("(b => { for (let i = 0; i < 3; i++) b.click(); })(document.querySelector('[data-id=lantern][data-do=station]'))")
        playing(world, page)
        world.check(page.evaluate("plays") <= 2, "three quick presses end in one that plays", page.evaluate("plays"))
        page.locator("#player [data-do=radioToggle]").click()
        page.evaluate("plays = 0")
        page.locator("#player [data-do=radioToggle]").click()
        playing(world, page)
        world.check(page.evaluate("plays") == 1, "playing on starts once", page.evaluate("plays"))
        world.holds(page, lambda: "Evening Bells" in page.locator("#player").inner_text(), "what is on is told", lambda: page.locator("#player").inner_text())
        world.holds(page, lambda: page.evaluate("navigator.mediaSession.metadata.title") == "Evening Bells", "the lock screen knows it too")
        page.locator(".tabs a[data-tab=nearby]").click()
        world.until(page, "document.querySelector('.near')")
        playing(world, page)
        world.check(page.locator("#player").is_visible(), "it goes on over other views")
        covered = page.evaluate("""() => { const p = document.getElementById('player').getBoundingClientRect(), t = document.querySelector('.tabs').getBoundingClientRect();
          return p.bottom > t.top + 1; }""")
        world.check(not covered, "the player does not cover the tabs")
        world.axe(page, "the player over Nearby")
        world.enter(page, "/radio")
        world.until(page, "document.querySelector('.station.on')")
        page.locator("h1").click()
        for key, state in (("k", "paused"), ("k", "playing")):
            page.keyboard.press(key)
            world.until(page, f"import(document.querySelector('meta[name=odi]').dataset.base + '/js/player.js').then(p => p.on.state === '{state}')")
        page.keyboard.press("m")
        world.holds(page, lambda: page.locator("[data-do=radioMute]").get_attribute("aria-pressed") == "true", "m makes it mute, k stops and plays")
        world.shot(page, "radio-playing")
        page.reload()
        world.settle(page)
        world.until(page, "!document.getElementById('player').hidden")
        world.holds(page, lambda: page.locator("#player b").inner_text() == "Lantern FM" and page.evaluate("document.querySelector('#player .small').textContent") != "",
                    "after a reload the station is there, and silent")
        world.until(page, "import(document.querySelector('meta[name=odi]').dataset.base + '/js/player.js').then(p => p.hasNext())")
        world.check(True, "and the keys outside lead on from it")
        page.locator("[data-do=radioClose]").click()
        world.holds(page, lambda: page.locator("#player").is_hidden(), "and can be closed")


def outside(world):
    """The keys of a headset and of the lock screen, and t for sleep."""
    with world.page(noise="404") as page:
        page.add_init_script("""window.keys = {}; const set = MediaSession.prototype.setActionHandler;
          MediaSession.prototype.setActionHandler = function (name, action) { keys[name] = action; return set.call(this, name, action); };""")
        opened(world, page)
        page.locator("[data-id=lantern][data-do=station]").first.click()
        playing(world, page)
        world.until(page, "window.keys.pause && window.keys.nexttrack")
        state = "import(document.querySelector('meta[name=odi]').dataset.base + '/js/player.js').then(p => p.on.state + ' ' + p.on.station.id)"
        for key, wanted in (("pause", "paused lantern"), ("play", "playing lantern"), ("nexttrack", "playing night"), ("previoustrack", "playing lantern"), ("stop", "paused lantern")):
            page.evaluate(f"void keys['{key}']()")
            came = world.came(page, f"{state}.then(now => now === '{wanted}')")
            world.check(came, f"{key} outside the page ends in: {wanted}", page.evaluate(state))
            shown = page.evaluate("navigator.mediaSession.playbackState")
            world.check(shown == wanted.split()[0], f"and there it is shown as {wanted.split()[0]}", shown)
        page.locator("h1").click()
        slept = page.evaluate("""import(document.querySelector('meta[name=odi]').dataset.base + '/js/player.js').then(p => Array.from({length: 4}, () => {
          document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 't', bubbles: true, cancelable: true}));
          return p.on.sleepAt ? Math.round((p.on.sleepAt - Date.now()) / 60000) : null; }))""")
        world.check(slept == [15, 30, 60, None], "t goes from none over the minutes and back", slept)


def sleeping(world):
    with world.page(width=1280) as page:
        page.clock.install()
        opened(world, page)
        page.locator("[data-id=lantern][data-do=station]").first.click()
        page.clock.run_for(200)
        playing(world, page)
        world.until(page, "document.querySelector('[data-do=sleep][data-min=end]')")
        page.locator("[data-do=sleep][data-min=end]").click()
        left = lambda: int(re.search(r"(\d+):\d\d$", page.locator(".player-z").inner_text().strip())[1])
        says = lambda: page.locator(".player-z").inner_text()
        # Minutes that a slow machine needs meanwhile are let pass.
        world.holds(page, lambda: left() in (20, 19, 18), "it can be the end of the programme, where the station tells one", says)
        page.locator("[data-do=sleep][data-min='30']").click()
        world.holds(page, lambda: left() in (30, 29), "what is left is told", says)
        page.clock.run_for(180_000)
        world.holds(page, lambda: left() in (27, 26, 25), "and runs down", says)
        # A page that slept: its timers stood still, the wall clock did not.
        page.evaluate("""() => { Object.defineProperty(document, 'hidden', {get: () => window.away, configurable: true}); window.away = true;
          const real = Date.now; Date.now = () => real() + 31 * 60000; window.away = false; document.dispatchEvent(new Event('visibilitychange')); }""")
        world.until(page, "import(document.querySelector('meta[name=odi]').dataset.base + '/js/player.js').then(p => p.on.state === 'paused' && !p.on.sleepAt)")
        world.check(True, "it falls silent by the wall clock, asleep or not")
        world.check(any("잘 자" in words for words in world.said(page, "잘 자")), "and says good night")


def dying(world):
    with world.again(width=390, noise="404|ERR_") as page:
        opened(world, page)
        page.route(told.STREAM + "lantern*", lambda r: r.fulfill(status=404, body=""))
        page.locator("[data-id=lantern][data-do=station]").first.click()
        world.until(page, "document.querySelector('.station.on .dead')")
        world.holds(page, lambda: "안 돼요" in page.locator("#player").inner_text(), "a dead stream is told", lambda: page.locator("#player").inner_text())
        row = lambda: page.locator(".station.on").inner_text()
        world.holds(page, lambda: row().count("안 돼요") == 1, "once in its row", row)
        page.locator("#player [data-do=radioNext]").click()
        playing(world, page)
        world.holds(page, lambda: "심야" in page.locator("#player b").inner_text(), "and the next one is offered")
        world.check(page.locator("[data-key=harbour] .dead").count() == 1, "what is known to be dead says so before")
        page.locator("#radio-q").fill("local 3")
        world.until(page, "document.querySelectorAll('.station').length === 1")
        page.locator("[data-id=local-3][data-do=station]").click()
        playing(world, page)
        world.check(page.evaluate("import(document.querySelector('meta[name=odi]').dataset.base + '/js/player.js').then(p => p.hasNext())"), "what was looked for leaves the next ones where they are")
        page.locator("#radio-q").fill("jazzy")
        world.until(page, "document.querySelectorAll('.station').length === 1")
        page.locator("#radio-q").fill("zzz")
        world.until(page, "document.querySelector('.radio .notice.empty')")
        world.check(True, "stations are found by name and by what they are about in any language, and nothing is said to be found where nothing is")


def favourites(world):
    with world.again(width=390, noise="404") as page:
        opened(world, page)
        # Nobody keeps a station that is invented here: what is asked about it is asked about one that there is.
        real = next(station["id"] for section in page.request.get("/v1/stations").json()["data"] for station in section["stations"])
        page.route("**/v1/me/favourites/station/night", lambda route: route.continue_(url=route.request.url.replace("/night", f"/{real}")))

        def kept(route):
            came = route.fetch()
            route.fulfill(response=came, body=came.text().replace(json.dumps(real), '"night"'))
        page.route("**/v1/me/favourites?**", kept)
        sent = []
        page.on("request", lambda r: sent.append((r.method, r.url.split("/v1/")[1])) if "/favourites/station/" in r.url else None)
        page.locator("[data-key=night] .heart").first.click()
        world.said(page)
        world.holds(page, lambda: ("PUT", "me/favourites/station/night") in sent, "a favourite is kept by its id", lambda: sent)
        world.holds(page, lambda: page.locator("main section").first.get_attribute("data-key") == "s-favourites", "favourites come first")
        world.enter(page, "/")
        world.until(page, "document.querySelector('.near')")
        world.enter(page, "/radio")
        world.until(page, "document.querySelector('[data-key=s-favourites] [data-key=night]')")
        world.check(page.evaluate("JSON.parse(localStorage.getItem('odi.wanted') ?? '[]').length") == 1, "and are no films")
        page.locator("[data-key=s-favourites] .heart").click()
        world.until(page, "!document.querySelector('[data-key=s-favourites]')")
        world.check(world.wait(lambda: page.evaluate("1") and ("DELETE", "me/favourites/station/night") in sent), "taken away, it is gone", sent)


def heard(world):
    """What the server tells by itself. Without a shared worker the page holds the stream, where a test can speak."""
    def said(name, **data):
        return f"event: {name}\nid: 1-1\ndata: {json.dumps(data)}\n\n"
    with world.page(noise="404|400") as page:
        page.add_init_script("delete window.SharedWorker")
        asked, held, drawn = [], [], []

        def stream(route):
            # What is told before the stations are drawn is another matter.
            if not drawn:
                held.append(route)
                return None
            topics = parse_qs(urlsplit(route.request.url).query)["topics"][0].split(",")
            asked.append(topics)
            # A server of before this topic knows none of them.
            return route.fulfill(status=200, content_type="text/event-stream", body="retry: 60000\n\n"
                                 + said("radio.now_playing", station_id="lantern", now_playing={"title": "Morning Chorus", "artist": "Nine Birds"})
                                 + said("radio.down", station_id="night", state="down"))
        page.route("**/v1/events?*", stream)
        told.tell(page)
        page.goto("/radio")
        world.settle(page)
        world.until(page, "document.querySelector('[data-key=lantern]')")
        drawn.append(True)
        world.wait(lambda: page.evaluate("1") and held)
        for route in held:
            stream(route)
        world.until(page, "document.querySelector('[data-key=lantern]')?.innerText.includes('Morning Chorus')")
        world.check(["radio"] in asked, "the radio's changes are listened to", asked)
        world.holds(page, lambda: page.locator("[data-key=night] .dead").count() == 1, "a station that fell silent says so without being asked")
        page.locator("[data-id=lantern][data-do=station]").click()
        playing(world, page)
        world.enter(page, "/settings")
        world.wait(lambda: page.evaluate("1") and "radio" in asked[-1])
        world.check("radio" in asked[-1], "and while it plays over other views too", asked[-1])
