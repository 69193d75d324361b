"""Whole ways through the suite as it is, with nothing invented: a station that is heard, a code on a door, a table before a
film, a programme on paper, an old link."""

import base64
from urllib.parse import quote


def units(options):
    return [station, code, floor, table, paper, meant, moved]


def station(world):
    with world.page(noise="404") as page:
        # What plays can be asked how far it has come.
        page.add_init_script("const Player = window.Audio; window.Audio = function () { return window.sound = new Player(); };")
        world.visit(page, "/radio")
        page.locator(".station:not(:has(.dead)) [data-do=station]").first.click()
        world.until(page, "window.sound?.currentTime > 0", 15)
        began = page.evaluate("sound.currentTime")
        world.until(page, f"sound.currentTime >= {began} + 3", 15)
        world.check(page.evaluate("!sound.paused && !sound.error && !sound.muted"), "a station of the suite is heard for three seconds")
        world.check(page.evaluate("new URL(sound.currentSrc).origin === location.origin"), "from our own address", page.evaluate("sound.currentSrc"))
        page.locator("#player [data-do=radioToggle]").click()
        world.holds(page, lambda: page.evaluate("sound.paused"), "and falls silent when it is told to")


def code(world):
    """The code beside a session's door, as a camera would see it."""
    with world.page(noise="404") as page:
        festival = page.request.get("/v1/festivals").json()["data"][0]
        session = page.request.get(f"/v1/festivals/{festival['id']}/timetable?day={festival['days'][0]}").json()["sessions"][0]
        world.visit(page, "/festivals/" + festival["id"])
        world.until(page, "document.querySelector('input[type=file]')")
        address = f"{world.base}/festivals/{festival['id']}/sessions/{session['id']}"
        picture = page.evaluate("""async address => { const image = new Image(); image.src = '/v1/qr.svg?data=' + encodeURIComponent(address); await image.decode();
          const canvas = document.createElement('canvas'); canvas.width = canvas.height = 480; const paper = canvas.getContext('2d');
          paper.fillStyle = '#fff'; paper.fillRect(0, 0, 480, 480); paper.drawImage(image, 40, 40, 400, 400); return canvas.toDataURL('image/png').split(',')[1]; }""", address)
        page.locator("input[type=file]").set_input_files({"name": "door.png", "mimeType": "image/png", "buffer": base64.b64decode(picture)})
        world.until(page, "document.querySelector('dialog.sheet[open] h1')", 15)
        names = [name for name in (session["title"], session.get("subtitle")) if name]
        world.wait(lambda: any(name in page.locator("dialog.sheet").inner_text() for name in names), step=0.1)
        text = page.locator("dialog.sheet").inner_text()
        world.check(session["title"] in text or (session.get("subtitle") or "?") in text, "a code that we drew leads to its session", (session["title"], text[:200]))
        world.holds(page, lambda: page.url == address, "at its own address", lambda: page.url)


def floor(world):
    """A map of a floor on its own: a room in it is pressed."""
    with world.page(noise="404") as page:
        festival = page.request.get("/v1/festivals").json()["data"][0]
        floor = next(f for f in page.request.get(f"/v1/festivals/{festival['id']}/floors").json()["data"] if f.get("rooms"))
        world.visit(page, f"/festivals/{festival['id']}")
        world.until(page, "document.querySelector('details.floor')")
        page.locator("details.floor", has=page.locator(f"img[src='{floor['url']}']")).locator("summary").click()
        with page.expect_popup() as opened:
            page.locator(f"details.floor > a[href='{floor['url']}']").click()
        alone = opened.value
        alone.wait_for_load_state()
        alone.locator("a").first.click()
        alone.wait_for_url("**/festivals/**screen=*")
        world.until(alone, "document.querySelector('.alone')")
        world.check(f"screen={floor['rooms'][0]}" in alone.url, "a room that is pressed on a map leads to its screen alone", alone.url)


def table(world):
    """Where to eat around a showing that the suite has."""
    with world.page(noise="404") as page:
        ask = lambda path: page.request.get("/v1/" + path).json()
        near = ask("cinemas/nearby?lat=37.571&lon=126.976&include=days")["data"][0]
        films = ask(f"cinemas/{near['id']}/showtimes?date={near['days'][1]['date']}")["data"]
        shows = sorted((show for film in films for show in film["showtimes"]), key=lambda show: show["starts_at"], reverse=True)
        show = next(show for show in shows if ask(f"showtimes/{show['id']}/dinner").get("data"))
        world.visit(page, "/settings")
        world.enter(page, "/dinner/" + show["id"])
        world.until(page, "document.querySelector('.places > li:not(.ghost)')", 15)
        world.settle(page)
        wanted = ask(f"showtimes/{show['id']}/dinner?mode=before")["data"]
        world.check(page.locator(".places > li").count() > 0 and wanted, "a showing has places around it", page.locator("main").inner_text()[:200])
        text = page.locator("main").inner_text()
        world.check(wanted[0]["restaurant"]["name"] in text, "those that the server knows", (wanted[0]["restaurant"]["name"], text[:200]))
        world.check(show["display_time"] in page.locator(".bar-e").first.inner_text(), "and the evening ends with the film", (show["display_time"], page.locator(".bar-e").first.inner_text()))
        leave = wanted[0]["leave_by"][11:16]
        world.check(leave in text, "when to leave is told by the suite's own clock", leave)


