"""Dinner around a showing: from its time, with the evening as a bar, and words for each way it can fail."""

import datetime
import json

import told


def units(options):
    return [from_a_time, choices, sent, moved, failures]


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
        world.holds(page, lambda: page.evaluate("location.pathname") == "/", "Escape leads back")


def sent(world):
    with world.again(width=390, noise="404") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        asked = []

        def made(route):
            asked.append(json.loads(route.request.post_data))
            route.fulfill(status=201, content_type="application/json", body=json.dumps(told.plan()))
        page.route("**/v1/me/plans", made)
        page.evaluate("window.given = []; navigator.share = async what => { window.given.push(what.url); }; 0")
        world.enter(page, f"/dinner/{told.SHOW}")
        world.until(page, "document.querySelector('[data-do=plan]')")
        page.locator("[data-do=plan]").first.click()
        world.until(page, "window.given.length")
        world.check(asked == [{"showtime_id": told.SHOW, "restaurant_id": "rest_1", "mode": "before", "eat_min": 60}], "showing and place become a plan", asked)
        world.check(page.evaluate("given") == [world.base + "/plans/" + told.PLAN], "and its link is given away", page.evaluate("given"))
        world.enter(page, "/plans/" + told.PLAN)
        world.until(page, "document.querySelector('.plan h1')")
        text = lambda: page.locator("main").inner_text()
        world.holds(page, lambda: all(word in text() for word in ("괴물", "등불 극장", "등불 식당", "2층에서 봐")), "whoever has it sees film, table and word", text)
        world.check(page.locator(".plan .bar-e li").count() == 3 and page.locator("a[href$='.ics']").count() == 1, "the evening as a bar, and for the calendar")


def moved(world):
    with world.again(lang="en", noise="503|Failed to load") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        plan = told.plan()
        planned = datetime.datetime.fromisoformat(plan["showtime"]["starts_at"])
        now, over = (planned + datetime.timedelta(days=1, hours=more) for more in (0, 2))
        page.route("**/v1/plans/*", lambda r: told.fulfil(r, {**plan, "showtime_state": "moved", "starts_at_now": now.isoformat(), "ends_at_now": over.isoformat()}))
        world.enter(page, "/plans/" + told.PLAN)
        world.until(page, "document.querySelector('.plan .warn')")
        text = page.locator(".plan .warn").first.inner_text()
        world.check(all(day.strftime("%a") in text for day in (planned, now)), "a showing that has another day is told with both", text)
        page.unroute("**/v1/plans/*")
        failed = []
        page.route("**/v1/plans/*", lambda r: (failed.append(1), r.fulfill(status=503, content_type="application/problem+json", body="{}")))
        page.evaluate("dispatchEvent(new Event('online'))")
        world.wait(lambda: page.evaluate("1") and failed)
        world.quiet(page)
        world.check(failed and page.locator(".plan h1").count() == 1 and page.locator(".notice.error").count() == 0, "what is known of an evening stays while no news come")


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
        kinds = page.locator("[data-on-change=kind] option").all_inner_texts()
        world.check(kinds == ["상관없음", "居酒屋"], "the kinds of the places that there are can be chosen", kinds)
        page.locator("[data-on-change=kind]").select_option("G001")
        world.check(world.wait(lambda: page.evaluate("1") and any("genre=G001" in url and "walk_max_min=20" in url for url in asked)), "walk and kind are asked for together", asked)
        world.holds(page, lambda: page.locator("[data-on-change=budget] option").all_inner_texts() == ["상관없음", "JP¥1,500 이하", "JP¥3,000 이하", "JP¥5,000 이하", "JP¥8,000 이하"],
                    "what it may cost, in the money of the place", lambda: page.locator("[data-on-change=budget] option").all_inner_texts())
        page.locator("[data-on-change=budget]").select_option("3000")
        world.check(world.wait(lambda: page.evaluate("1") and any("budget_max=3000" in url and "genre=G001" in url for url in asked)), "and cost beside them", asked)
        world.shot(page, "dinner-wide")
        world.enter(page, f"/dinner/{told.SHOW}?genre=G002")
        chosen = lambda: page.locator("[data-on-change=kind] option:checked").inner_text()
        world.holds(page, lambda: chosen() == "한식", "one that an address chooses has its name, though no place is of that kind", chosen)


def failures(world):
    for status, kind, words in ((503, "upstream-quota", "내일 다시 돼요"), (502, "upstream-unavailable", "가져올 수 없어요"), (404, "not-found", "")):
        with world.again(width=390, noise="404|50") as page:
            page.goto("/settings")
            world.settle(page)
            told.tell(page)
            body = {"type": f"https://odi.example/problems/{kind}", "title": kind, "status": status, "detail": "give a larger walk_max_min"}
            page.route("**/v1/showtimes/*/dinner*", lambda r: r.fulfill(status=status, content_type="application/problem+json", body=json.dumps(body)))
            world.enter(page, f"/dinner/{told.SHOW}")
            world.until(page, "document.querySelector('.notice.error')")
            text = page.locator(".notice.error").inner_text()
            world.check(status == 404 or ("다시 물어" in text) == (kind != "upstream-quota"), f"{kind}: whether it is asked again by itself is told", text)
            world.check(words in text and "walk_max" not in text and (status == 404) == (page.locator("[data-do=retry]").count() == 0), f"{kind} is told apart", text)
