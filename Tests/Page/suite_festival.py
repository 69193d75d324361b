"""Festivals: a list that says all, a grid for eyes, what somebody chose of it, and what clashes."""

import json
import re

import told

PATH = f"/festivals/{told.FESTIVAL}"


def units(options):
    return [grid, agenda, cancelled, elsewhere, clocks, room, roomless, around, sheet, code, large, door]


def opened(world, page, path, ready):
    page.goto("/settings")
    world.settle(page)
    told.tell(page)
    world.enter(page, path)
    world.until(page, f"document.querySelector('main {ready}') && !document.querySelector('main .ghost')")


def grid(world):
    with world.again(width=1280, noise="404") as page:
        opened(world, page, PATH, ".fcell")
        cells = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('.fcell')].map(c => { const r = c.getBoundingClientRect();
          return [c.dataset.session, {left: r.left, right: r.right, top: r.top, bottom: r.bottom, height: r.height}]; }))""")
        world.check(len(cells) == 8, "every session is in the grid", len(cells))
        one, two = cells["ses_1"], cells["ses_2"]
        world.check(one["right"] <= two["left"] + 1 and two["top"] > one["top"], "screens stand side by side, hours below each other", (one, two))
        world.check(cells["ses_6"]["right"] <= cells["ses_7"]["left"] + 1, "what overlaps in a room stands beside each other", (cells["ses_6"], cells["ses_7"]))
        world.check(cells["ses_3"]["height"] >= 9 and cells["ses_5"]["height"] > cells["ses_6"]["height"], "longer is taller, and five minutes can be seen")
        world.check(cells["ses_5"]["top"] - cells["ses_4"]["bottom"] < 120, "a long gap is folded", cells["ses_5"]["top"] - cells["ses_4"]["bottom"])
        # Where it is now in the gap, it is folded in two parts, and told once.
        folds = page.eval_on_selector_all(".ffold:has(.vh)", """l => l.map((e) => { let next = e.nextElementSibling; while (next?.matches('.ffold')) next = next.nextElementSibling;
          return [e.previousElementSibling?.dataset.session, e.querySelector('.vh').textContent, next?.dataset.session]; })""")
        world.check(folds and all(re.search(r"\d:\d\d.*\d:\d\d", said or "") and before and after for before, said, after in folds), "a folded gap is told in words, between the sessions around it", folds)
        world.check("24:30" in page.locator("[data-session=ses_8]").inner_text(), "past midnight stays on its day")
        page.evaluate("document.querySelector('.fgrid-box').scrollTo(200, 300)")
        world.painted(page)
        stuck = page.evaluate("""() => { const b = document.querySelector('.fgrid-box').getBoundingClientRect(), s = document.querySelector('.fscreen').getBoundingClientRect(),
          h = document.querySelector('.fhour span').getBoundingClientRect(); return [Math.abs(s.top - b.top) < 3, Math.abs(h.left - b.left) < 3]; }""")
        world.check(stuck == [True, True], "screens and hours stay in sight", stuck)
        page.evaluate("document.querySelector('.fgrid-box').scrollTo(0, 0)")
        page.locator("[data-session=ses_1]").focus()
        at = lambda: page.evaluate("document.activeElement.dataset.session")
        for key, wanted in (("ArrowDown", "ses_3"), ("ArrowRight", "ses_4"), ("ArrowUp", "ses_2"), ("ArrowLeft", "ses_1"), ("End", "ses_5"), ("Home", "ses_1")):
            page.keyboard.press(key)
            world.check(at() == wanted, f"{key} moves in the grid", at())
        world.shot(page, "festival-grid")
    with world.again(width=390, noise="404") as page:
        opened(world, page, PATH, ".session")
        world.check(page.locator(".fgrid").count() == 0, "a phone gets the list")
        world.check(page.locator(".session").count() == 8, "with every session")
        page.locator(".ftools a", has_text="시간표").click()
        world.until(page, "document.querySelector('.fgrid')")
        page.reload()
        world.check("view=grid" in page.url, "and the grid if it asks, at an address of its own")


def agenda(world):
    with world.again(width=768, noise="404|Failed") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        sent = []
        page.route("**/v1/me/festivals/**/agenda/*", lambda r: (sent.append((r.request.method, r.request.url.rsplit("/", 1)[1])), r.fulfill(status=200, content_type="application/json", body="{}")))
        world.enter(page, PATH + "?view=list")
        world.until(page, "document.querySelector('.session:not(.ghost)')")
        for key in ("ses_1", "ses_2"):
            page.locator(f"[data-key={key}] .heart").click()
            world.until(page, f"document.querySelector('[data-key={key}] .heart').getAttribute('aria-pressed') === 'true'")
        world.wait(lambda: page.evaluate("1") and len(sent) == 2)
        world.check(sent == [("PUT", "ses_1"), ("PUT", "ses_2")], "what was chosen is sent, in order", sent)
        world.holds(page, lambda: page.locator(".session .warn").count() == 2 and "겹쳐" in page.locator("main .banner").inner_text(), "what clashes is told")
        page.locator(".ftools a", has_text="내 일정").click()
        world.until(page, "document.querySelectorAll('.session').length === 2")
        world.axe(page, "my agenda with a clash")
        page.locator("[data-key=ses_2] .heart").click()
        world.until(page, "document.querySelectorAll('.session').length === 1 && !document.querySelector('.session .warn')")
        world.check(True, "dropping one leaves the other in peace")
        page.locator(".ftools a", has_text="시간표").click()
        world.until(page, "document.querySelector('.fcell.mine')")
        page.locator(".fcell.mine").focus()
        page.keyboard.press("s")
        world.until(page, "document.querySelector('.notice.empty')")
        world.check(True, "s in the grid marks and unmarks")


def cancelled(world):
    """What does not take place clashes with nothing, and stays chosen."""
    day = told.timetable()
    for session in day["sessions"]:
        if session["id"] == "ses_2":
            session["cancelled"] = True
    with world.again(width=768, noise="404|Failed") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        page.route("**/v1/me/festivals/**/agenda/*", lambda r: told.fulfil(r, {}))
        page.route("**/v1/festivals/*/timetable*", lambda r: told.fulfil(r, day))
        world.enter(page, PATH + "?view=list")
        world.until(page, "document.querySelector('.session:not(.ghost)')")
        for key in ("ses_1", "ses_2"):
            page.locator(f"[data-key={key}] .heart").click()
            world.until(page, f"document.querySelector('[data-key={key}] .heart').getAttribute('aria-pressed') === 'true'")
        page.locator(".ftools a", has_text="내 일정").click()
        world.until(page, "document.querySelectorAll('.session').length === 2")
        world.check(page.locator(".session .warn").count() == 0, "what is cancelled clashes with nothing")


def elsewhere(world):
    """What clashes on another day, as the server knows it, is told on this one."""
    later = str(told.festival_days()[2])
    both = [{"id": "ses_11", "title": "아침의 강", "day": later}, {"id": "ses_12", "title": "강의 끝", "day": later}]
    with world.again(width=390, noise="404|401") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        page.route("**/v1/me/festivals/*/agenda", lambda r: told.fulfil(r, {"data": both, "conflicts": [{"sessions": ["ses_11", "ses_12"], "minutes": 40}]}))
        page.evaluate("localStorage.setItem('odi.session', 'true')")
        page.reload()
        world.settle(page)
        world.enter(page, PATH + "?view=list")
        world.until(page, "document.querySelector('main .banner a')")
        text = page.locator("main .banner").inner_text()
        world.check("아침의 강" in text and "강의 끝" in text and "40분" in text, "a clash of another day is named, with its minutes", text)
        page.locator("main .banner a").click()
        world.until(page, f"new URLSearchParams(location.search).get('day') === '{later}'")
        world.check(True, "and leads to its day")


def clocks(world):
    """Of a night in which clocks are set back, each is as the festival's city shows it then, in the list and in the grid."""
    session = lambda n, start, end: {"id": f"ses_{n}", "screen": "s1", "starts_at": start, "ends_at": end, "display_time": "24:00", "title": f"Night {n}", "flags": []}
    night = {**told.timetable(), "time_zone": "Europe/Berlin", "day": "2026-10-24", "starts_at": "2026-10-24T22:30:00+02:00", "ends_at": "2026-10-25T05:30:00+01:00", "sessions": [
        session(1, "2026-10-24T22:30:00+02:00", "2026-10-25T02:30:00+02:00"), session(2, "2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"),
        session(3, "2026-10-25T02:30:00+01:00", "2026-10-25T05:30:00+01:00")]}
    with world.again(width=1280, noise="404") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        page.route("**/v1/festivals/*/timetable*", lambda r: told.fulfil(r, night))
        world.enter(page, PATH + "?view=list")
        world.until(page, "document.querySelector('.session:not(.ghost)')")
        ends = page.locator(".session-w .small").all_inner_texts()
        world.check(ends == ["02:30", "02:30", "05:30"], "an end is told by the clock that it has", ends)
        page.locator(".ftools a", has_text="시간표").click()
        world.until(page, "document.querySelector('.fgrid')")
        hours = page.locator(".fhour span").all_inner_texts()
        world.check(hours == ["23:00", "00:00", "01:00", "02:00", "02:00", "03:00", "04:00", "05:00"], "an hour that is there twice has two lines", hours)


