"""Times: as printed, with their real day, in the cinema's zone whatever the browser's."""

import functools
import json

from world import LANGUAGES


def hold(page, change):
    """Lets a test say what the nearest cinema shows today."""
    def answer(route):
        fetched = route.fetch()
        body = fetched.json()
        change(body)
        route.fulfill(response=fetched, body=json.dumps(body))
    page.route("**/v1/cinemas/nearby?*", answer)


def programme(body):
    cinema = body["data"][0]
    day = cinema["days"][2]["date"]
    year, month, number = map(int, day.split("-"))
    import datetime
    after = (datetime.date(year, month, number) + datetime.timedelta(days=1)).isoformat()
    film = next(g["film"] for g in cinema["films"] if g.get("film"))
    def show(n, at, printed, **more):
        return {"id": f"show_t{n}", "cinema_id": cinema["id"], "title": film["title"], "starts_at": at, "service_date": day, "display_time": printed,
                "attributes": [], "state": "scheduled", "booking_url": "https://booking.example/", **more}
    cinema["date"] = day
    cinema["days"][2]["status"] = "open"
    cinema["films"] = [{"film": film, "showtimes": [
        show(1, f"{day}T19:30:00+09:00", "19:30", attributes=["gv"], screen="2관"),
        show(2, f"{day}T21:00:00+09:00", "21:00", seats={"state": "sold-out"}),
        show(3, f"{day}T22:00:00+09:00", "22:00", seats={"state": "few"}),
        show(4, f"{after}T00:30:00+09:00", "24:30"),
        show(5, f"{day}T18:00:00+09:00", "18:00", state="cancelled")]}]
    return datetime.date(year, month, number), datetime.date.fromisoformat(after)


WEEK = {"ko": "월화수목금토일", "ja": "月火水木金土日"}
ENGLISH = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]


def units(options):
    return [functools.partial(zoned, zone=zone) for zone in ("Asia/Seoul", "America/Los_Angeles", "Pacific/Kiritimati")] + [strip]


def strip(world):
    with world.page() as page:
        world.visit(page, "/")
        closed = page.locator(".day.off")
        for index in range(closed.count()):
            world.check("휴관" in closed.nth(index).inner_text(), "a closed day says so")
        world.check(page.locator(".day").count() == 14, "the strip has fourteen days", page.locator(".day").count())
        world.check("데모" in page.locator(".asof").inner_text(), "invented listings are marked beside their age")
        world.check("전" in page.locator(".asof time").inner_text() or "방금" in page.locator(".asof time").inner_text(), "the age is told")
        world.check(page.locator(".asof a").first.get_attribute("href").startswith("http"), "the source can be visited")


def zoned(world, zone):
    """One browser in a zone, in one language after the other."""
    with world.page(zone=zone) as page:
        for lang in LANGUAGES:
            page.unroute_all(behavior="ignoreErrors")
            page.goto("/settings?lang=" + lang)
            world.settle(page)
            one(world, page, lang, zone)


def one(world, page, lang, zone):
    days = {}
    hold(page, lambda body: days.update(zip(("day", "after"), programme(body))))
    world.enter(page, "/")
    world.until(page, "document.querySelector('[data-show=show_t4]')?.innerText")
    world.settle(page)
    chip = lambda n: page.locator(f"[data-show=show_t{n}]")
    where = f"{lang} in {zone}"
    late = chip(4).inner_text()
    if lang == "en":
        night = ENGLISH[days["day"].weekday()]
        world.check("12:30\u00a0am" in late and f"{night} night" in late, f"{where}: half past midnight belongs to its night", late)
        world.check("7:30\u00a0pm" in chip(1).inner_text(), f"{where}: evening times are read as such", chip(1).inner_text())
    else:
        real = WEEK[lang][days["after"].weekday()]
        world.check("24:30" in late and f"{real} 0:30" in late, f"{where}: 24:30 is printed with its real day", late)
    world.check(str(days["after"].day) in chip(4).get_attribute("title"), f"{where}: the tooltip has the real date")
    world.check(chip(1).evaluate("e => e.nodeName") == "A" and chip(1).get_attribute("rel") == "noopener", f"{where}: a time is a link to its booking")
    for number, words in ((2, ("매진", "完売", "Sold out")), (5, ("취소", "中止", "Cancelled"))):
        world.check(chip(number).evaluate("e => e.nodeName") == "SPAN" and any(w in chip(number).inner_text() for w in words),
                    f"{where}: what cannot be booked says so in words", chip(number).inner_text())
    world.check(any(w in chip(3).inner_text() for w in ("적음", "わずか", "Few")), f"{where}: few seats are told in words")
