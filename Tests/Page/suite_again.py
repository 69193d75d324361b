"""A view that failed comes by itself: asked again later each time, at once when the network is back or somebody looks again. What
stands there meanwhile says so quietly, keeps its place and the focus."""

import json

import told
from suite_flows import PROBLEM, VIEWS, examples, intercept, tabs

FAILED = "document.querySelector('main .notice.error')"
# The server asks for two seconds, which is more than the first wait.
FIRST, SECOND, THIRD = 2100, 4100, 10_100
NOISE = "503|ERR_FAILED|401|404|Failed to"


def units(options):
    return [quietly, is_left, every_view, as_painted, elsewhere, renewed, upgraded, without_script, in_a_sheet, lasts, reaches]


def refuse(page, path, how="problem"):
    """This path of the API is not answered until `whole` holds something. What was asked, and `whole`."""
    asked, whole = [], []

    def answer(route):
        asked.append(route.request.url)
        if whole:
            return route.continue_()
        if how == "offline":
            return route.abort()
        return route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(PROBLEM), headers={"Retry-After": "2"})
    page.route(path, answer)
    return asked, whole


def later(world, page, milliseconds, asked, count):
    """So much later it was asked so often, and the answer is drawn."""
    page.clock.fast_forward(milliseconds)
    came = world.wait(lambda: page.evaluate("1") and len(asked) >= count)
    world.quiet(page)
    return came


def said(page):
    return page.evaluate("[...document.querySelectorAll('#said p')].map(p => p.textContent)")


def quietly(world):
    with world.page(lang="en", width=390, noise=NOISE) as page:
        page.clock.install()
        page.goto("/settings")
        world.settle(page)
        asked, whole = refuse(page, "**/v1/sources*")
        world.enter(page, "/status")
        world.until(page, FAILED)
        status = page.locator(".notice.error [role=status]")
        world.holds(page, lambda: "asked for again" in status.inner_text(), "a view that failed says that it is asked for again", status.inner_text)
        world.check(page.locator(".notice.error [role=alert]").count() == 1 and page.locator("[role=alert] [role=status]").count() == 0,
                    "that it failed is said at once, that it goes on is said when there is quiet")
        button = page.locator(".notice.error .btn")
        button.focus()
        page.evaluate("document.querySelector('.notice.error .btn').mine = true")
        world.check(later(world, page, FIRST, asked, 2), "it is asked for by itself", asked)
        kept = "document.activeElement.mine === true && document.activeElement === document.querySelector('.notice.error .btn')"
        world.check(page.evaluate(kept), "what stands there stays, and so does the focus on it")
        world.check(page.evaluate("document.querySelectorAll('main .ghost').length") == 0, "and nothing flickers meanwhile")
        world.axe(page, "a view that failed and is asked for again")
        world.shot(page, "status-again")
        whole.append(True)
        world.check(later(world, page, SECOND, asked, 3), "and once more, later", asked)
        world.until(page, f"document.querySelector('.sources li:not(.ghost)') && !{FAILED}")
        world.check(page.evaluate("document.activeElement.id") == "main", "who was on what is gone goes on at what has come", page.evaluate("document.activeElement.outerHTML.slice(0, 80)"))
        world.holds(page, lambda: said(page)[-1:] == ["Here it is."], "that it has come is said", lambda: said(page))
        count = len(asked)
        page.clock.fast_forward(600_000)
        world.quiet(page)
        world.check(len(asked) == count, "and no more is asked", asked)
        # The focus of somebody who is elsewhere is left there.
        whole.clear()
        page.goto("/settings")
        world.settle(page)
        world.enter(page, "/status")
        world.until(page, FAILED)
        page.locator(".tabs a[data-tab=map]").focus()
        whole.append(True)
        page.clock.fast_forward(FIRST)
        world.until(page, "document.querySelector('.sources li:not(.ghost)')")
        world.check(page.evaluate("document.activeElement.dataset.tab") == "map", "who is elsewhere stays there")


