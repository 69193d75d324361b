"""What somebody tells the server, gets back from it, and has it forget."""

import json


def units(options):
    return [report, taken, erased, back, elsewhere]


def report(world):
    """A time that is wrong: one press, and the people of this server have it."""
    with world.page(noise="503|Failed to load") as page:
        world.visit(page, "/")
        cinema = page.locator("[data-do=report]").first.get_attribute("data-subject")
        sent = []
        page.on("response", lambda r: sent.append((r.status, r.request.headers.get("idempotency-key"), json.loads(r.request.post_data))) if r.url.endswith("/v1/reports") else None)
        page.locator(".report summary").first.click()
        page.locator("[data-do=report]").first.click()
        told = world.said(page)
        world.check("고마워요" in told[0], "a report is thanked for", told)
        world.holds(page, lambda: page.locator("details.report[open]").count() == 0 and sent, "and its question closes")
        status, key, body = sent[0]
        world.check(len(sent) == 1 and status < 300 and key and body == {"subject": {"cinema_id": cinema}, "kind": "wrong-time"}, "it is sent once, under a key of its own, with what it is about", sent)
        if world.owns:
            known = json.dumps(world.tool("odi-scraper", "reports", "list"))
            world.check(cinema in known, "and whoever looks after the sites can see it", known)
        page.route("**/v1/reports", lambda r: r.fulfill(status=503, content_type="application/problem+json", body="{}"))
        world.forget(page)
        page.locator(".report summary").first.click()
        page.locator("[data-do=report]").first.click()
        told = world.said(page)
        world.check("출처" in told[0], "one that could not be taken says where to look", told)


def marked(world, page):
    """Somebody who saved one film."""
    world.visit(page, "/")
    page.locator(".film .want").first.click()
    world.said(page)
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
        world.check("지웠어요" in world.said(page, "지웠어요")[-1], "erasing says that it is done")
        world.check(saved() == 401, "the server knows nobody by this name any more", saved())
        left = page.evaluate("['wanted', 'outbox', 'session'].map(key => localStorage.getItem('odi.' + key))")
        world.check(left == [None, None, None], "and this browser forgets too", left)
        world.until(page, "!document.querySelector('[data-do=erase]')")
        world.enter(page, "/bookmarks")
        world.until(page, "document.querySelector('.notice.empty')")
        world.check(page.locator(".want[aria-pressed=true]").count() == 0, "no mark is left")


def back(world):
    """What was taken home comes back to somebody who begins anew, with the keyboard alone."""
    with world.page(accept_downloads=True) as page:
        # Listened for from the start: a browser that is told so while the key is on its way opens a choice of its own.
        choosers = []
        page.on("filechooser", lambda chooser: choosers.append(chooser))
        film = marked(world, page)
        world.enter(page, "/settings")
        with page.expect_download() as waiting:
            page.locator("[data-do=export]").click()
        with open(waiting.value.path(), "rb") as file:
            kept = file.read()
        page.locator("[data-do=erase]").click()
        page.locator("[data-do=reallyErase]").click()
        world.until(page, "!document.querySelector('[data-do=erase], [data-do=reallyErase]')")
        page.locator("input[type=file]").focus()
        page.keyboard.press("Enter")
        world.check(world.wait(lambda: page.evaluate("1") and choosers), "the keyboard opens the choice of a file")
        choosers[0].set_files({"name": "odi.json", "mimeType": "application/json", "buffer": kept})
        told = page.locator(".settings [role=status].brought")
        world.holds(page, lambda: told.inner_text() == "새로 담음: 1", "what was exported is brought back, and told aloud", told.inner_text)
        world.holds(page, lambda: page.locator("[data-do=export]").count() == 1, "whoever brings something in is somebody who has something to take home")
        saved = page.evaluate("fetch('/v1/me/bookmarks').then(r => r.json()).then(v => v.data.map(b => b.film_id))")
        world.check(saved == [film], "and the server has it", saved)
        world.enter(page, "/")
        world.settle(page)
        world.holds(page, lambda: page.locator(f"[data-mark='{film}']").first.get_attribute("aria-pressed") == "true", "its mark is on again")