def room(world):
    """A screen alone, as a map's link asks for it, and back to all."""
    with world.again(width=390, noise="404") as page:
        opened(world, page, PATH + "?screen=s2&view=list", ".session")
        keys = page.eval_on_selector_all(".session", "l => l.map((e) => e.dataset.key)")
        world.check(keys == ["ses_2", "ses_4", "ses_6", "ses_7"], "a screen's sessions are shown alone", keys)
        world.check("2관" in page.locator(".alone").inner_text(), "under its name")
        page.locator(".ftools a", has_text="시간표").click()
        world.until(page, "document.querySelector('.fgrid')")
        world.check(page.locator(".fscreen").all_inner_texts() == ["2관\n2F"] and "screen=s2" in page.url, "in the grid, too", page.url)
        world.axe(page, "a screen alone")
        page.locator(".alone a").click()
        world.until(page, "document.querySelectorAll('.fscreen').length === 3 && !document.querySelector('.alone')")
        world.check("screen=" not in page.url, "and a way leads back to all", page.url)
        world.enter(page, PATH + "?screen=none&view=list")
        world.until(page, "document.querySelectorAll('.session').length === 8")
        world.check(page.locator(".alone").count() == 0, "a screen that is none narrows nothing")


def roomless(world):
    """What has no screen yet is told as the rest is."""
    day = told.timetable()
    free = {k: v for k, v in day["sessions"][1].items() if k != "screen"} | {"screens": [], "id": "ses_9", "title": "Surprise Film"}
    with world.again(width=1280, noise="404") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        page.route("**/v1/festivals/*/timetable*", lambda r: told.fulfil(r, {**day, "sessions": [*day["sessions"], free]}))
        world.enter(page, PATH + "?view=list")
        world.until(page, "document.querySelector('.session:not(.ghost)')")
        world.check(page.locator("[data-key=ses_9] h2 a").inner_text() == "Surprise Film", "it is in the list")
        page.locator(".ftools a", has_text="시간표").click()
        world.until(page, "document.querySelector('.fgrid')")
        heads = page.locator(".fscreen b").all_inner_texts()
        world.check(heads[-1] == "상영관 미정" and len(heads) == 4, "and has the grid's last column", heads)
        same = page.evaluate("document.querySelector('[data-session=ses_9]').getBoundingClientRect().left === [...document.querySelectorAll('.fscreen')].at(-1).getBoundingClientRect().left")
        world.check(same, "where it stands")


