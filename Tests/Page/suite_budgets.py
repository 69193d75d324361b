"""Bytes, requests and layout shift fail the run; times are measured under throttling and printed beside their budgets."""

import gzip
import re

import told

SCRIPT_FIRST, SCRIPT_ALL, STYLE, HTML, REQUESTS, SHIFT = 35_000, 110_000, 12_000, 14_000, 8, 0.02
OBSERVE = """
  window.seen = {cls: 0, lcp: 0, tbt: 0, inp: 0};
  new PerformanceObserver(l => { for (const e of l.getEntries()) if (!e.hadRecentInput) seen.cls += e.value; }).observe({type: 'layout-shift', buffered: true});
  new PerformanceObserver(l => { for (const e of l.getEntries()) seen.lcp = e.startTime; }).observe({type: 'largest-contentful-paint', buffered: true});
  new PerformanceObserver(l => { for (const e of l.getEntries()) seen.tbt += Math.max(0, e.duration - 50); }).observe({type: 'longtask', buffered: true});
  new PerformanceObserver(l => { for (const e of l.getEntries()) if (e.interactionId) seen.inp = Math.max(seen.inp, e.duration); }).observe({type: 'event', buffered: true, durationThreshold: 16});
"""


def run(world):
    weights(world)
    throttled(world)


def sizes(world, page, seen):
    """Packed bytes by kind and address. Bodies are fetched again: a worker's or a preload's cannot be asked for."""
    total = {}
    for url, kind in list(seen.items()):
        if kind in ("document", "script", "stylesheet", "font"):
            total.setdefault(kind, {})[url] = len(gzip.compress(page.request.get(url).body(), 9))
    return total


def weights(world):
    with world.page(noise="404") as page:
        seen = {}
        page.on("request", lambda r: seen.setdefault(r.url, r.resource_type))
        page.goto("/", wait_until="commit")
        world.wait(lambda: page.evaluate("document.querySelectorAll('.chip, .notice').length") > 0)
        first = [url for url in seen if "/events" not in url]
        painted = page.evaluate("performance.getEntriesByType('resource').filter(e => e.responseEnd < (performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9)).length + 1")
        world.settle(page)
        world.quiet(page)
        view = sizes(world, page, seen)
        script = sum(view.get("script", {}).values())
        # Counted in what the server sends, not in what a fast machine fetches meanwhile: times that stand in the document
        # need it, and what holds its painting up.
        document = page.request.get("/").text()
        stands = re.search(r'class="chip[ "]', document)
        needed = 1 + len(re.findall(r'<link rel="stylesheet"', document)) + len(re.findall(r"<script src=", document)) if stands else len(first)
        world.check(needed <= REQUESTS, f"at most {REQUESTS} requests to the first showtime", needed)
        world.check(script <= SCRIPT_FIRST, f"first view: script at most {SCRIPT_FIRST} bytes packed", script)
        style = sum(view.get("stylesheet", {}).values())
        world.check(0 < style <= STYLE, f"style at most {STYLE}", style)
        html = sum(view.get("document", {}).values())
        world.check(0 < html <= HTML, f"HTML at most {HTML}", html)
        world.check("font" not in view, "no font is loaded")
        told.tell(page)
        for path in ("/map", "/tonight", "/bookmarks", "/search", "/status", "/settings", "/discover", "/radio", "/festivals",
                     f"/festivals/{told.FESTIVAL}", f"/festivals/{told.FESTIVAL}/sessions/ses_1", f"/festivals/{told.FESTIVAL}/door", f"/dinner/{told.SHOW}", f"/plans/{told.PLAN}"):
            world.enter(page, path)
            world.quiet(page)
        every = sum(sizes(world, page, seen).get("script", {}).values())
        world.check(every <= SCRIPT_ALL, f"all script at most {SCRIPT_ALL}", every)
        print(f"    packed bytes: HTML {html}, style {style}, script at first {script}, of all views {every}; requests that the first time needs {needed}, made before it was seen {len(first)}, before the first paint {painted}")


def rests(page):
    """The page has nothing to do, and its observers were told of what it did."""
    for _ in range(3):
        page.evaluate("() => new Promise(done => requestIdleCallback(() => setTimeout(done)))")


def throttled(world):
    with world.page() as page:
        cdp = page.context.new_cdp_session(page)
        cdp.send("Network.enable")
        cdp.send("Network.emulateNetworkConditions", {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 7.5e5 / 8})
        cdp.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        page.set_default_timeout(60_000)
        page.add_init_script(OBSERVE)
        page.goto("/")
        world.until(page, "document.documentElement.classList.contains('js') && document.querySelectorAll('.chip, .notice').length > 0 && !document.querySelector('main .ghost')", 40)
        world.quiet(page, 20)
        rests(page)
        loaded = page.evaluate("({...seen})")
        page.locator(".card").nth(1).click()
        world.until(page, "document.querySelectorAll('.card')[1].getAttribute('aria-current') === 'true'")
        rests(page)
        page.locator(".film .want, .day").first.click()
        world.quiet(page, 20)
        rests(page)
        after = page.evaluate("({...seen})")
        world.check(loaded["cls"] <= SHIFT, f"layout shift at most {SHIFT}", round(loaded["cls"], 4))
        print(f"    4x CPU, 1.6 Mbit/s, 150 ms: LCP {loaded['lcp']:.0f} ms (2000), CLS {loaded['cls']:.4f} (0.02), "
              f"blocking {loaded['tbt']:.0f} ms (150), INP {after['inp']:.0f} ms (150)")
