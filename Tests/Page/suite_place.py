"""Where somebody is: asked rarely, rounded, refusable."""

import re

from world import SEOUL


def units(options):
    return [moving, refused]


def moving(world):
    with world.page(located=SEOUL) as page:
        # Places, not questions: what changed since, or could not be given whole, is asked for again from where it was.
        asked = []
        page.on("request", lambda r: asked.append(r.url) if "/cinemas/nearby" in r.url and r.url not in asked[-1:] else None)
        page.clock.install()
        # Each place that the browser tells is counted once the page has had it.
        page.add_init_script("""const watch = navigator.geolocation.watchPosition.bind(navigator.geolocation); window.told = 0;
          navigator.geolocation.watchPosition = (heard, ...rest) => watch(place => { heard(place); window.told++; }, ...rest);""")
        world.visit(page, "/")
        page.locator("[data-do=place]").first.click()
        page.locator("[data-do=locate]").click()
        world.until(page, "!document.querySelector('.picker')")
        page.clock.run_for(20_000)
        world.quiet(page)
        start, told = len(asked), page.evaluate("told")
        metre = 1 / 111_195.0
        page.context.set_geolocation({**SEOUL, "latitude": SEOUL["latitude"] + 299 * metre})
        world.check(world.wait(lambda: page.evaluate("told") == told + 1), "the browser tells where it is")
        page.clock.run_for(20_000)
        world.check(len(asked) == start, "299 m ask from nowhere else", asked[start:])
        page.context.set_geolocation({**SEOUL, "latitude": SEOUL["latitude"] + 301 * metre})
        world.wait(lambda: page.evaluate("1") and len(asked) > start)
        page.clock.run_for(20_000)
        world.wait(lambda: page.evaluate("1") and not page.open)
        world.check(len(asked) == start + 1, "301 m ask from one other place", asked[start:])
        for url in asked:
            numbers = re.findall(r"(?:lat|lon)=(-?[\d.]+)", url)
            world.check(len(numbers) == 2 and all(len(n.partition(".")[2]) <= 3 for n in numbers), "three decimals leave the browser", url)
        world.check("내 위치" in page.locator(".place h1").inner_text(), "the place is called by what it is")


def refused(world):
    with world.page() as page:
        world.visit(page, "/")
        page.locator("[data-do=place]").first.click()
        page.locator("[data-do=locate]").click()
        world.until(page, "document.querySelector('.picker [role=status]')")
        world.holds(page, lambda: page.locator(".picker .pill").count() > 8, "a refusal offers cities")
        page.locator(".picker .pill", has_text="부산").click()
        world.until(page, "!document.querySelector('.picker') && document.querySelector('.place h1').textContent.includes('부산')")
        world.until(page, "!document.querySelector('main .ghost')")
        world.holds(page, lambda: "모퉁이" in page.locator(".cards").inner_text(), "the cinemas of the city are shown", lambda: page.locator(".cards").inner_text())
        page.reload()
        world.settle(page)
        world.check("모퉁이" in page.locator(".cards").inner_text(), "the choice is remembered")
        cookies = {c["name"] for c in page.context.cookies()}
        world.check(cookies <= {"at", "lang", "theme"}, "no cookie but the choices that were made", cookies)