def around(world):
    """What surrounds the programme: rooms on maps, where it is, who pays for it."""
    with world.again(width=390, noise="404") as page:
        opened(world, page, PATH + "?view=list", ".session")
        world.check("Beginner" in page.locator("[data-key=ses_1]").inner_text(), "for whom a session is stands with it")
        page.locator(".floor summary").click()
        links = page.eval_on_selector_all(".floor li a", "l => l.map((e) => e.textContent)")
        world.check(links == ["1관", "2관"], "the rooms of a map are links, as far as they are there", links)
        world.check(page.locator(".floor > a[href$='/floors/2f.svg'][target=_blank] img").count() == 1, "and the map opens on its own")
        world.check("등불극장" in page.locator("#venue + p").inner_text() and page.locator("section:has(#venue) a[href^='https://maps.example']").count() == 1, "where it is leads to maps")
        tiers = page.eval_on_selector_all("section:has(#sponsors) > :is(h3, ul)", "l => l.map((e) => [...e.querySelectorAll('li')].map((i) => i.textContent).join() || e.textContent)")
        world.check(tiers == ["Lamp & Co,No Such Coffee", "Media", "Paper Boat"], "sponsors of one tier stand together, under its name if it is a word", tiers)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.locator(".floor li a", has_text="2관").click()
        world.until(page, "document.querySelectorAll('.session').length === 4 && scrollY === 0")
        world.check("screen=s2" in page.url, "a room's link leads to its sessions", page.url)


