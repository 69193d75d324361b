"""Marks: at once, taken back with a word, in every tab, kept while there is no network."""

import json


def run(world):
    optimistic(world)
    two_tabs(world)
    outbox(world)


def optimistic(world):
    with world.page(noise="403|500|Failed to load") as page:
        world.visit(page, "/")
        world.check(not page.context.cookies(), "looking leaves no cookie", page.context.cookies())
        mark = page.locator(".film .want").first
        page.route("**/v1/me/bookmarks/*", lambda r: r.fulfill(status=500, content_type="application/problem+json",
                                                              body=json.dumps({"title": "no", "status": 500})))
        mark.click()
        world.check(mark.get_attribute("aria-pressed") == "true" or world.wait(lambda: page.locator(".toast").count() > 0), "a mark shows at once")
        world.until(page, "document.querySelector('.toast')")
        world.check(mark.get_attribute("aria-pressed") == "false", "a refused mark is taken back")
        world.check("되돌렸" in page.locator(".toast").inner_text(), "and the reason is said", page.locator(".toast").inner_text())
        page.unroute("**/v1/me/bookmarks/*")
        mark.click()
        world.until(page, "[...document.querySelectorAll('.toast')].some(t => t.textContent.includes('담았'))")
        page.locator(".tabs a[data-tab=bookmarks]").click()
        world.until(page, "document.querySelector('.saved-row')")
        world.check(page.locator(".saved-row").count() == 1, "what was marked is in the list")
        cookie = [c for c in page.context.cookies() if c["name"] in ("odi", "__Host-odi")]
        world.check(len(cookie) == 1 and cookie[0]["httpOnly"] and cookie[0]["sameSite"] == "Lax", "the session is a cookie no script reads", cookie)
        world.shot(page, "saved-one")


def two_tabs(world):
    with world.page(width=768) as first:
        world.visit(first, "/")
        first.locator(".film .want").first.click()
        world.until(first, "document.querySelector('.toast')")
        second = first.context.new_page()
        second.goto("/bookmarks")
        world.settle(second)
        world.until(second, "document.querySelector('.saved-row')")
        second.evaluate("""new MutationObserver((_, o) => { if (document.querySelector('.saved-row.gone, .notice.empty')) { window.goneAt = Date.now(); o.disconnect(); } })
          .observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true})""")
        at = first.evaluate("(document.querySelector('.film .want[aria-pressed=true]').click(), Date.now())")
        world.until(second, "window.goneAt")
        took = second.evaluate("window.goneAt") - at
        world.check(took < 300, "two tabs agree within 300 ms", f"{took} ms")
        world.check(second.locator(".saved-row.gone").count() == 1 or second.locator(".notice.empty").count() == 1, "a removed film leaves with a movement")
        world.until(second, "document.querySelector('.notice.empty')")
        world.check(True, "and the empty list says what to do")


def outbox(world):
    with world.page(noise="ERR_INTERNET_DISCONNECTED|Failed to load") as page:
        world.visit(page, "/")
        page.locator(".film .want").nth(1).click()
        world.until(page, "document.querySelector('.toast')")
        page.context.set_offline(True)
        page.locator(".film .want").nth(0).click()
        world.until(page, "!document.getElementById('banner').hidden")
        world.check(page.locator(".film .want").nth(0).get_attribute("aria-pressed") == "true", "a mark without a network stays")
        sent = []
        page.on("request", lambda r: sent.append(r.method) if "/me/bookmarks/" in r.url else None)
        page.context.set_offline(False)
        world.wait(lambda: page.evaluate("localStorage.getItem('odi.outbox')") is None, 5)
        world.check(page.evaluate("localStorage.getItem('odi.outbox')") is None and "PUT" in sent, "and is sent when there is one", sent)
        saved = page.evaluate("fetch('/v1/me/bookmarks').then(r => r.json()).then(v => v.data.length)")
        world.check(saved == 2, "nothing is lost and nothing doubled", saved)
        world.quiet(page)