def is_left(world):
    with world.page(lang="ko", width=768, noise=NOISE) as page:
        page.clock.install()
        # News of a source is asked for whenever it comes; here nobody hears any.
        page.add_init_script("delete window.EventSource")
        page.goto("/settings")
        world.settle(page)
        asked, whole = refuse(page, "**/v1/sources*", "offline")
        world.enter(page, "/status")
        world.until(page, FAILED)
        for turn, wait in enumerate((FIRST, SECOND, THIRD)):
            later(world, page, wait, asked, turn + 2)
        page.clock.fast_forward(600_000)
        world.quiet(page)
        world.check(len(asked) == 4, "after three times nobody asks any more", len(asked))
        world.holds(page, lambda: "답이 오지 않아요" in page.locator(".notice.error [role=status]").inner_text(), "and this is told",
                    lambda: page.locator(".notice.error").inner_text())
        # From here on it may ask by itself meanwhile, on a machine that is slow.
        more = lambda count: world.wait(lambda: page.evaluate("1") and len(asked) > count)
        page.locator(".notice.error .btn").click()
        world.check(more(4), "by hand it is asked for at once", len(asked))
        world.quiet(page)
        page.evaluate("dispatchEvent(new Event('online'))")
        world.check(more(5), "and when the network is back", len(asked))
        world.quiet(page)
        world.holds(page, lambda: "다시 물어볼게요" in page.locator(".notice.error [role=status]").inner_text(), "from then on by itself, as at first",
                    lambda: page.locator(".notice.error").inner_text())
        before = len(asked)
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        world.check(more(before), "and when somebody looks again", len(asked))
        world.quiet(page)
        whole.append(True)
        world.check(later(world, page, FIRST, asked, before + 2), "until it comes", len(asked))
        world.until(page, f"document.querySelector('.sources li:not(.ghost)') && !{FAILED}")


def every_view(world):
    """None waits for a hand: each failed as the suite `flows` makes it fail, and comes without anybody's doing."""
    with world.page(lang="ja", width=1280, noise=NOISE) as page:
        page.clock.install()
        page.goto("/settings")
        world.settle(page)
        been = set()
        for tab, (path, reads) in tabs(*examples(world)).items():
            view = VIEWS.get(tab, tab)
            # Of a view that was left something is known; one without questions has nothing to fail.
            if not reads or view in been:
                continue
            been.add(view)
            page.unroute_all(behavior="ignoreErrors")
            intercept(page, "problem", reads, [])
            if tab == "bookmarks":
                page.evaluate("localStorage.setItem('odi.session', 'true')")
                page.route("**/v1/me/bookmarks?*", lambda route: route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(PROBLEM)))
            world.enter(page, path)
            if not world.came(page, FAILED):
                world.check(False, f"{tab} says that it failed", page.locator("main").inner_text()[:200])
                continue
            world.quiet(page)
            page.unroute_all(behavior="ignoreErrors")
            told.tell(page)
            if tab == "bookmarks":
                page.route("**/v1/me/bookmarks?*", lambda route: route.fulfill(status=200, content_type="application/json", body=json.dumps({"data": [], "has_more": False})))
            page.clock.fast_forward(THIRD)
            world.check(world.came(page, f"!{FAILED} && !document.querySelector('main .ghost')"), f"{tab} comes by itself", page.locator("main").inner_text()[:200])


def as_painted(world):
    """What the server painted is not taken away because the script could not ask for it again."""
    with world.page(lang="en", width=390, noise=NOISE) as page:
        page.clock.install()
        asked, whole = refuse(page, "**/v1/cinemas/nearby*")
        page.goto("/")
        world.until(page, "!document.querySelector('#banner').hidden")
        world.check(page.locator(".film").count() > 0 and page.locator(".notice.error").count() == 0, "what the server painted stays", page.locator("main").inner_text()[:200])
        world.check("No news could be fetched" in page.locator("#banner").inner_text(), "and it is said that there is no news", page.locator("#banner").inner_text())
        world.axe(page, "what the server painted, without news")
        page.locator(".day").nth(1).click()
        world.until(page, FAILED)
        world.check(True, "what the server did not paint says that it failed")
        whole.append(True)
        later(world, page, THIRD, asked, 2)
        world.until(page, f"!{FAILED} && document.querySelector('.day[aria-current]') === document.querySelectorAll('.day')[1]")
        world.check(page.locator("#banner").is_hidden(), "and comes, for what was chosen meanwhile")