def elsewhere(world):
    """A table of another site: of each line is told what came of it, in words."""
    for lang, theme, width, saved, known, year in (
            ("ko", "light", 390, "새로 담음: 1", "이미 담겨 있음: 1", "연도가 영화의 연도가 아니에요"), ("ja", "dark", 768, "新しく保存：1", "保存済み：1", "年が映画の年ではありません"),
            ("en", "light", 1280, "Saved now: 1", "Saved already: 1", "The year is no year of a film")):
        with world.page(lang=lang, theme=theme, width=width, noise="422|413|429|Failed to load") as page:
            world.visit(page, "/")
            marks = page.locator(".film .want")
            title, film = marks.first.get_attribute("data-title"), marks.first.get_attribute("data-mark")
            world.enter(page, "/settings")
            table = f'Date,Name,Year,film_id\n2026-11-20,,,{film}\n2026-11-20,"{title}",,{film}\n2026-11-20,Nothing That Anybody Made,1950,\n2026-11-20,Ran,nineteen,\n2026-11-20,"{title}",1901,\n'
            chosen = page.locator("input[type=file]")
            chosen.set_input_files({"name": "watchlist.csv", "mimeType": "text/csv", "buffer": table.encode()})
            told = page.locator(".settings [role=status].brought")
            world.holds(page, lambda: saved in told.inner_text() and known in told.inner_text(), f"{lang}: what came of a table is said in a sentence", told.inner_text)
            rows = page.locator(".settings h3 + ul.brought > li").all_inner_texts()
            world.check(len(rows) == 3 and "4" in rows[0] and "Nothing That Anybody Made" in rows[0] and "6" in rows[1] and "5" in rows[2] and "Ran" in rows[2] and year in rows[2],
                        f"{lang}: what was not found or could not be read stands open, with its line and why", rows)
            meant = page.locator(".settings ul.brought .want")
            world.check(meant.count() >= 1, f"{lang}: of what was not found films are named that may be meant", rows)
            # It may be the very film that was just saved.
            pressed = meant.first.get_attribute("aria-pressed")
            meant.first.click()
            world.holds(page, lambda: meant.first.get_attribute("aria-pressed") != pressed, f"{lang}: and their marks can be changed there", pressed)
            page.locator(".settings details summary").first.click()
            world.holds(page, lambda: page.locator(f".settings details[open] a[href='/films/{film}']").count() == 1, f"{lang}: what was saved can be looked up, and leads to the film")
            world.axe(page, f"settings with an import in {lang}")
            sideways = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
            world.check(sideways <= 0, f"{lang}: it has room", sideways)
            told.scroll_into_view_if_needed()
            world.shot(page, f"import-{lang}")
            for name, body in (("broken.json", b'{"items":[{"kind":"teapot","id":"a"}]}'), ("large.csv", b"x" * ((4 << 20) + 1))):
                before = told.inner_text()
                chosen.set_input_files({"name": name, "mimeType": "", "buffer": body})
                world.holds(page, lambda: told.inner_text() != before and name not in told.inner_text(), f"{lang}: {name} is refused with a word", told.inner_text)
                world.check(saved not in told.inner_text(), f"{lang}: and nothing of the file before is told any more", told.inner_text())
            full = {"title": "Too many requests", "status": 429, "detail": "at most 5000 things can be saved; remove some first"}
            page.route("**/v1/me/bookmarks/import", lambda r: r.fulfill(status=429, content_type="application/problem+json", body=json.dumps(full)))
            chosen.set_input_files({"name": "more.csv", "mimeType": "text/csv", "buffer": b"name\nRan\n"})
            world.holds(page, lambda: full["detail"] in told.inner_text(), f"{lang}: where no more can be kept it says so", told.inner_text)
