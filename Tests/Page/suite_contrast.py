"""Colours: the tokens of app.css, as the browser computes them."""

TEXT = [("ink", "paper"), ("ink", "card"), ("ink", "sunk"), ("soft", "paper"), ("soft", "card"), ("soft", "sunk"), ("accent", "paper"),
        ("accent", "card"), ("accent", "tint"), ("on-accent", "accent"), ("paper", "ink"), ("warn", "paper"), ("warn", "card"),
        ("good", "paper")]
EDGES = [("edge", "paper"), ("edge", "card"), ("accent", "paper"), ("accent", "card"), ("good", "paper"), ("warn", "paper")]


def luminance(rgb):
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def ratio(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def run(world):
    for theme in ("light", "dark"):
        with world.page(theme=theme) as page:
            page.goto("/settings")
            names = sorted({n for pair in TEXT + EDGES for n in pair})
            colours = page.evaluate("""names => Object.fromEntries(names.map(name => {
              const probe = document.createElement('i'); probe.style.color = `var(--${name})`; document.body.append(probe);
              const rgb = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(Number); probe.remove(); return [name, rgb]; }))""", names)
            for pairs, least in ((TEXT, 4.5), (EDGES, 3.0)):
                for front, ground in pairs:
                    value = ratio(colours[front], colours[ground])
                    world.check(value >= least, f"{theme}: {front} on {ground} is {least} to 1", round(value, 2))
            posters = page.evaluate("""() => Array.from({length: 10}, (_, i) => {
              const p = document.createElement('span'); p.className = 'poster c' + i; document.body.append(p);
              const s = getComputedStyle(p), rgb = c => c.match(/[\\d.]+/g).slice(0, 3).map(Number), out = [rgb(s.color), rgb(s.backgroundColor)];
              p.remove(); return out; })""")
            for number, (front, ground) in enumerate(posters):
                world.check(ratio(front, ground) >= 4.5, f"{theme}: poster {number} can be read", round(ratio(front, ground), 2))
