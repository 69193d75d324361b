"""One stream for all tabs; nothing is lost while the gateway is away."""

import os
import subprocess


def run(world):
    one_stream(world)
    if os.environ.get("ODI_RESTART"):
        restart(world)
    else:
        print("  (no ODI_RESTART: the gateway's restart is not tried)")


def one_stream(world):
    with world.page() as first:
        world.visit(first, "/")
        first.locator(".film .want").first.click()
        world.until(first, "document.querySelector('.toast')")
        second = first.context.new_page()
        second.goto("/bookmarks")
        world.settle(second)
        # Without the channel between tabs, only the event stream can tell the second one.
        quiet = first.context.new_page()
        quiet.goto("/bookmarks")
        world.settle(quiet)
        world.until(quiet, "document.querySelector('.saved-row')")
        hears(world, quiet)
        film = quiet.evaluate("document.querySelector('.want[aria-pressed=true]').dataset.mark")
        quiet.evaluate("""new MutationObserver(() => { if (!window.goneAt && document.querySelector('.saved-row.gone, .notice.empty')) window.goneAt = Date.now(); })
          .observe(document.querySelector('main'), {subtree: true, childList: true, attributes: true})""")
        at = first.evaluate("""async film => { await fetch('/v1/me/bookmarks/' + film, {method: 'DELETE', headers: {'X-Odi-Request': '1'}}); return Date.now(); }""", film)
        seen = world.wait(lambda: quiet.evaluate("window.goneAt"), 3)
        world.check(seen, "a removal made elsewhere arrives over the event stream")
        if seen:
            world.check(quiet.evaluate("window.goneAt") - at < 300, "within 300 ms", quiet.evaluate("window.goneAt") - at)
        world.check("shared_worker" in str([w.url for w in first.context.background_pages]) or first.evaluate("'SharedWorker' in window"),
                    "tabs share a worker")


def hears(world, page):
    """The browser's stream tells what this user saves."""
    world.until(page, "import(document.querySelector('meta[name=odi]').dataset.base + '/js/live.js').then(live => live.connected && live.hearing.includes('me'))")


def restart(world):
    with world.page(noise="ERR_|502|503|Failed to load") as page:
        world.visit(page, "/")
        page.locator(".film .want").first.click()
        world.until(page, "document.querySelector('.toast')")
        page.goto("/bookmarks")
        world.settle(page)
        world.until(page, "document.querySelector('.saved-row')")
        hears(world, page)
        cookies = "; ".join(f"{c['name']}={c['value']}" for c in page.context.cookies())
        film = page.evaluate("document.querySelector('.want[aria-pressed=true]').dataset.mark")
        subprocess.run(os.environ["ODI_RESTART"], shell=True, check=True)
        api = world.browser.new_context(base_url=world.base)
        removed = world.wait(lambda: gone(api, film, cookies), 30, 0.2)
        world.check(removed, "the gateway is back and takes a removal")
        world.check(world.wait(lambda: page.evaluate("document.querySelector('.saved-row.gone, .notice.empty') !== null"), 35),
                    "what happened around the restart arrives by itself")
        api.close()


def gone(api, film, cookies):
    try:
        return api.request.delete(f"/v1/me/bookmarks/{film}", headers={"X-Odi-Request": "1", "Cookie": cookies}).status == 204
    except Exception:
        return False
