"""Stored XSS, the whole way: a cinema's own site turns hostile, is read, and what it wrote is text in every view of it."""

from urllib.parse import quote

# One whose rule takes texts as they stand, and one whose texts are read as HTML a second time.
CINEMAS = ("rio", "prince-charles")
MARK = "window.hit=1"
AT = "at=51.549,-0.075"
BEFORE = "window.hit = undefined; window.noted = []; addEventListener('securitypolicyviolation', event => noted.push(event.violatedDirective + ' ' + event.blockedURI));"


def run(world):
    if not world.owns:
        print("  (no ODI_BIN: no site is made hostile)")
        return
    try:
        for cinema in CINEMAS:
            world.tool("odi-demo", "misbehave", cinema, "hostile", "--for", "10m")
            # The next visit begins at once, and is believed however unlike the last one it is.
            world.tool("odi-scraper", "approve", "demo-" + cinema)
        with world.page() as page:
            found = stored(world, page)
        if found:
            for script in (True, False):
                visits(world, found, script)
    finally:
        for cinema in CINEMAS:
            world.tool("odi-demo", "behave", cinema)
            world.tool("odi-scraper", "approve", "demo-" + cinema)


def stored(world, page):
    """Waits until what the sites wrote is in the API; a day and a film of it."""
    def shows(cinema):
        day = page.request.get(f"/v1/cinemas/{cinema}?include=days").json()["days"][1]["date"]
        return day, page.request.get(f"/v1/cinemas/{cinema}/showtimes?date={day}").json()["data"]
    hostile = lambda cinema: [row for row in shows(cinema)[1] if MARK in row["showtimes"][0]["title"] and row.get("film")]
    came = world.wait(lambda: hostile("rio") and any("9" in row["showtimes"][0]["title"] for row in shows("prince-charles")[1]), 30, 0.2)
    if not world.check(came, "what a hostile site wrote is read and kept", [row["showtimes"][0]["title"] for row in shows("rio")[1]][:4]):
        return None
    date, rows = shows("rio")
    texts = [row["showtimes"][0]["title"] for row in rows]
    screens = {show.get("screen") or "" for row in rows for show in row["showtimes"]}
    world.check(len(texts) > 3 and any(MARK in screen for screen in screens), "titles and screens of it", (texts, screens))
    row = hostile("rio")[0]
    # The last words of a hostile text are a number that no other has.
    day, others = shows("prince-charles")
    return {"date": date, "text": row["film"]["title"], "film": row["film"]["id"], "texts": texts,
            "day": day, "others": [row["showtimes"][0]["title"] for row in others]}


def visits(world, found, script):
    date, text = found["date"], found["text"]
    how = "with script" if script else "without script"
    with world.page(lang="en", width=1280, script=script, noise="404") as page:
        page.add_init_script(BEFORE)
        for path, wanted in ((f"/?{AT}&cinema=rio&date={date}", found["texts"]), (f"/cinemas/rio?date={date}", found["texts"]), (f"/cinemas/prince-charles?date={found['day']}", found["others"]),
                             (f"/films/{found['film']}?{AT}", [text]), ("/search?q=" + quote(text.split()[-1]), [text] if script else [])):
            page.goto(path)
            if script:
                world.settle(page)
                world.wait(lambda: all(plain(one) in plain(page.locator("main").text_content()) for one in wanted), 10, 0.1)
                world.quiet(page)
            where = f"{path.split('?')[0]}, {how}"
            if "prince" in path:
                world.check(any(any(letter.isdigit() for letter in one) for one in wanted), f"{where}: a hostile text is among those that are looked for", wanted[:4])
            said = plain(page.locator("main").text_content())
            missing = [one for one in wanted if plain(one) not in said]
            world.check(not missing, f"{where}: what was written can be read", (missing[:3], said[:300]))
            look(world, page, where)
        if script:
            page.goto(f"/?{AT}&cinema=rio&date={date}")
            world.settle(page)
            page.locator(f".film-title a[href='/films/{found['film']}']").first.click()
            said = lambda: plain(page.locator("dialog.sheet h1").text_content())
            world.holds(page, lambda: said() == plain(text), "a film's sheet has the title as it was written", said)
            look(world, page, "a film's sheet")


def look(world, page, where):
    world.check(page.evaluate("window.hit") is None and not page.evaluate("window.noted"), f"{where}: nothing ran, and nothing tried to", page.evaluate("[window.hit, window.noted]"))
    links = page.evaluate("[...document.querySelectorAll('[href], [src], [action], [formaction]')].flatMap(e => ['href', 'src', 'action', 'formaction'].map(n => e.getAttribute(n)).filter(Boolean))")
    bad = [link for link in links if link.strip().lower().split(":")[0].replace("\n", "") in ("javascript", "data", "vbscript", "blob")]
    world.check(not bad, f"{where}: no link is script", bad[:3])
    markup = page.evaluate("""() => [...document.querySelectorAll('main *, dialog *')].filter(e => e.matches('script, iframe, plaintext, object, embed, base')
      || [...e.attributes].some(a => a.name.startsWith('on'))).map(e => e.outerHTML.slice(0, 120))""")
    world.check(not markup, f"{where}: no element is theirs", markup[:3])


def plain(text):
    """As people see it: blanks as one, without what turns the direction of writing."""
    return " ".join((text or "").replace("\u202e", "").split())