def elsewhere(world):
    """What failed for one day says nothing of another, and is asked for again when somebody comes back to it."""
    with world.page(lang="en", width=390, noise=NOISE) as page:
        page.clock.install()
        world.visit(page, "/")
        asked, whole = refuse(page, "**/showtimes?*")
        page.locator(".day").nth(1).click()
        world.until(page, FAILED)
        for turn, wait in enumerate((FIRST, SECOND, THIRD)):
            later(world, page, wait, asked, turn + 2)
        world.holds(page, lambda: "does not answer" in page.locator(".notice.error [role=status]").inner_text(), "a day that does not come says so")
        page.locator(".day").nth(0).click()
        world.until(page, f"!{FAILED} && document.querySelector('.film')")
        world.quiet(page)
        world.check(page.locator("#banner").is_hidden(), "a day that is there is not called old", page.locator("#banner").inner_text())
        whole.append(True)
        page.locator(".day").nth(1).click()
        world.until(page, f"!{FAILED} && document.querySelector('.day[aria-current]') === document.querySelectorAll('.day')[1] && !document.querySelector('main .ghost')")
        world.check(len(asked) == 5, "the other is asked for when somebody comes back to it", asked)


def renewed(world):
    """What is on the screen stays when its renewal fails, and that it is old is said once nobody asks any more."""
    with world.page(lang="en", width=390, noise=NOISE) as page:
        page.clock.install()
        film = examples(world)[0]
        for path, questions, there in (("/", "**/v1/cinemas/**", ".film"), (f"/films/{film}", "**/v1/films/film_*", ".film-head"), ("/tonight", "**/v1/tonight?*", ".tonight .choices")):
            world.visit(page, "/settings")
            world.enter(page, path)
            world.settle(page)
            asked, whole = refuse(page, questions)
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            world.check(world.wait(lambda: page.evaluate("1") and asked), f"{path}: what is looked at again is asked for again")
            world.quiet(page)
            world.check(page.locator("#banner").is_hidden(), f"{path}: a moment without an answer is not worth a word", page.locator("#banner").inner_text())
            for turn, wait in enumerate((FIRST, SECOND, THIRD)):
                later(world, page, wait, asked, turn + 2)
            world.until(page, "!document.querySelector('#banner').hidden")
            world.check(page.locator(there).count() > 0 and page.locator(".notice.error").count() == 0, f"{path}: what is there stays", page.locator("main").inner_text()[:200])
            whole.append(True)
            page.locator("#banner button").click()
            world.until(page, "document.querySelector('#banner').hidden")
            world.quiet(page)
            page.unroute_all(behavior="ignoreErrors")


def upgraded(world):
    """A page of before an upgrade is loaded anew when a view's script is gone: once, also if that does not help."""
    for helps in (True, False):
        with world.page(lang="en", width=390, noise=NOISE) as page:
            world.visit(page, "/")
            loads = []
            page.on("request", lambda r: loads.append(r.url) if r.is_navigation_request() else None)
            gone = lambda route: route.continue_() if helps and loads else route.fulfill(status=404, body="")
            page.route("**/js/views/radio.js", gone)
            page.route("**/shell", lambda route: route.fulfill(content_type="text/html", body='<meta name="odi" data-base="/s/newer" data-at="0,0">'))
            page.locator("a[href='/settings']:visible").first.click()
            world.until(page, "document.querySelector('main').dataset.view === 'settings'")
            with page.expect_event("domcontentloaded"):
                page.locator("a[href='/radio']:visible").first.click()
            world.check(len(loads) == 1, "a page of before an upgrade is loaded anew", loads)
            world.until(page, "document.querySelector('main').dataset.view === 'radio'")
            world.quiet(page)
            world.check(page.locator(".station").count() > 0 and len(loads) == 1 and page.url.endswith("/radio"),
                        "once, and what was chosen is there as the server paints it", (helps, loads, page.url))
            world.holds(page, lambda: page.locator("#banner").is_hidden() == helps, "that there is no news is said where there is none")