def meant(world):
    """A name with more slips than a search forgives by itself."""
    with world.page(lang="en", noise="404") as page:
        ask = lambda text: page.request.get("/v1/search?lang=en&q=" + quote(text)).json()
        classics = page.request.get("/v1/films?list=classics&limit=100&lang=en").json()["data"]
        titles = [title for title in (one.get("film", one)["title"] for one in classics) if title.isascii() and len(title) > 9]
        # A letter too many in three places.
        slipped = ((title, "".join(letter + ("q" if at in (2, 3, len(title) - 3) else "") for at, letter in enumerate(title))) for title in titles)
        found = next(((title, text) for title, text in slipped if not ask(text)["data"] and ask(text).get("did_you_mean") == title), None)
        if not world.check(found, "a name with some slips is known for the one that was meant", titles[:5]):
            return
        title, text = found
        world.visit(page, "/search?q=" + quote(text))
        world.until(page, "document.querySelector('.notice.empty a')")
        world.check(title in page.locator(".notice.empty a").inner_text(), "where nothing is found, that one is offered", page.locator("main").inner_text())
        world.axe(page, "a name that was meant")
        page.locator(".notice.empty a").click()
        world.until(page, "document.querySelector('.hits li:not(.ghost)')")
        world.holds(page, lambda: title in page.locator(".hits").inner_text(), "and pressing it finds it", lambda: page.locator("main").inner_text()[:200])
        world.check(page.locator("#q").input_value() == title, "under its own name", page.locator("#q").input_value())


def paper(world):
    """A day of a cinema, printed."""
    with world.page(width=1280) as page:
        cinema = page.request.get("/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days").json()["data"][0]
        date = cinema["days"][1]["date"]
        films = page.request.get(f"/v1/cinemas/{cinema['id']}/showtimes?date={date}").json()["data"]
        times = sorted(show["display_time"] for film in films for show in film["showtimes"])
        world.visit(page, f"/cinemas/{cinema['id']}?date={date}")
        world.until(page, "document.querySelector('.film')")
        page.emulate_media(media="print")
        world.painted(page)
        for what, place in (("tabs", ".tabs"), ("the head with its tools", ".top"), ("the strip of days", ".strip"), ("marks", ".want"), ("ways to dinner", ".dine"), ("a question whether it is right", ".report")):
            world.check(page.locator(place + ":visible").count() == 0, f"on paper there is no {what}", page.locator(place + ":visible").count())
        frames = page.evaluate("[...document.querySelectorAll('.chip')].filter(c => { const s = getComputedStyle(c); return s.borderTopWidth !== '0px' || s.backgroundColor !== 'rgba(0, 0, 0, 0)'; }).length")
        world.check(frames == 0, "times are text, not buttons", frames)
        printed = sorted(page.locator(".chip-t:visible").all_inner_texts())
        world.check(printed == times and len(times) > 5, "every time of the day is there", (printed, times))
        struck = page.evaluate("[...document.querySelectorAll('.chip:not(.cancelled, .sold) .chip-t')].filter(c => getComputedStyle(c).textDecorationLine !== 'none' || getComputedStyle(c).visibility !== 'visible').length")
        world.check(struck == 0, "and none is struck out that can be seen", struck)
        sheets = page.pdf(format="A4", prefer_css_page_size=True).count(b"/Type /Page\n")
        world.check(0 < sheets <= 2, "a day fits on two sheets", sheets)


def moved(world):
    """A cinema that stood in the directory twice: old links lead to the other, from outside and from within."""
    if not world.owns:
        return
    with world.page(noise="404|410") as page:
        other = page.request.get("/v1/cinemas/nearby?lat=37.571&lon=126.976").json()["data"][0]["id"]
        world.tool("odi-locator", "add", "page-twice", "--name", "Twice", "--country", "KR", "--region", "jeju", "--lat", "33.5", "--lon", "126.5")
        world.tool("odi-locator", "rm", "page-twice", "--replaced-by", other, "--yes")
        world.visit(page, "/cinemas/page-twice?lang=en")
        world.check(page.evaluate("location.pathname + location.search") == f"/cinemas/{other}?lang=en", "an old link to a cinema leads on", page.url)
        world.visit(page, "/")
        page.evaluate("""() => { const link = document.createElement('a'); link.href = '/cinemas/page-twice?date=2026-11-23'; link.id = 'old';
          document.querySelector('main').append(link); link.click(); }""")
        world.until(page, f"location.pathname === '/cinemas/{other}' && document.querySelector('.cinema h1')")
        world.check("date=2026-11-23" in page.url and page.evaluate("performance.getEntriesByType('navigation').length") == 1,
                    "and so does one within the page, with what it asks for", page.url)
        page.go_back()
        world.until(page, "location.pathname === '/'")
        world.settle(page)
