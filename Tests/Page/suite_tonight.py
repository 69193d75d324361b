"""Tonight: what is there is offered by kind, what is chosen stands in the address, and nothing left leads to more."""

import datetime
import json
import zoneinfo
from urllib.parse import parse_qs, urlsplit

FILMS = ("The Lamp", "Two Rivers", "A Late Train")
MARKS = (["subtitled", "35mm"], ["dubbed", "captioned"], ["subtitled:ja", "q-and-a"])
GENRES = {"drama": (0, 1), "science-fiction": (2,)}


def units(options):
    return [narrowed, counted_down, sorted_out, elsewhen, broken, spoken, unscripted, passed_over, sent]


CINEMAS = {"lantern": "Lantern", "harbour": "Harbour"}


def zone():
    """Where no evening ends within the next hours: at five in the morning another day's films begin."""
    seoul = zoneinfo.ZoneInfo("Asia/Seoul")
    now = datetime.datetime.now(seoul)
    return zoneinfo.ZoneInfo("America/New_York") if 2 <= now.hour < 6 else seoul


def shows():
    """Three films within two hours, the last sold out; the first once more, and elsewhere."""
    start = datetime.datetime.now(zone()).replace(second=0, microsecond=0)
    told = [*((n, n, 40 + 30 * n, "lantern", marks) for n, marks in enumerate(MARKS)), (3, 0, 110, "harbour", []), (4, 0, 115, "lantern", [])]
    for key, n, minutes, cinema, marks in told:
        title = FILMS[n]
        at = start + datetime.timedelta(minutes=minutes)
        day = (at - datetime.timedelta(hours=5)).date()
        yield {"id": f"show_{key}", "cinema_id": cinema, "film_id": f"film_{n}", "title": title, "starts_at": at.isoformat(), "service_date": str(day),
               "display_time": at.strftime("%H:%M"), "state": "scheduled", "attributes": marks, "seats": {"state": "sold-out" if n == 2 else "many"},
               "film": {"id": f"film_{n}", "title": title, "year": 2020 + n},
               "cinema": {"id": cinema, "name": CINEMAS[cinema], "location": {"lat": 37.57, "lon": 126.97}, "time_zone": zone().key, "distance_m": 800, "walk_min": 10}}


def answer(question):
    all_shows = list(shows())
    wanted = [w for w in (question.get("attribute") or [""])[0].split(",") if w]
    found = [s for s in all_shows if set(wanted) <= set(s["attributes"]) and not (question.get("hide_sold_out") and s["seats"]["state"] == "sold-out")
             and s["cinema_id"] in (question.get("cinema") or [s["cinema_id"]])[0].split(",")]
    kinds = [g for g in (question.get("genre") or [""])[0].split(",") if g]
    found = [s for s in found if not kinds or any(int(s["film_id"][-1]) in GENRES.get(kind, ()) for kind in kinds)]
    return {"genres": [{"id": kind, "name": kind.title(), "films": len(films)} for kind, films in GENRES.items()], "data": found, "has_more": False, "next_cursor": None, "sold_out": 1,
            "cinemas": [{"id": key, "name": name, "count": sum(s["cinema_id"] == key for s in all_shows)} for key, name in CINEMAS.items()],
            "attributes": [{"id": mark, "count": 1} for marks in MARKS for mark in marks]}