def sheet(world):
    with world.again(width=1280, noise="404") as page:
        opened(world, page, PATH, ".fcell")
        page.locator("[data-session=ses_1]").click()
        # The sheet opens with its frame; what it says has come when the calendar's link is there.
        world.until(page, "document.querySelector('dialog.sheet[open] a[href$=\\'.ics\\']')")
        text = page.locator("dialog.sheet").inner_text()
        world.check("The Long Corridor" in text and "1관" in text and "김가람" in text, "a session says what, where and with whom", text)
        world.check(page.locator("dialog a[href$='.ics']").count() == 1, "and goes into a calendar")
        world.check(page.locator("dialog .synopsis").inner_html() == '<h2>Two people</h2><p>In a building with <strong>one lamp</strong><br>they wait for the same film.</p>'
                    '<ul><li>the <a href="https://demo.example/" target="_blank" rel="noopener nofollow">demo</a></li>'
                    '<li><a href="#" target="_blank" rel="noopener nofollow">&lt;b&gt;no markup&lt;/b&gt;</a></li></ul>', "what it says of itself has its parts, and nothing that acts",
                    page.locator("dialog .synopsis").inner_html())
        world.axe(page, "a session's sheet")
        world.shot(page, "festival-session")
        page.keyboard.press("Escape")
        world.until(page, "!document.querySelector('dialog')")
        world.holds(page, lambda: page.evaluate("location.pathname") == PATH, "Escape leads back to the grid")
        page.emulate_media(media="print")
        world.check(page.locator(".ftools").is_hidden() and page.locator(".fcell").count() == 8, "on paper there are no controls")


def code(world):
    with world.again(width=390, noise="404") as page:
        opened(world, page, PATH, ".session")
        asked = []
        def answer(route):
            asked.append(route.request.headers.get("content-type"))
            told.fulfil(route, {"results": [{"text": world.base + PATH + "/sessions/ses_4"}]})
        page.route("**/v1/qr/decode", answer)
        page.locator("input[type=file]").set_input_files({"name": "code.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n"})
        world.until(page, "document.querySelector('dialog.sheet[open] h1')?.textContent === '灯台の人'")
        world.check(True, "a code on a door opens its session")
        world.check(asked == ["image/png"], "the picture is sent as what it is", asked)
    with world.again(width=390, noise="404") as page:
        opened(world, page, PATH, ".session")
        page.route("**/v1/qr/decode", lambda r: told.fulfil(r, {"results": [{"text": world.base + PATH + "?session=ses_4"}]}))
        page.locator("input[type=file]").set_input_files({"name": "code.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n"})
        world.until(page, "document.querySelector('main h1')?.textContent === '灯台の人'")
        world.holds(page, lambda: page.evaluate("location.pathname") == PATH + "/sessions/ses_4", "and so does one that names it as a parameter")


