"""The contact sheet: views in three languages and both themes, in one small picture for the README; and the pictures with
which the page is offered for installing. Both show tomorrow by day in Seoul, whenever they are made."""

import base64
import datetime
import os
from urllib.parse import parse_qsl, urlencode, urlsplit

import told

PHONES = [("/", "ko", "light"), ("film", "ko", "light"), ("/tonight?within=180", "ja", "dark"), ("/discover", "en", "light"),
          (f"/dinner/{told.SHOW}", "ko", "light"), (f"/festivals/{told.FESTIVAL}", "ja", "dark"), ("/radio", "ko", "dark"), ("/map", "en", "light")]
DESKS = [("/", "en", "dark"), ("/discover", "ko", "light"), (f"/festivals/{told.FESTIVAL}", "en", "light"), ("/radio", "ja", "dark")]
# How high a row of each is, so that both are as wide.
PHONE, DESK = 640, 400
SCREENS = {"narrow": ("/", "ko", "light", 390), "wide": ("/", "ko", "light", 1280)}
# What plays next is told by the suite's own clock: views that show it are looked at in the morning.
MORNING, EVENING = "09:30", "17:20"
NEAR = "lat=37.571&lon=126.976"

DRAW = """async ([rows, heights]) => {
  const gap = 14, load = src => new Promise(done => { const i = new Image(); i.onload = () => done(i); i.src = 'data:image/png;base64,' + src; });
  const drawn = await Promise.all(rows.map(row => Promise.all(row.map(load))));
  const widths = drawn.map((row, y) => row.map(i => Math.round(i.width * heights[y] / i.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(...widths.map(row => row.reduce((a, b) => a + b + gap, gap)));
  canvas.height = heights.reduce((a, b) => a + b + gap, gap);
  const c = canvas.getContext('2d'); c.fillStyle = '#8d8794'; c.fillRect(0, 0, canvas.width, canvas.height); c.imageSmoothingQuality = 'high';
  drawn.forEach((row, y) => { let x = Math.round((canvas.width - widths[y].reduce((a, b) => a + b + gap, -gap)) / 2), top = heights.slice(0, y).reduce((a, b) => a + b + gap, gap);
    row.forEach((image, n) => { c.drawImage(image, x, top, widths[y][n], heights[y]); x += widths[y][n] + gap; }); });
  return canvas.toDataURL('image/webp', 0.8).split(',')[1]; }"""
WEBP = """async src => { const i = new Image(); await new Promise(done => { i.onload = done; i.src = 'data:image/png;base64,' + src; });
  const canvas = document.createElement('canvas'); canvas.width = i.width; canvas.height = i.height;
  canvas.getContext('2d').drawImage(i, 0, 0); return canvas.toDataURL('image/webp', 0.72).split(',')[1]; }"""


def stand(page, day, clock):
    """The page's clock stands still at this time of that day, and the suite is asked about it."""
    now = datetime.datetime.fromisoformat(told.at(day, clock))
    page.clock.set_fixed_time(now)

    def ask(path, **values):
        return lambda route: route.continue_(url=urlsplit(route.request.url)._replace(
            path="/v1/" + path, query=urlencode({**dict(parse_qsl(urlsplit(route.request.url).query)), **values})).geturl())

    def tonight(route):
        until = now + datetime.timedelta(hours=3)
        values = {"lat": 37.571, "lon": 126.976, "date": str(day), "start_after": clock, "start_before": f"{until:%H:%M}", "limit": 60}
        route.continue_(url=route.request.url.split("/v1/")[0] + "/v1/tonight?" + urlencode(values))
    page.route("**/v1/cinemas/nearby?*", ask("cinemas/nearby", date=str(day)))
    page.route("**/v1/tonight?*", tonight)


def picture(world, path, lang, theme, width):
    day = (told.now() - datetime.timedelta(hours=5)).date() + datetime.timedelta(days=1)
    with world.page(lang=lang, theme=theme, width=width, noise=".", zone="Asia/Seoul", is_mobile=width < 600, has_touch=width < 600) as page:
        page.goto("/settings?lang=" + lang)
        world.settle(page)
        told.tell(page)
        # Kinds of films are known to the suite itself, in every language.
        page.route("**/v1/genres*", lambda r: r.continue_())
        stand(page, day, MORNING if path in ("/map", "/discover") else EVENING)
        if path == "film":
            films = page.request.get(f"{world.base}/v1/cinemas/nearby?{NEAR}&include=showtimes&date={day}").json()["data"]
            path = "/films/" + next(g["film"]["id"] for c in films for g in c.get("films") or [] if g.get("film"))
        world.enter(page, path + (f"?date={day}" if path == "/" else ""))
        world.until(page, "document.querySelector('main').dataset.view !== 'settings' && !document.querySelector('main .ghost')")
        if path == "/radio":
            page.locator("[data-id=lantern][data-do=station]").first.click()
            world.until(page, "document.querySelector('.station.on')")
        world.quiet(page)
        return base64.b64encode(page.screenshot()).decode()


def drawn(world, script, values, file):
    context = world.browser.new_context()
    with open(file, "wb") as out:
        out.write(base64.b64decode(context.new_page().evaluate(script, values)))
    context.close()


def make(world, file):
    rows = [[picture(world, *look, 390) for look in PHONES], [picture(world, *look, 1280) for look in DESKS]]
    drawn(world, DRAW, [rows, [PHONE, DESK]], file)


def screens(world, folder):
    for name, look in SCREENS.items():
        drawn(world, WEBP, picture(world, *look), os.path.join(folder, f"screen-{name}.webp"))