def counted_down(world):
    """What somebody can be at in time is counted down to; what is too far for that is not."""
    with world.page(lang="en", width=390, noise="404") as page:
        told = answer({})
        soon = next(show for show in told["data"] if show["cinema_id"] == "lantern")
        far = {**soon, "id": "show_far", "cinema_id": "harbour", "cinema": {**soon["cinema"], "id": "harbour", "name": "Harbour", "distance_m": 29_000, "walk_min": 363}}
        told["data"] = [soon, far]
        page.route("**/v1/tonight**", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps(told)))
        page.goto("/settings")
        world.settle(page)
        left = lambda: int((datetime.datetime.fromisoformat(soon["starts_at"]) - datetime.datetime.now(datetime.timezone.utc)).total_seconds() // 60)
        most = left()
        world.enter(page, "/tonight")
        world.until(page, "document.querySelectorAll('.by-cinema > li').length === 2")
        near, away = page.locator(".leave").all_inner_texts()
        world.check(near.startswith(tuple(f"in {minutes} minutes" for minutes in range(left(), most + 1))), "what is near is counted down to", (near, most))
        clock = page.locator(".chip-t").last.inner_text()
        world.check(away == clock, "what is too far to be on time is told by the clock", (away, clock))


def narrowed(world):
    with world.page(lang="en", width=390, noise="404") as page:
        asked = []

        def tell(route):
            asked.append(parse_qs(urlsplit(route.request.url).query))
            route.fulfill(status=200, content_type="application/json", body=json.dumps(answer(asked[-1])))
        page.route("**/v1/tonight**", tell)
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/tonight")
        rows = lambda count: world.until(page, f"document.querySelectorAll('.evening > li:not(.ghost)').length === {count} && !document.querySelector('.evening[aria-busy]')")
        rows(3)
        told = page.evaluate("[...document.querySelectorAll('.evening > li')].map(film => [film.querySelector('h2').textContent,"
                             " ...[...film.querySelectorAll('.by-cinema > li')].map(at => [at.querySelector('.at a').textContent, at.querySelectorAll('.chip').length])])")
        world.check(told == [[FILMS[0], ["Lantern", 2], ["Harbour", 1]], [FILMS[1], ["Lantern", 1]], [FILMS[2], ["Lantern", 1]]],
                    "each film is told once, the next one first, with its cinemas and their times", told)
        soon = page.locator(".evening > li").nth(0).locator(".by-cinema > li").nth(0).locator(".leave").inner_text()
        world.check("leave within 2" in soon, "and when to leave for the first of them", soon)
        groups = page.evaluate("[...document.querySelectorAll('.choice.many')].map(g => [g.ariaLabel, [...g.querySelectorAll('a')].map(a => a.textContent)])")
        world.check(groups == [["Cinemas", ["Lantern", "Harbour"]], ["Genre", ["Drama", "Science-Fiction"]], ["Subtitles", ["Subtitled", "Japanese subtitles"]], ["Language", ["Dubbed"]], ["Format", ["35mm"]], ["Access", ["Captioned"]],
                               ["Seats", ["Hide sold out"]]], "what is there tonight is offered by kind", groups)
        world.axe(page, "tonight with its filters")
        world.shot(page, "tonight-filters")
        page.locator(".more summary").click()
        page.get_by_role("link", name="Subtitled", exact=True).click()
        rows(1)
        world.holds(page, lambda: asked[-1].get("attribute") == ["subtitled"] and page.evaluate("location.search") == "?with=subtitled",
                    "a choice is asked for, and stands in the address", lambda: (asked[-1], page.url))
        world.holds(page, lambda: page.locator(".choice.many a").count() == 10, "what else there is stays on offer")
        page.get_by_role("link", name="35mm", exact=True).click()
        world.until(page, "location.search === '?with=subtitled,35mm'")
        rows(1)
        taken = lambda: page.locator(".choice.many a[aria-current]").all_inner_texts()
        world.holds(page, lambda: taken() == ["Subtitled", "35mm"], "several can be taken", taken)
        page.get_by_role("link", name="Subtitled", exact=True).click()
        world.until(page, "location.search === '?with=35mm'")
        page.get_by_role("link", name="Hide sold out").click()
        world.until(page, "location.search === '?with=35mm&free=1'")
        world.holds(page, lambda: asked[-1].get("hide_sold_out") == ["true"] and asked[-1].get("attribute") == ["35mm"],
                    "and taken away again; sold out is a choice of its own", lambda: asked[-1])
        page.get_by_role("link", name="Dubbed", exact=True).click()
        world.until(page, "document.querySelector('.notice.empty')")
        page.get_by_role("link", name="Without these filters").click()
        world.until(page, "location.search === ''")
        rows(3)
        world.check(True, "where nothing is left there is a way back to all")
        page.goto("/tonight?with=captioned")
        world.settle(page)
        rows(1)
        world.holds(page, lambda: page.locator(".evening h2").inner_text() == FILMS[1], "an address with filters opens with them")


def questions(page, is_empty):
    """What the page asks of tonight, while it is answered as `answer` does, or with nothing."""
    asked = []

    def tell(route):
        asked.append(parse_qs(urlsplit(route.request.url).query))
        body = answer(asked[-1])
        if is_empty(asked[-1]):
            body["data"] = []
        route.fulfill(status=200, content_type="application/json", body=json.dumps(body))
    page.route("**/v1/tonight**", tell)
    return asked


def sorted_out(world):
    """By genre, days and times of day: asked for, in the address, told in words; none is not all."""
    with world.page(lang="en", width=390, noise="404") as page:
        asked = questions(page, lambda query: query.get("start_after") == ["24:00"])
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/tonight")
        search = lambda: page.evaluate("location.search")
        rows = lambda count: world.until(page, f"document.querySelectorAll('.evening > li:not(.ghost)').length === {count} && !document.querySelector('.evening[aria-busy]')")
        rows(3)
        page.locator(".more summary").click()
        page.get_by_role("link", name="Drama", exact=True).click()
        rows(2)
        world.holds(page, lambda: asked[-1].get("genre") == ["drama"] and search() == "?genre=drama", "a genre is asked for, and stands in the address", lambda: (asked[-1], page.url))
        status = page.locator(".tonight > [role=status]")
        world.holds(page, lambda: status.inner_text() == "2 films: Drama Without these filters", "what narrows the list is told in words", lambda: status.all_inner_texts())
        page.get_by_role("combobox", name="From", exact=True).focus()
        page.get_by_role("combobox", name="From", exact=True).select_option("18:00")
        world.until(page, "location.search === '?genre=drama&after=18:00'")
        rows(2)
        world.holds(page, lambda: asked[-1].get("start_after") == ["18:00"] and asked[-1].get("genre") == ["drama"] and "from 6:00\u00a0pm" in status.inner_text(),
                    "and so is a time of day", lambda: (asked[-1], status.all_inner_texts()))
        world.check(page.evaluate("document.activeElement.name") == "after", "who chose goes on where they chose", page.evaluate("document.activeElement.outerHTML.slice(0, 80)"))
        page.get_by_role("combobox", name="Before", exact=True).select_option("25:00")
        world.until(page, "location.search === '?genre=drama&after=18:00&before=25:00'")
        world.holds(page, lambda: asked[-1].get("start_before") == ["25:00"] and "before 1:00\u00a0am" in status.inner_text(), "after midnight too, as it is called here", lambda: status.all_inner_texts())
        world.axe(page, "tonight by genre and time")
        until = page.get_by_role("combobox", name="Until", exact=True)
        until.select_option(index=2)
        world.until(page, "/&until=/.test(location.search)")
        rows(2)
        days = parse_qs(search()[1:])["until"]
        world.holds(page, lambda: asked[-1].get("date_to") == days and asked[-1]["date"][0] < days[0] and " – " in page.locator("h1").inner_text()
                    and page.locator(".leave").count() == 0, "several days are asked for and told", lambda: (asked[-1], page.locator("h1").inner_text()))
        # Showings that begin within two hours may be tomorrow's already, while it is still today.
        day = datetime.date.fromisoformat(next(shows())["service_date"])
        world.check(page.locator(".by-cinema .at").first.inner_text().startswith(f"{day:%a} {day.day} {day:%b} "), "each by itself", (str(day), page.locator(".at").all_inner_texts()))
        page.get_by_role("combobox", name="From", exact=True).select_option("24:00")
        world.until(page, "document.querySelector('.notice.empty')")
        world.check("Drama · from 12:00\u00a0am · before 1:00\u00a0am" in page.locator(".notice.empty").inner_text(), "where nothing is left, the words say why", page.locator(".notice.empty").inner_text())
        page.get_by_role("link", name="Without these filters").click()
        rows(3)
        world.check(search() == f"?until={days[0]}", "and the way back leads to all", page.url)
        world.enter(page, "/tonight?genre=")
        world.until(page, "document.querySelector('.notice.empty')")
        world.check("Nothing is chosen" in page.locator(".notice.empty").inner_text(), "an empty list is none, and not all", page.locator(".tonight").inner_text())
        page.get_by_role("link", name="Science-Fiction", exact=True).click()
        world.until(page, "location.search === '?genre=science-fiction'")
        rows(1)
        page.goto("/tonight?genre=nonsense&after=31:00&before=never&until=2020-02-31&date=2020-02-31")
        world.settle(page)
        rows(3)
        world.check(not {"genre", "start_after", "start_before", "date", "date_to"} & set(asked[-1]), "what makes no sense is passed over", asked[-1])


def elsewhen(world):
    """Another day, and only in some cinemas."""
    with world.page(lang="en", width=390, noise="404") as page:
        asked = questions(page, lambda query: query.get("date") and query.get("cinema") == ["harbour"])
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/tonight")
        rows = lambda count: world.until(page, f"document.querySelectorAll('.evening > li:not(.ghost)').length === {count} && !document.querySelector('.evening[aria-busy]')")
        rows(3)
        days = page.get_by_role("group", name="Days").get_by_role("link")
        world.check(days.count() == 7 and days.all_inner_texts()[:2] == ["Today", "Tomorrow"] and days.nth(0).get_attribute("aria-current") == "true",
                    "a week of days is there to choose from", days.all_inner_texts())
        days.nth(1).click()
        world.until(page, "/^[?]date=/.test(location.search) && !document.querySelector('.evening[aria-busy]')")
        world.holds(page, lambda: asked[-1].get("date") == [page.evaluate("location.search.slice(6)")], "another day is asked for, and stands in the address", lambda: (asked[-1], page.url))
        rows(3)
        world.holds(page, lambda: page.locator(".leave").count() == 0 and page.get_by_role("group", name="Starts within").count() == 0
                    and page.locator("h1").inner_text() != "Tonight", "of which nobody needs to know when to leave", lambda: page.locator("h1").inner_text())
        world.axe(page, "another day")
        page.locator(".more summary").click()
        page.get_by_role("link", name="Lantern", exact=True).first.click()
        world.until(page, "location.search.endsWith('&cinemas=lantern')")
        world.holds(page, lambda: asked[-1].get("cinema") == ["lantern"] and "Harbour" not in page.locator(".evening").inner_text(), "only what plays in a cinema is told", lambda: asked[-1])
        page.get_by_role("link", name="Lantern", exact=True).first.click()
        page.get_by_role("link", name="Harbour", exact=True).first.click()
        world.until(page, "document.querySelector('.notice.empty')")
        world.check(page.locator(".notice.empty a").all_inner_texts() == ["Without these filters", "Today"], "where there is nothing, ways lead to more",
                    page.locator(".notice.empty").inner_text())
        page.locator(".notice.empty a").nth(1).click()
        world.until(page, "location.search === '?cinemas=harbour'")
        rows(1)
        world.check(page.get_by_role("group", name="Starts within").count() == 1, "and back to tonight")


def broken(world):
    """An answer that cannot be drawn stops one drawing, and not all that come after it."""
    with world.page(lang="en", width=390, noise="404|null") as page:
        asked = []

        def tell(route):
            asked.append(route.request.url)
            told = {**answer(parse_qs(urlsplit(route.request.url).query)), "has_more": True}
            route.fulfill(status=200, content_type="application/json", body=json.dumps({**told, "data": [None]} if len(asked) == 1 else told))
        page.route("**/v1/tonight**", tell)
        with page.expect_event("pageerror"):
            page.goto("/tonight")
        page.get_by_role("link", name="1 hour", exact=True).click()
        world.until(page, f"document.querySelector('.evening h2')?.textContent === {json.dumps(FILMS[0])}")
        world.check("There is more" in page.locator(".tonight").inner_text(), "after a drawing that failed the next is made, and what is left out is told")


def spoken(world):
    """Another language is another page, wherever in it somebody is."""
    with world.page(lang="en", width=1280, noise="404") as page:
        page.goto("/tonight#main")
        world.settle(page)
        page.evaluate("document.querySelector('a[hreflang=ja]').click()")
        world.until(page, "document.documentElement.lang === 'ja'")
        world.check(True, "a language is taken from an address with a fragment too")


HERE = {"lat": 37.571, "lon": 126.976}


def playing(page, question):
    """The films that the API tells of the cinemas around, each once and in its order."""
    told = page.request.get("/v1/tonight", params={**HERE, "limit": 300, **question}).json()["data"]
    near = [s for s in told if s["cinema"].get("distance_m", 0) <= 30_000]
    return list(dict.fromkeys((s.get("film") or {}).get("id") or "untold-" + s["title"] for s in near))


def unscripted(world):
    """What the API tells is painted, or why there is nothing; filters and days are links."""
    now = datetime.datetime.now(zoneinfo.ZoneInfo("Asia/Seoul")) - datetime.timedelta(hours=5)
    tomorrow = str(now.date() + datetime.timedelta(days=1))
    with world.page(lang="en", script=False) as page:
        rows = page.locator(".evening > li")
        painted = lambda: rows.evaluate_all("all => all.map(one => one.dataset.key)")

        def opened(path, question):
            # A showing may begin between the two, or a cinema be read: then the API, too, tells others than before.
            for _ in range(4):
                told = playing(page, question)
                page.goto(path)
                if painted() == told or playing(page, question) == told:
                    return told
        told = opened(f"/tonight?at={HERE['lat']},{HERE['lon']}&within=720", {"within_min": 720})
        world.check(painted() == told and page.locator(".notice.empty").count() == (not told), "without script tonight is there, or why there is nothing", (painted(), told))
        # Tomorrow has films whatever the time is.
        told = opened(f"/tonight?at={HERE['lat']},{HERE['lon']}&date={tomorrow}", {"date": tomorrow})
        world.check(len(told) > 1 and painted() == told, "and so is tomorrow", (painted(), told))
        pills = page.locator(".choice.many a")
        taken = page.locator(".choice.many a[aria-current]")
        page.locator(".more summary").click()
        name = pills.first.inner_text()
        world.follow(page, pills.first)
        world.check("cinemas=" in page.url and set(page.locator(".by-cinema .at a").all_inner_texts()) == {name} and set(painted()) <= set(told), "a filter is a link", (page.url, painted()))
        world.check(taken.all_inner_texts() == [name], "that shows that it is taken", taken.all_inner_texts())
        world.follow(page, taken)
        world.check("cinemas=" not in page.url and painted() == told, "and takes itself away again", (page.url, painted()))
        days = page.get_by_role("group", name="Days").get_by_role("link")
        world.follow(page, days.nth(0))
        world.check("date=" not in page.url, "today is a link", page.url)
        world.follow(page, days.nth(1))
        world.check(f"date={tomorrow}" in page.url and page.locator(".leave").count() == 0 and painted() == told, "another day is a link as well", (page.url, painted()))


def passed_over(world):
    """What makes no sense in an address is not asked for: the page shows what it shows without it."""
    with world.page(lang="en", width=390) as page:
        asked = []
        page.on("request", lambda request: asked.append(parse_qs(urlsplit(request.url).query)) if "/v1/tonight" in request.url else None)
        page.goto("/tonight?within=4&walk=601&cinemas=Bad!ID,nowhere&with=G%20V,35mm&genre=odd&after=30:00")
        world.settle(page)
        kept = {name: asked[-1].get(name) for name in ("within_min", "walk_max_min", "cinema", "attribute", "genre", "start_after")}
        world.check(kept == {"within_min": ["180"], "walk_max_min": None, "cinema": ["nowhere"], "attribute": ["35mm"], "genre": None, "start_after": None},
                    "what makes no sense is passed over, and the rest asked for", kept)
        world.check(page.locator(".notice.error").count() == 0 and page.locator(".choice.many a[aria-current]").all_inner_texts() == ["35mm"],
                    "and nothing is refused", page.locator(".tonight").inner_text())
        page.goto("/tonight?cinemas=" + ",".join(f"cinema-{n}" for n in range(40)) + "&within=1e3")
        world.settle(page)
        world.check(len(asked[-1]["cinema"][0].split(",")) == 20 and asked[-1]["within_min"] == ["180"] and page.locator(".notice.error").count() == 0,
                    "of a list as much as there is to choose", asked[-1])


def sent(world):
    """Without script times of day and days are a form."""
    with world.page(lang="en", script=False) as page:
        page.goto("/tonight?within=720&free=1")
        page.get_by_role("combobox", name="Until", exact=True).select_option(index=1)
        page.get_by_role("combobox", name="From", exact=True).select_option("10:00")
        world.follow(page, page.get_by_role("button", name="Show", exact=True))
        asked = parse_qs(urlsplit(page.url).query)
        world.check(asked.get("after") == ["10:00"] and asked.get("free") == ["1"] and "before" not in asked and len(asked.get("until", [])) == 1, "the form sends what was chosen, and keeps the rest", page.url)
        chosen = page.locator("select").evaluate_all("all => all.map(one => one.value)")
        world.check(chosen == [asked["until"][0], "10:00", ""] and " – " in page.locator("h1").inner_text(), "and what comes shows it", (chosen, page.locator("h1").inner_text()))
        words = page.locator(".tonight > [role=status], .notice.empty p:not(.notice-t)").first.inner_text()
        world.check("from 10:00\u00a0am" in words and "Hide sold out" in words, "in words too", words)
