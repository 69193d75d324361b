"""What is read and heard: names that tell things apart, words that are true, tongues, and the room that words have."""

import told


def units(options):
    return [places, nowhere, mute, narrow, folded, lying, printed]


def places(world):
    """A cinema that is found by its city, which is told in the reader's language where the map has it."""
    def hit(n, name, english, title, highlight, city):
        return {"type": "cinema", "id": f"cinema-{n}", "title": title, "highlight": highlight, "cinema": {"id": f"cinema-{n}", "name": name, "name_en": english, "city": city}}
    hits = [hit(1, "등불극장", "Lantern Cinema", "등불극장", [], "Seoul"), hit(2, "달빛시네마", "Moonlight", "달빛시네마", [], "서울"), hit(3, "서울극장", "Seoul Cinema", "서울극장", [[0, 2]], "어딘가")]
    for lang, names, city in (("en", ["Lantern Cinema", "Moonlight", "서울극장"], "Seoul"), ("ko", ["등불극장", "달빛시네마", "서울극장"], "서울")):
        with world.again(lang=lang, noise="404") as page:
            page.route("**/v1/search?*", lambda r: told.fulfil(r, {"data": hits, "has_more": False, "next_cursor": None}))
            page.goto("/search?q=%EC%84%9C%EC%9A%B8")
            world.until(page, "document.querySelectorAll('.hits li:not(.ghost)').length === 3")
            found = page.locator(".hits h2").all_inner_texts()
            world.check(found == names, f"{lang}: cinemas that are found by their city are called by their names", found)
            world.check(page.locator(".hits mark").all_inner_texts() == ["서울"], "and what was asked for is marked where it stands")
            told_cities = lambda: [text.split("·")[1].strip() for text in page.locator(".hits p.facts").all_inner_texts()]
            world.holds(page, lambda: told_cities() == [city, city, "어딘가"], f"{lang}: cities have their names in the reader's language", told_cities)
            foreign = page.evaluate("[...document.querySelectorAll('.hits [lang=ko]')].map(e => e.textContent)")
            world.check(("어딘가" in foreign and "서울극장" in foreign) == (lang == "en"), "what is Korean on another page says so", foreign)


def nowhere(world):
    with world.page(lang="en", noise="404") as page:
        answer = page.goto("/nowhere/at/all")
        world.settle(page)
        world.check(answer.status == 404 and page.locator(".notice.error a.btn").get_attribute("href") == "/", "an address that is none says so", answer.status)
        world.check(page.locator(".near").count() == 0 and page.locator(".tabs a[aria-current]").count() == 0, "and nothing else is shown there")
        page.goto("/settings")
        world.settle(page)
        page.evaluate("history.pushState({}, '', '/gone'); history.pushState({}, '', '/settings'); history.back()")
        world.until(page, "document.querySelector('main .notice.error')")
        world.check(page.locator("main .notice.error").inner_text().startswith("There is nothing here"), "nor is it where the script alone goes", page.locator("main").inner_text()[:80])
        page.locator("main .notice.error a").click()
        world.until(page, "document.querySelector('.near')")
        world.check(True, "a way leads on")


def mute(world):
    """A source that is read and says nothing of what is shown when."""
    def source(name, **more):
        return {"id": name, "name": name, "state": "ok", "last_success": told.now().isoformat(), **more}
    sources = [source("good", showtimes=12), source("mute", showtimes=0, reason="nothing on the page says what is shown when"), source("closed", showtimes=0)]
    with world.again(noise="404") as page:
        page.route("**/v1/sources*", lambda r: told.fulfil(r, {"data": sources, "has_more": False, "next_cursor": None}))
        page.goto("/status")
        world.until(page, "document.querySelectorAll('.sources li:not(.ghost)').length === 3")
        first = page.locator(".sources li").first
        world.check("mute" in first.inner_text() and first.locator(".state.unknown").count() == 1, "what cannot be read stands first and is not called good", first.inner_text())
        world.check("nothing on" not in first.inner_text() and first.locator("[lang]").count() == 0, "why is said in the page's words", first.inner_text())
        world.check(page.locator(".sum").inner_text().replace("\n", " ").startswith("2 / 3"), "nor counted", page.locator(".sum").inner_text())


