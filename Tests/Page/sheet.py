"""The contact sheet: views in three languages and both themes, in one small picture for the README."""

import base64

import told

PHONES = [("/", "ko", "light"), ("film", "ko", "light"), ("/tonight", "ja", "dark"), ("/discover", "en", "light"),
          (f"/dinner/{told.SHOW}", "ko", "light"), (f"/festivals/{told.FESTIVAL}", "ja", "dark"), ("/radio", "ko", "dark"), ("/map", "en", "light")]
DESKS = [("/", "en", "dark"), ("/discover", "ko", "light"), (f"/festivals/{told.FESTIVAL}", "en", "light"), ("/radio", "ja", "dark")]
ROW = 430

DRAW = """async ([rows, height]) => {
  const gap = 14, load = src => new Promise(done => { const i = new Image(); i.onload = () => done(i); i.src = 'data:image/png;base64,' + src; });
  const drawn = await Promise.all(rows.map(row => Promise.all(row.map(load))));
  const widths = drawn.map(row => row.map(i => Math.round(i.width * height / i.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(...widths.map(row => row.reduce((a, b) => a + b + gap, gap)));
  canvas.height = rows.length * (height + gap) + gap;
  const c = canvas.getContext('2d'); c.fillStyle = '#8d8794'; c.fillRect(0, 0, canvas.width, canvas.height); c.imageSmoothingQuality = 'high';
  drawn.forEach((row, y) => { let x = Math.round((canvas.width - widths[y].reduce((a, b) => a + b + gap, -gap)) / 2);
    row.forEach((image, n) => { c.drawImage(image, x, gap + y * (height + gap), widths[y][n], height); x += widths[y][n] + gap; }); });
  return canvas.toDataURL('image/webp', 0.8).split(',')[1]; }"""


def picture(world, path, lang, theme, width):
    with world.again(lang=lang, theme=theme, width=width, noise=".") as page:
        page.goto("/settings?lang=" + lang)
        world.settle(page)
        told.tell(page)
        if path == "film":
            near = page.request.get(world.base + "/v1/cinemas/nearby?lat=37.571&lon=126.976&include=showtimes").json()["data"]
            path = "/films/" + next(g["film"]["id"] for c in near for g in c.get("films") or [] if g.get("film"))
        world.enter(page, path)
        world.until(page, "document.querySelector('main').dataset.view !== 'settings' && !document.querySelector('main .ghost')")
        if path == "/radio":
            page.locator("[data-id=lantern][data-do=station]").first.click()
            world.until(page, "document.querySelector('.station.on')")
        world.quiet(page)
        return base64.b64encode(page.screenshot()).decode()


def make(world, file):
    rows = [[picture(world, *look, 390) for look in PHONES], [picture(world, *look, 1280) for look in DESKS]]
    context = world.browser.new_context()
    page = context.new_page()
    with open(file, "wb") as out:
        out.write(base64.b64decode(page.evaluate(DRAW, [rows, ROW])))
    context.close()
