"""One browser, one address, and the sentences that were checked."""

import contextlib
import functools
import json
import os
import re
import subprocess
import time
from urllib.parse import urljoin

import axe_playwright_python
from playwright.sync_api import Error

LANGUAGES = ("ko", "ja", "en")
LOCALES = {"ko": "ko-KR", "ja": "ja-JP", "en": "en-GB"}
THEMES = ("light", "dark")
SIZES = {390: 844, 768: 1024, 1280: 860}
SEOUL = {"latitude": 37.571, "longitude": 126.976}
# Seconds that what must come may take. Only what does not come takes so long: a slow machine is no failure.
PATIENCE = 20.0
SAID = "[...document.querySelectorAll('#said p')].map(one => one.textContent)"
AXE = os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]


@functools.cache
def axe_source():
    with open(AXE, encoding="utf-8") as file:
        return file.read()


class World:
    def __init__(self, browser, base, options):
        self.browser = browser
        self.base = base.rstrip("/")
        self.options = options
        self.passed = 0
        self.failures = []
        self.suite = ""
        self.kept = {}

    def check(self, holds, sentence, detail=""):
        """Counts a sentence that must be true."""
        if holds:
            self.passed += 1
        else:
            self.failures.append(f"{self.suite}: {sentence}" + (f" ({str(detail)[:600]})" if detail != "" else ""))
            print(f"  ✘ {sentence} {str(detail)[:600]}", flush=True)
        return bool(holds)

    @contextlib.contextmanager
    def page(self, lang="ko", theme="light", width=390, located=None, script=True, workers="block", zone="Europe/Berlin",
             **more):
        """A page in a browser of its own; its console must stay silent unless `noise` allows a pattern."""
        noise = more.pop("noise", None)
        context = self.browser.new_context(
            locale=LOCALES[lang], timezone_id=zone, color_scheme=theme, reduced_motion="reduce",
            viewport={"width": width, "height": SIZES[width]}, java_script_enabled=script, service_workers=workers,
            geolocation=located, permissions=["geolocation"] if located else [], base_url=self.base, **more)
        try:
            with self.listened(context.new_page(), noise) as page:
                yield page
        finally:
            context.close()

    @contextlib.contextmanager
    def again(self, lang="ko", theme="light", width=390, noise=None):
        """A page in a browser that has been here before: its files are in the cache, nothing else is left of it."""
        context = self.kept.get(lang)
        if not context:
            context = self.kept[lang] = self.browser.new_context(
                locale=LOCALES[lang], timezone_id="Europe/Berlin", reduced_motion="reduce", service_workers="block",
                base_url=self.base)
        context.clear_cookies()
        page = context.new_page()
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": SIZES[width]})
        try:
            with self.listened(page, noise):
                yield page
        finally:
            page.unroute_all(behavior="ignoreErrors")
            page.evaluate("localStorage.clear()")
            page.close()

    @contextlib.contextmanager
    def listened(self, page, noise):
        """Its console must stay silent but for this pattern."""
        page.set_default_timeout(PATIENCE * 1000)
        page.messages = []
        self.counted(page)
        page.on("console", lambda m: page.messages.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: page.messages.append(str(e)))
        yield page
        # What a browser says when an interface of the machine comes or goes is not the page's doing.
        always = "blocked by Playwright|ERR_NETWORK_CHANGED"
        loud = [m for m in page.messages if not re.search(f"{noise}|{always}" if noise else always, m)]
        self.check(not loud, "the console stays silent", loud)

    def counted(self, page):
        """What was asked and not answered yet. The stream of events never is, and of a worker's script nobody is told."""
        page.open = set()
        page.on("request", lambda r: None if re.search("/v1/events|-worker[.]js", r.url) else page.open.add(r))
        for end in ("requestfinished", "requestfailed"):
            page.on(end, lambda r: page.open.discard(r))

    def close(self):
        for context in self.kept.values():
            context.close()

    def visit(self, page, path, settle=True):
        page.goto(path)
        if settle:
            self.settle(page)

    def settle(self, page):
        """Waits until nothing on the page is a placeholder, nor lacks a part that was late, nor is what the server painted
        where the script has not drawn yet."""
        self.until(page, "document.documentElement.classList.contains('js') && document.querySelector('main[data-view] > *') !== null")
        # A part that a busy machine could not give is asked for again later and later.
        self.until(page, "!document.querySelector('main .ghost, .sheet .ghost, .notice.part')", 3 * PATIENCE)
        self.quiet(page)

    def painted(self, page):
        """What was done to the page is drawn, and whoever listens to its scrolling has heard."""
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")

    def quiet(self, page, seconds=PATIENCE):
        """Nothing is asked any more, and what was answered is drawn."""
        if not hasattr(page, "open"):
            # One that a suite opened by itself is counted from now on.
            self.counted(page)
        def rests():
            # What came may ask for more a moment later.
            for _ in range(2):
                self.painted(page)
                if page.open:
                    return False
            return True
        self.wait(rests, seconds)

    def until(self, page, expression, seconds=PATIENCE):
        """Waits for something in the page. Playwright's own waiting evaluates text, which the page's policy refuses."""
        if not self.came(page, expression, seconds):
            raise AssertionError(f"{expression} did not become true in {seconds} s; the page says: "
                                 + page.locator("main").inner_text()[:200])

    def came(self, page, expression, seconds=PATIENCE):
        """True once it holds. The page looks by itself, where its clock runs: asking it again and again takes longer."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                found = page.evaluate("""async limit => { const until = Date.now() + limit, own = /native/.test(setTimeout);
                  for (;;) { const found = await (""" + expression + """); if (found) return true; if (!own || Date.now() > until) return false;
                    await new Promise(done => setTimeout(done, 15)); } }""", max(1, (until - time.monotonic()) * 1000))
                if found:
                    return True
            except Error as error:
                if "context" not in str(error) and "navigat" not in str(error):
                    raise
            time.sleep(0.03)
        return False

    def turn(self, page, theme, width):
        """The same page in another look; what it said before was heard."""
        page.unroute_all(behavior="ignoreErrors")
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": SIZES[width]})

    def look(self, page, theme, width):
        """The same view in another look: drawn anew, as it is whenever something changes, and painted."""
        page.emulate_media(color_scheme=theme)
        page.set_viewport_size({"width": width, "height": SIZES[width]})
        page.evaluate("import(document.querySelector('meta[name=odi]').dataset.base + '/js/app.js').then(app => app.refresh())")
        self.painted(page)

    def enter(self, page, path):
        """Goes to a view as a link of the page does, without asking the server for HTML."""
        page.evaluate(
            "path => { delete document.querySelector('main').dataset.view;"
            " return import(document.querySelector('meta[name=odi]').dataset.base + '/js/app.js').then(a => a.go(path)); }",
            path)
        self.until(page, "document.querySelector('main').dataset.view")

    def said(self, page, words="", times=1):
        """Waits until the page told everybody something with these words, so often. All that it told: it stays for who listens,
        while what is seen of it goes after some seconds."""
        self.until(page, SAID + f".filter(text => text.includes({json.dumps(words)})).length >= {times}")
        return page.evaluate(SAID)

    def forget(self, page):
        """What was told is as if it had not been."""
        page.evaluate("for (const id of ['toasts', 'said']) document.getElementById(id).replaceChildren()")

    def axe(self, page, where):
        if not page.evaluate("'axe' in window"):
            page.evaluate(axe_source())
        violations = page.evaluate("options => axe.run(options).then(found => found.violations)",
                                   {"runOnly": {"type": "tag", "values": AXE_TAGS}, "resultTypes": ["violations"]})
        said = [(v["id"], [n["html"][:160] for n in v["nodes"][:3]]) for v in violations]
        self.check(not violations, f"axe finds nothing in {where}", said)

    @property
    def owns(self):
        """Whether the suite behind the page is this run's own, so that its programs may be used on it."""
        return bool(os.environ.get("ODI_BIN"))

    def tool(self, program, *arguments):
        """What one of the suite's programs says, as JSON; it finds its service by `ODI_DATA`."""
        done = subprocess.run([os.path.join(os.environ["ODI_BIN"], program), *arguments, "--json"],
                              capture_output=True, text=True, timeout=60, check=False)
        if done.returncode:
            raise AssertionError(f"{program} {' '.join(arguments)}: {done.stderr.strip()}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.strip()]

    def shot(self, page, name):
        if self.options.shots:
            os.makedirs(self.options.shots, exist_ok=True)
            page.screenshot(path=os.path.join(self.options.shots, name + ".png"))

    def holds(self, page, condition, sentence, detail=None):
        """Counts a sentence that becomes true: for what the page says a moment after what was waited for."""
        came = self.wait(lambda: page.evaluate("1") and condition())
        return self.check(came, sentence, detail() if detail and not came else "")

    def follow(self, page, link, to=None):
        """Without script a link is followed once its page is there: that of a link before this one is not it. `to` is where
        it leads, if a script leads elsewhere than its address."""
        href = to or link.get_attribute("href")
        # A form's button says nothing of where it leads.
        there = urljoin(page.url, href) if href else None
        with page.expect_navigation(url=lambda url: there is None or url == there):
            link.click()

    def wait(self, condition, seconds=PATIENCE, step=0.02):
        """True as soon as the condition is, false when the time is over."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if condition():
                return True
            time.sleep(step)
        return False