def narrow(world):
    """Words that belong together stay on a line."""
    with world.again(lang="en", noise="404") as page:
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        world.enter(page, "/discover")
        world.until(page, "document.querySelector('.hero .want')")
        world.quiet(page)
        tall = page.locator(".hero .want span").evaluate("e => e.offsetHeight / parseFloat(getComputedStyle(e).lineHeight)")
        world.check(tall < 1.5, "what a button says is one line", tall)
        world.enter(page, f"/dinner/{told.SHOW}")
        world.until(page, "document.querySelector('.place-h .leave')")
        world.check(all("\u00a0pm" in text for text in page.locator(".place-h .leave").all_text_contents()), "a time does not end its line before its half of the day")


def folded(world):
    """What narrows tonight leaves the first screen of a phone to films."""
    with world.page(lang="en") as page:
        world.visit(page, "/tonight?within=720")
        top = page.locator(".evening, .notice").first.evaluate("e => e.getBoundingClientRect().top")
        world.check(top < 330 and not page.locator(".filters, .hours").first.is_visible(), "on a phone films begin high on the first screen", top)
        page.locator(".more summary").focus()
        page.keyboard.press("Enter")
        world.until(page, "document.querySelector('.more').open")
        world.check(page.locator(".hours").is_visible(), "what narrows them is one key away")
        world.check(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "and lies within the screen", page.evaluate("document.documentElement.scrollWidth"))
        page.evaluate("import(document.querySelector('meta[name=odi]').dataset.base + '/js/app.js').then(app => app.refresh())")
        world.painted(page)
        world.check(page.locator(".hours").is_visible(), "and stays while the page is drawn anew")
        world.axe(page, "tonight with its fold open")
        page.set_viewport_size({"width": 1280, "height": 860})
        world.visit(page, "/tonight?within=720")
        world.check(page.locator(".hours").is_visible() and not page.locator(".more summary").is_visible(), "where there is room it all lies open")
        page.set_viewport_size({"width": 390, "height": 844})
        world.visit(page, "/tonight?within=720&before=26:00")
        world.check(page.locator(".hours").is_visible(), "and where something of it is chosen")
    with world.page(lang="en", width=1280, script=False) as page:
        page.goto("/tonight?within=720")
        world.check(page.locator(".hours").is_visible() and not page.locator(".more summary").is_visible(), "also without script")


def lying(world):
    """Lines begin with words, and rows with their names below each other."""
    with world.again(lang="ja", noise="404") as page:
        page.set_viewport_size({"width": 320, "height": 640})
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        world.enter(page, f"/dinner/{told.SHOW}")
        world.until(page, "document.querySelector('.places .facts')")
        broken = page.evaluate("[...document.querySelectorAll('.facts')].filter(e => / · /.test(e.textContent)).map(e => e.textContent)")
        world.check(not broken, "no line begins with a point", broken)
        world.check(page.locator(".places .facts [lang=ja]").count() == 0, "the page's own language is not told anew")
        world.enter(page, "/settings")
        world.until(page, "document.querySelector('.seg')")
        tall = page.evaluate("[...document.querySelectorAll('.seg')].filter(e => e.getBoundingClientRect().height > 60).map(e => e.textContent)")
        world.check(not tall, "a switch is one line", tall)


def printed(world):
    """On paper there is what can be read, and nothing to press."""
    with world.page(noise="404") as page:
        for path, ready in (("/tonight?within=720", ".tonight .evening > li:not(.ghost), .notice"), ("/cinemas/{}", ".cinema .strip")):
            if "{}" in path:
                path = path.format(page.request.get("/v1/cinemas/nearby?lat=37.571&lon=126.976").json()["data"][0]["id"])
            page.emulate_media(media="screen")
            page.goto(path)
            world.until(page, f"document.querySelector('main :is({ready})')")
            page.emulate_media(media="print")
            left = page.evaluate("[...document.querySelectorAll('main :is(.pill, .choices select, .links a)')].filter(e => e.checkVisibility()).map(e => e.textContent)")
            world.check(not left, f"{path}: what can only be pressed is not printed", left[:5])