def without_script(world):
    """A view's own script does not come: the page says so, as of any other answer."""
    with world.page(lang="ko", width=390, noise=NOISE) as page:
        page.clock.install()
        page.goto("/settings")
        world.settle(page)
        asked, whole = refuse(page, "**/js/views/status.js", "offline")
        page.locator(".doors a[href='/status']").click()
        world.until(page, FAILED)
        world.check(page.evaluate("location.pathname") == "/status", "a view whose script did not come says that it failed", page.url)
        world.axe(page, "a view without its script")
        whole.append(True)
        page.clock.fast_forward(FIRST)
        world.until(page, "document.querySelector('.sources li:not(.ghost)')")
        world.check(len(asked) > 1, "and comes by itself", asked)
        page.locator(".tabs a[data-tab=more]").click()
        world.until(page, "document.querySelector('main').dataset.view === 'settings'")
        page.locator(".doors a[href='/status']").click()
        world.until(page, "document.querySelector('.sources li:not(.ghost)')")
        world.check(page.locator(".notice.error").count() == 0, "and is there from then on")


def in_a_sheet(world):
    """What is said while a sheet is open is said in it, where it can be seen and heard."""
    with world.page(lang="en", width=1280, noise=NOISE) as page:
        page.clock.install()
        world.visit(page, "/")
        asked, whole = refuse(page, "**/v1/films/film_*")
        page.locator(".film-title a").first.click()
        failed = "document.querySelector('dialog .notice.error')"
        world.until(page, failed)
        whole.append(True)
        later(world, page, FIRST, asked, 2)
        world.until(page, f"document.querySelector('dialog h1:not(.vh)') && !{failed}")
        world.check(said(page)[-1:] == ["Here it is."], "a sheet that failed comes by itself, and says so", said(page))
        page.locator("dialog .want.words").click()
        world.until(page, "document.querySelector('dialog .toast')")
        top = page.evaluate("(() => { const box = document.querySelector('.toast').getBoundingClientRect(); return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).closest('.toast') !== null; })()")
        world.check(top, "a word stands over the sheet")
        page.locator(".sheet-x").click()
        world.until(page, "!document.querySelector('dialog')")
        world.check(page.evaluate("['toasts', 'said'].every(id => document.getElementById(id).parentElement === document.body)"), "and stays when the sheet is closed")


def lasts(world):
    """A word goes by itself, but not from under somebody's pointer; who listens finds it later too."""
    with world.page(lang="en", width=1280, noise=NOISE) as page:
        page.clock.install()
        world.visit(page, "/")
        page.locator(".film .want").first.click()
        world.until(page, "document.querySelector('.toast')")
        page.locator(".toast").hover()
        page.clock.fast_forward(60_000)
        world.painted(page)
        world.check(page.locator(".toast").count() == 1, "a word that somebody is at stays")
        page.mouse.move(640, 200)
        page.clock.fast_forward(2000)
        world.until(page, "!document.querySelector('.toast')")
        world.check(len(world.said(page)) == 1, "another goes, and is there for who listens", world.said(page))


def reaches(world):
    """A browser that knows no network may well reach a server that runs beside it."""
    with world.page(lang="en", width=390, noise=NOISE) as page:
        page.add_init_script("Object.defineProperty(Navigator.prototype, 'onLine', {get: () => false})")
        world.visit(page, "/")
        world.check(page.locator("#banner").is_hidden(), "nothing is called offline that comes", page.locator("#banner").inner_text())
        refuse(page, "**/v1/**", "offline")
        page.evaluate("dispatchEvent(new Event('offline'))")
        world.until(page, "!document.querySelector('#banner').hidden")
        world.check("Offline" in page.locator("#banner").inner_text(), "and what does not come is", page.locator("#banner").inner_text())
