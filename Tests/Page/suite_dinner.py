"""Dinner around a showing: from its time, with the evening as a bar, and words for each way it can fail."""

import json

import told


def units(options):
    return [from_a_time, choices, failures]


def from_a_time(world):
    with world.again(width=390, noise="404|503") as page:
        page.goto("/")
        world.settle(page)
        told.tell(page)
        # Whichever day has an evening to come.
        world.until(page, "document.querySelector('.chip')")
        if not page.locator(".dine").count():
            page.locator(".day:not(.off):not(.unknown)").nth(1).click()
            world.until(page, "document.querySelector('.dine')")
        link = page.locator(".dine").first
        world.check("상영 전후" in link.get_attribute("aria-label"), "a time offers dinner", link.get_attribute("aria-label"))
        box = link.bounding_box()
        world.check(box["height"] >= 44 and box["width"] >= 24, "large enough to press", box)
        page.route("**/v1/showtimes/*/dinner*", lambda r: told.fulfil(r, told.dinner("after" if "mode=after" in r.request.url else "before")))
        link.click()
        world.until(page, "document.querySelector('dialog.sheet .places > li:not(.ghost)')")
        world.check(page.locator("dialog .places > li").count() == 3, "places are there, over what was there")
        world.axe(page, "the sheet of dinner")
        page.locator("dialog .pill", has_text="보고 나서").click()
        world.until(page, "location.search.includes('mode=after') && document.querySelector('dialog .bar-e li:first-child').className === 'see'")
        world.check(page.locator("dialog").count() == 1, "a choice stays in the sheet")
        page.keyboard.press("Escape")
        world.until(page, "!document.querySelector('dialog')")
        world.check(page.evaluate("location.pathname") == "/", "Escape leads back")


def choices(world):
    with world.again(width=1280) as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        asked = []
        page.on("request", lambda r: asked.append(r.url) if "/dinner?" in r.url else None)
        world.enter(page, f"/dinner/{told.SHOW}")
        world.until(page, "document.querySelector('.places > li:not(.ghost)')")
        bar = page.evaluate("""() => [...document.querySelector('.bar-e').children].map(li => [li.className, li.querySelector('b').textContent, li.getBoundingClientRect().width])""")
        world.check([b[:2] for b in bar] == [["eat", "18:10"], ["go", "19:18"], ["see", "19:30"]], "the bar goes from the table to the film", bar)
        world.check(bar[2][2] > bar[0][2] > bar[1][2], "each part as long as it takes", bar)
        world.check("19:18에 나서기" in page.locator(".places").inner_text(), "when to leave is said")
        world.check("ホットペッパー" in page.locator(".dinner > p.small").inner_text(), "whoever knows the places is credited")
        world.check(page.locator(".places .demo").count() == 1, "uncertain hours say so")
        page.locator(".pill", has_text="20분").click()
        world.wait(lambda: page.evaluate("1") and any("walk_max_min=20" in url for url in asked))
        page.locator("select").select_option("G002")
        world.check(world.wait(lambda: page.evaluate("1") and any("genre=G002" in url and "walk_max_min=20" in url for url in asked)), "walk and kind are asked for together", asked)
        world.shot(page, "dinner-wide")


def failures(world):
    for status, kind, words in ((503, "upstream-quota", "quota"), (502, "upstream-unavailable", "upstream"), (404, "not-found", "")):
        with world.again(width=390, noise="404|50") as page:
            page.goto("/settings")
            world.settle(page)
            told.tell(page)
            body = {"type": f"https://odi.example/problems/{kind}", "title": kind, "status": status, "detail": f"the {words} says why"}
            page.route("**/v1/showtimes/*/dinner*", lambda r: r.fulfill(status=status, content_type="application/problem+json", body=json.dumps(body)))
            world.enter(page, f"/dinner/{told.SHOW}")
            world.until(page, "document.querySelector('.notice.error')")
            text = page.locator(".notice.error").inner_text()
            world.check(words in text and (status == 404) == (page.locator("[data-do=retry]").count() == 0), f"{kind} is told apart", text)
