"""After one visit, without a network."""


def run(world):
    with world.page(workers="allow", noise="ERR_INTERNET_DISCONNECTED|Failed to|ERR_FAILED") as page:
        world.visit(page, "/")
        world.until(page, "navigator.serviceWorker?.controller !== null", 15)
        page.reload()
        world.settle(page)
        world.until(page, "document.querySelectorAll('.film').length > 0")
        cinema = page.locator(".sched-h h2").inner_text()
        page.goto("/map")
        world.settle(page)
        page.goto("/")
        world.settle(page)
        page.context.set_offline(True)
        page.reload()
        world.settle(page)
        world.until(page, "document.querySelectorAll('.film').length > 0")
        world.check(page.locator(".sched-h h2").inner_text() == cinema, "the programme is there without a network")
        world.check(not page.locator("#banner").is_hidden(), "and the page says that there is none", page.locator("#banner").inner_text())
        # Within a minute the browser's own cache answers, and the copy is as good as fresh; its age is told anyway.
        world.check("확인" in page.locator(".asof").inner_text(), "and how old this is", page.locator(".asof").inner_text())
        page.locator(".tabs a[data-tab=map]").click()
        world.until(page, "document.querySelector('.map-list a') && document.querySelector('.map .land')?.getAttribute('d')?.length > 1000")
        world.check(page.locator(".map-list a").count() > 5, "the map and its list are there too")
        page.locator(".tabs a[data-tab=tonight]").click()
        world.until(page, "document.querySelector('.notice.error, .evening > li:not(.ghost)')")
        world.check(True, "what was never seen says so")
        page.goto("/status")
        world.settle(page)
        world.check(page.locator("h1").count() >= 1, "any address opens the page")
        page.context.set_offline(False)
        # The page may have tried again by itself, and the button be gone.
        page.evaluate("document.querySelector('[data-do=retry]')?.click()")
        world.until(page, "document.querySelectorAll('.sources li:not(.ghost)').length > 0", 10)
        world.check(True, "and goes on when the network is back")
        caches = page.evaluate("caches.keys()")
        world.check(sum(c.startswith("shell-") for c in caches) == 1, "one version of the page is kept", caches)
    manifest(world)


def manifest(world):
    with world.page() as page:
        world.visit(page, "/")
        link = page.locator("link[rel=manifest]").get_attribute("href")
        answer = page.request.get(world.base + link)
        body = answer.json()
        world.check("manifest" in answer.headers["content-type"], "the manifest is served as one", answer.headers["content-type"])
        world.check(body["start_url"] == "/" and body["display"] == "standalone", "the page can be installed")
        for icon in body["icons"]:
            picture = page.request.get(world.base + link.rsplit("/", 1)[0] + "/" + icon["src"])
            world.check(picture.ok and picture.headers["content-type"].startswith("image/"), f"{icon['src']} is there")
