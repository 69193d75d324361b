"""What a hostile site writes is text; the page's policy stands; nobody else is talked to."""

import functools
import json
import re
from urllib.parse import parse_qsl, urlsplit

import told

HOSTILE = [
    "<script>window.hit=1</script>", "<img src=x onerror=window.hit=1>", "\"><svg onload=window.hit=1>", "'-window.hit=1-'",
    "</title><script>window.hit=1</script>", "<!--", "]]>", "{{constructor.constructor('window.hit=1')()}}", "\u202egnp.exe", "&lt;b&gt;",
    "</script><script>window.hit=1</script>", "<a href=javascript:window.hit=1>x</a>", "%3Cscript%3E", "\u0000\u0001x", "<plaintext>",
]
LINKS = ["javascript:window.hit=1", "JaVaScRiPt:window.hit=1", " javascript:window.hit=1", "data:text/html,<script>opener.hit=1</script>",
         "vbscript:x", "//evil.example/", "/\\evil.example", "blob:x", "https://booking.example/?a=<script>"]


def poison(value, counter):
    if isinstance(value, dict):
        out = {}
        for key, item in value.items():
            if key in ("title", "original_title", "screen", "name", "name_en", "address", "synopsis", "hint", "detail", "reason", "year", "city", "description", "abstract", "open", "text", "display", "code", "floor", "artist"):
                counter[0] += 1
                out[key] = HOSTILE[counter[0] % len(HOSTILE)]
            elif key in ("booking_url", "url", "website", "instagram", "naver", "kakao", "google", "apple", "osm", "page_url", "homepage", "pc"):
                counter[0] += 1
                out[key] = LINKS[counter[0] % len(LINKS)]
            elif key in ("directors", "cast", "genres", "countries", "tags", "flags") and isinstance(item, list):
                out[key] = HOSTILE[:4]
            elif key == "attributes" and ("data" in value or item and isinstance(item[0], dict)):
                # Those of a list, with how many there are; late in the evening there may be none.
                out[key] = [{"id": f"subtitled:{one}", "count": 1} for one in HOSTILE[:4]]
            elif key == "attributes":
                out[key] = ["gv", "<script>window.hit=1</script>", "subtitled:<b>"]
            else:
                out[key] = poison(item, counter)
        return out
    return [poison(v, counter) for v in value] if isinstance(value, list) else value


PATHS = ("/", "/map?cinema=", "/tonight?within=720", "/status", "/search?q=a", "/films/", "/cinemas/", "/discover", "/discover?list=classics",
         "/radio", "/festivals", f"/festivals/{told.FESTIVAL}?view=grid", f"/festivals/{told.FESTIVAL}/sessions/ses_1", f"/dinner/{told.SHOW}")


def units(options):
    return [policy, *(functools.partial(corpora, paths=PATHS[third::3]) for third in range(3))]


def policy(world):
    with world.page() as page:
        others = []
        page.on("request", lambda r: others.append(r.url) if not r.url.startswith((world.base, "data:", "blob:" + world.base)) else None)
        answer = page.goto("/")
        world.settle(page)
        told.tell(page)
        for path in ("/map", "/tonight", "/bookmarks", "/status", "/settings", "/search?q=a", "/discover", "/radio", "/festivals", f"/dinner/{told.SHOW}"):
            world.enter(page, path)
            world.quiet(page)
        world.check(not others, "nobody but our own server is talked to", others)
        rules = dict((part.strip().split(" ", 1) + [""])[:2] for part in answer.headers.get("content-security-policy", "").split(";") if part.strip())
        for name, value in (("default-src", "'self'"), ("base-uri", "'none'"), ("frame-ancestors", "'none'"), ("form-action", "'self'"),
                            ("require-trusted-types-for", "'script'"), ("trusted-types", "odi"), ("connect-src", "'self'")):
            world.check(rules.get(name) == value, f"the policy has {name} {value}", rules.get(name))
        world.check("unsafe" not in answer.headers["content-security-policy"], "and nothing unsafe")
        world.check(answer.headers.get("x-content-type-options") == "nosniff", "types are not guessed")
        world.check("strict-origin" in answer.headers.get("referrer-policy", ""), "addresses are not told to others")
        world.check("geolocation=(self)" in answer.headers.get("permissions-policy", ""), "only we may ask for the place")
        for path in ("/", "/discover", "/settings"):
            text = page.request.get(world.base + path).text()
            inline = re.findall(r"<style|<[^>]* (?:style|on[a-z]+)=|<script(?![^>]*(?: src=|ld\+json))[^>]*>", text)
            world.check(not inline, f"no script and no style stands in {path} itself", inline[:3])
        refused = page.evaluate("""() => { const out = [];
          try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); out.push('markup'); } catch {}
          try { const s = document.createElement('script'); s.src = '/x.js'; out.push('script'); } catch {}
          try { new Worker('/x.js'); out.push('worker'); } catch {}
          try { trustedTypes.createPolicy('mine', {}); out.push('policy'); } catch {} return out; }""")
        world.check(not refused, "trusted types refuse markup, scripts, workers and other policies", refused)
        page.messages[:] = [m for m in page.messages if "Trusted" not in m and "trusted" not in m and "Content Security" not in m]


def corpora(world, paths):
    """One view after the other in one page, none of which was seen before."""
    with world.again(width=1280, noise="404|400|ERR_") as page:
        page.goto("/settings")
        world.settle(page)
        for path in paths:
            corpus(world, page, path)
            page.unroute_all(behavior="ignoreErrors")


def corpus(world, page, path):
    counter = [0]

    def answer(route):
        parts = urlsplit(route.request.url)
        invented = told.answer(parts.path[4:], dict(parse_qsl(parts.query)))
        if invented:
            return told.fulfil(route, poison(invented, counter))
        fetched = route.fetch()
        if "json" not in fetched.headers.get("content-type", ""):
            return route.fulfill(response=fetched)
        return route.fulfill(response=fetched, body=json.dumps(poison(fetched.json(), counter)))
    page.evaluate("window.hit = undefined")
    near = page.request.get(world.base + "/v1/cinemas/nearby?lat=37.571&lon=126.976&include=days,showtimes").json()["data"]
    film = next(g["film"]["id"] for c in near for g in c["films"] if g.get("film"))
    page.route("**/v1/**", lambda r: r.continue_() if "/events" in r.request.url else answer(r))
    target = path + (film if path == "/films/" else near[0]["id"] if path.endswith(("=", "cinemas/")) and "q=" not in path else "")
    world.enter(page, target)
    world.wait(lambda: page.evaluate("1") and counter[0] > 3)
    world.quiet(page)
    world.check(counter[0] > 3, f"{path}: the hostile answer was shown", counter[0])
    world.check(page.evaluate("window.hit") is None, f"{path}: nothing of it runs")
    bad = page.evaluate("""() => [...document.querySelectorAll('a[href]')].map(a => a.href).filter(h => !/^(https?:|webcal:)/.test(h) || /evil/.test(new URL(h).host))""")
    world.check(not bad, f"{path}: no link leads into script or astray", bad[:3])
    markup = page.evaluate("document.querySelectorAll('main script, main img[onerror], main svg[onload], main plaintext, main iframe').length")
    world.check(markup == 0, f"{path}: text stayed text", markup)
