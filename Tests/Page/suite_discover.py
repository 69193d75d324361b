"""Discover: rows that stay where they were left, walls without doubles, reasons for whoever has a past here."""

import told


def units(options):
    return [rows, paging, reasons]


def rows(world):
    with world.again(width=390, noise="404") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        world.enter(page, "/discover")
        world.until(page, "document.querySelector('.row .rail li')")
        world.quiet(page)
        titles = page.locator(".row h2").all_inner_texts()
        world.check(len(titles) >= 2 and len(set(titles)) == len(titles), "there are rows, each once", titles)
        counts = page.evaluate("[...document.querySelectorAll('.row')].map(r => [r.dataset.key, r.querySelectorAll('li').length])")
        world.check(all(n >= 3 or key == "row-near_you" for key, n in counts), "no row has fewer than three", counts)
        world.check(page.locator(".hero h2").count() == 1, "one film stands out")
        page.evaluate("scrollTo(0, 500)")
        rail = page.locator(".rail").last
        rail.evaluate("r => { r.scrollLeft = 260; }")
        world.painted(page)
        down, right = page.evaluate("scrollY"), rail.evaluate("r => r.scrollLeft")
        page.locator(".tabs a[data-tab=map]").click()
        world.until(page, "document.querySelector('.map-list a')")
        page.go_back()
        world.until(page, "document.querySelector('.row .rail li')")
        world.check(world.wait(lambda: abs(page.evaluate("scrollY") - down) < 3 and abs(page.locator(".rail").last.evaluate("r => r.scrollLeft") - right) < 3),
                    "back restores both directions", (down, right, page.evaluate("scrollY"), page.locator(".rail").last.evaluate("r => r.scrollLeft")))
        page.locator(".rail .wall-a").first.click()
        world.until(page, "document.querySelector('dialog.sheet h1')")
        world.check(True, "a film opens over the rows")


def paging(world):
    with world.again(width=768, noise="404") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        asked = []
        page.on("request", lambda r: asked.append(r.url) if "/v1/films?" in r.url else None)
        world.enter(page, "/discover?list=classics")
        world.until(page, "document.querySelectorAll('.wall > li:not(.ghost)').length === 30")
        page.evaluate("(b => { b.click(); b.click(); })(document.querySelector('[data-do=more]'))")
        world.until(page, "document.querySelectorAll('.wall > li').length === 60")
        world.check(len(asked) == 2, "two quick presses ask for one page", asked)
        page.locator("[data-do=more]").click()
        world.until(page, "document.querySelectorAll('.wall > li').length === 90 && !document.querySelector('[data-do=more]')")
        keys = page.evaluate("[...document.querySelectorAll('.wall > li')].map(l => l.dataset.key)")
        world.check(len(set(keys)) == 90, "no film stands there twice, and the end is the end")
        page.locator(".kinds a", has_text="코미디").click()
        world.until(page, "location.search === '?genre=comedy' && document.querySelector('[data-key=film_comedy_0]')")
        world.holds(page, lambda: page.locator(".kinds [aria-current]").inner_text() == "코미디", "a kind can be chosen")
        page.go_back()
        world.until(page, "document.querySelector('[data-key=film_classics_0]')")
        world.check(True, "and left again")


def reasons(world):
    with world.again(width=1280, noise="404|401") as page:
        page.goto("/settings")
        world.settle(page)
        told.tell(page)
        page.route("**/v1/me/recommendations*", lambda r: told.fulfil(r, {"data": [
            {"film": film, "score": 1, "reasons": [{"kind": "saved", "text": "‘괴물’을 담으셔서"}]} for film in told.wall(list="mine")["data"][:6]]}))
        page.evaluate("localStorage.setItem('odi.session', 'true')")
        page.reload()
        world.settle(page)
        world.enter(page, "/discover")
        world.until(page, "document.querySelector('[data-key=row-recommended]')")
        world.holds(page, lambda: "‘괴물’을 담으셔서" in page.locator("[data-key=row-recommended] li").first.inner_text(), "a recommendation says why")
        world.axe(page, "rows with reasons")
        world.shot(page, "discover-wide")
