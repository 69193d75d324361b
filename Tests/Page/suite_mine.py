"""What somebody tells the server, gets back from it, and has it forget."""

import json


def units(options):
    return [report, taken, erased]


def report(world):
    """A time that is wrong: one press, and the people of this server have it."""
    with world.page(noise="503|Failed to load") as page:
        world.visit(page, "/")
        cinema = page.locator("[data-do=report]").first.get_attribute("data-subject")
        sent = []
        page.on("response", lambda r: sent.append((r.status, r.request.headers.get("idempotency-key"), json.loads(r.request.post_data))) if r.url.endswith("/v1/reports") else None)
        page.locator(".report summary").first.click()
        page.locator("[data-do=report]").first.click()
        world.until(page, "document.querySelector('.toast')")
        world.check("고마워요" in page.locator(".toast").inner_text(), "a report is thanked for", page.locator(".toast").inner_text())
        world.holds(page, lambda: page.locator("details.report[open]").count() == 0 and sent, "and its question closes")
        status, key, body = sent[0]
        world.check(len(sent) == 1 and status < 300 and key and body == {"subject": {"cinema_id": cinema}, "kind": "wrong-time"}, "it is sent once, under a key of its own, with what it is about", sent)
        if world.owns:
            known = json.dumps(world.tool("odi-scraper", "reports", "list"))
            world.check(cinema in known, "and whoever looks after the sites can see it", known)
        page.route("**/v1/reports", lambda r: r.fulfill(status=503, content_type="application/problem+json", body="{}"))
        page.evaluate("document.getElementById('toasts').replaceChildren()")
        page.locator(".report summary").first.click()
        page.locator("[data-do=report]").first.click()
        world.until(page, "document.querySelector('.toast')")
        world.check("출처" in page.locator(".toast").inner_text(), "one that could not be taken says where to look", page.locator(".toast").inner_text())


def marked(world, page):
    """Somebody who saved one film."""
    world.visit(page, "/")
    page.locator(".film .want").first.click()
    world.until(page, "document.querySelector('.toast')")
    return page.locator(".film .want").first.get_attribute("data-mark")


def taken(world):
    with world.page(accept_downloads=True) as page:
        film = marked(world, page)
        world.enter(page, "/settings")
        with page.expect_download() as waiting:
            page.locator("[data-do=export]").click()
        world.check(waiting.value.suggested_filename == "odi.json", "what is kept can be taken home as a file", waiting.value.suggested_filename)
        with open(waiting.value.path(), encoding="utf-8") as file:
            text = file.read()
        json.loads(text)
        world.check(film in text, "with every film that was saved", text[:300])
        token = next(c["value"] for c in page.context.cookies() if c["name"] in ("odi", "__Host-odi"))
        world.check(token not in text, "and no secret in it")


def erased(world):
    with world.page(noise="401|Failed to load") as page:
        marked(world, page)
        world.enter(page, "/settings")
        page.locator("[data-do=erase]").click()
        world.until(page, "document.querySelector('[data-do=reallyErase]')")
        page.locator("[data-do=keep]").click()
        world.until(page, "document.querySelector('[data-do=erase]')")
        saved = lambda: page.evaluate("fetch('/v1/me/bookmarks').then(r => r.status === 200 ? r.json().then(v => v.data.length) : r.status)")
        world.check(saved() == 1, "nothing is erased before it was said twice", saved())
        page.locator("[data-do=erase]").click()
        page.locator("[data-do=reallyErase]").click()
        done = "[...document.querySelectorAll('.toast')].some(toast => toast.textContent.includes('지웠어요'))"
        world.check(world.came(page, done), "erasing says that it is done", page.locator(".toast").all_inner_texts())
        world.check(saved() == 401, "the server knows nobody by this name any more", saved())
        left = page.evaluate("['wanted', 'outbox', 'session'].map(key => localStorage.getItem('odi.' + key))")
        world.check(left == [None, None, None], "and this browser forgets too", left)
        world.until(page, "!document.querySelector('[data-do=erase]')")
        world.enter(page, "/bookmarks")
        world.until(page, "document.querySelector('.notice.empty')")
        world.check(page.locator(".want[aria-pressed=true]").count() == 0, "no mark is left")