def large(world):
    """A camera's picture is larger than the server takes: the browser makes it small, whatever its kind."""
    with world.again(width=390, noise="404|413") as page:
        page.goto("/settings")
        world.settle(page)
        read = page.evaluate("""async () => {
          const api = await import(document.querySelector('meta[name=odi]').dataset.base + '/js/api.js');
          const image = new Image();
          image.src = '/v1/qr.svg?quiet=4&data=' + encodeURIComponent(location.origin + '/festivals/x');
          await image.decode();
          const canvas = Object.assign(document.createElement('canvas'), {width: 4000, height: 3000});
          const pen = canvas.getContext('2d'), noise = pen.createImageData(4000, 3000);
          let seed = 1;
          for (let i = 0; i < noise.data.length; i += 4) {
            seed = (seed * 48271) % 2147483647;
            noise.data.fill(150 + seed % 80, i, i + 3);
            noise.data[i + 3] = 255;
          }
          pen.putImageData(noise, 0, 0);
          pen.drawImage(image, 1400, 900, 1200, 1200);
          const picture = (kind) => new Promise((done) => canvas.toBlob(done, kind, 0.9)), told = {};
          for (const kind of ['image/jpeg', 'image/webp', 'image/png']) told[kind] = await api.readCode(await picture(kind));
          told.alone = (await fetch('/v1/qr/decode', {method: 'POST', body: await picture('image/jpeg'), headers: {'Content-Type': 'image/jpeg', 'X-Odi-Request': '1'}})).status;
          return told; }""")
        world.check(read.pop("alone") == 413, "the picture is larger than the server takes")
        for kind, text in read.items():
            world.check(text == world.base + "/festivals/x", f"a code in a large {kind} is read", text)


def door(world):
    """Who works at the door: a token of this tab, each ticket once, and no guest turned away for a lost answer."""
    with world.again(width=390, noise="40[349]|ERR_FAILED") as page:
        sent, outcomes = [], [403, 200, 409, None, 200, 404]
        receipt = {"admitted": True, "checked_in_at": told.now().isoformat(), "staff": "Kim", "holder": "Ada <b>", "kind": "day"}
        def answer(route):
            request = route.request
            sent.append((request.headers["x-odi-staff"], request.headers["idempotency-key"], request.post_data_json["code"]))
            status = outcomes[len(sent) - 1]
            if status is None:
                return route.abort()
            body = {**receipt, "admitted": status == 200} if status in (200, 409) else {"status": status, "title": "no"}
            return route.fulfill(status=status, content_type="application/json", body=json.dumps(body))
        page.route("**/v1/festivals/*/checkins", answer)
        opened(world, page, PATH, ".session")
        page.locator("a[href$='/door']").click()
        word = lambda text: world.until(page, f"document.querySelector('main [role=status] .notice')?.textContent.includes({json.dumps(text)})")
        def begin(token):
            page.locator("#token").fill(token)
            page.keyboard.press("Enter")
        def show(code):
            page.locator("#ticket").fill(code)
            page.keyboard.press("Enter")
        begin("토큰")
        word("토큰이 아니에요")
        world.check(not sent, "what no field can carry is not sent")
        begin("wrong")
        show("t-1")
        word("토큰이 아니에요")
        world.until(page, "document.querySelector('#token')")
        world.check(page.evaluate("JSON.stringify(sessionStorage)").find("wrong") < 0, "a token that is none is forgotten")
        begin("right")
        show("t-1")
        word("Ada <b> · day")
        world.check(page.locator(".notice.good").count() == 1, "who may come in is told, as text")
        world.until(page, "document.activeElement.id === 'ticket' && document.activeElement.value === ''")
        world.check(True, "and the next can be read at once")
        show("t-1")
        word("방금, Kim")
        world.check(page.locator(".notice.error").count() == 1, "a ticket that was shown is told with when and to whom")
        show("t-2")
        word("대답이 없어요")
        page.locator("[data-do=again]").click()
        world.until(page, "document.querySelector('.notice.good')")
        world.check(sent[3][1:] == sent[4][1:], "a lost answer is asked for with the same key", sent)
        world.check(len({key for _, key, _ in sent}) == 4, "and everything else with one of its own", sent)
        show("t-9")
        word("이 축제의 표가 아니에요")
        page.reload()
        world.until(page, "document.querySelector('#ticket')")
        world.check("right" in page.evaluate("JSON.stringify(sessionStorage)") and "right" not in page.evaluate("JSON.stringify(localStorage)"), "the token is this tab's alone")
        page.locator("[data-do=end]").click()
        world.until(page, "document.querySelector('#token')")
        world.check("right" not in page.evaluate("JSON.stringify(sessionStorage)"), "until it is forgotten")
        world.shot(page, "festival-door")
