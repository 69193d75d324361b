"""Learning from ratings: 100,000 of them over 1,700 films, ours beside numpy's closed form with all its threads.

The ratings are invented here, from a seed: people with two of eight tastes each, films of which some are known to all.
Both sides get the same files. That both learn the same is seen from how well they rank: with every rating counting 1,
NDCG@10 has to agree.
"""

from __future__ import annotations

import random
from itertools import accumulate
from pathlib import Path

from .paths import scratch
from .peers import Toolbox
from .processes import Failed, lines_of_json, measured, output
from .report import Report
from .settings import Settings

USERS, FILMS, RATINGS = 950, 1_700, 111_000  # of which a tenth is kept apart
REGULARISATION = 500
TASTES = 8


def run(tools: Toolbox, settings: Settings) -> Report:
    report, odi, numpy = Report("recommend"), str(tools.odi()), tools.numpy()
    mode = f"{round(RATINGS * 0.9, -3):.0f} x {FILMS}"
    agreed: dict[str, float] = {}
    train, test = invented(settings.seed)
    names = ["odi", *(["numpy"] if numpy else [])]
    for round_, name in settings.interleaved(names):
        try:
            if name == "odi":
                command = [odi, "recommend", "--train", str(train), "--test", str(test), "--times", "2",
                           "--regularisation", str(REGULARISATION)]
                for found in lines_of_json(output(command)):
                    candidate = "odi" if found["case"] == "closed form" else "odi-weighed"
                    report.add(candidate, mode, round_, ns=found["ns"], ndcg=found["ndcg"])
                    report.count("popularity", mode, ndcg=found["popularity"])
                    report.count("item-knn", mode, ndcg=found["item_knn"])
                    agreed[candidate] = found["ndcg"]
            else:
                found = measured([*numpy, str(train), str(test), "2", str(REGULARISATION)])
                report.add("numpy-f32", mode, round_, ns=found["ns32"], ndcg=found["ndcg"])
                report.add("numpy-f64", mode, round_, ns=found["ns64"], ndcg=found["ndcg"])
                agreed["numpy"] = found["ndcg"]
        except Failed as failure:
            report.failures.append(f"{name}: {failure}")
    if "odi" in agreed and "numpy" in agreed and abs(agreed["odi"] - agreed["numpy"]) > 0.002:
        report.failures.append(f"they learnt different things: NDCG@10 {agreed['odi']:.4f} and {agreed['numpy']:.4f}")
    report.goal("of numpy's time, float32", "<=", 2, report.ratio("odi", "numpy-f32", mode, "ns"))
    report.goal("of numpy's time, float64", "<=", 2, report.ratio("odi", "numpy-f64", mode, "ns"))
    ours, knn = report.median("odi-weighed", mode, "ndcg"), report.median("item-knn", mode, "ndcg")
    report.goal("of item-kNN's NDCG@10", ">=", 1, ours / knn if ours and knn else None)
    return report


def invented(seed: int) -> tuple[Path, Path]:
    """Two files of user,item,rating; a tenth of the ratings is in the second."""
    rng = random.Random(seed)
    order = [[] for _ in range(TASTES)]
    for film in range(FILMS):
        order[film % TASTES].append(film)
    shares = [list(accumulate(1 / (place + 8) for place in range(len(films)))) for films in order]
    # Some people have seen ten times as many films as others.
    activity = list(accumulate(rng.lognormvariate(0, 0.9) for _ in range(USERS)))
    tastes = [(rng.randrange(TASTES), rng.randrange(TASTES)) for _ in range(USERS)]
    seen: list[dict[int, int]] = [{} for _ in range(USERS)]
    total = 0
    while total < RATINGS:
        for user in rng.choices(range(USERS), cum_weights=activity, k=4096):
            liked = rng.random() < 0.7
            taste = rng.choice(tastes[user]) if liked else rng.randrange(TASTES)
            film = rng.choices(order[taste], cum_weights=shares[taste])[0]
            if total < RATINGS and film not in seen[user] and len(seen[user]) < FILMS // 2:
                seen[user][film] = rng.choice((4, 4, 5) if taste in tastes[user] else (1, 2, 3, 3, 4))
                total += 1
    train, test = scratch("ratings.csv"), scratch("later-ratings.csv")
    with train.open("w") as kept, test.open("w") as later:
        for user, ratings in enumerate(seen):
            for place, (film, rating) in enumerate(ratings.items()):
                (later if place % 10 == 9 else kept).write(f"{user},{film},{rating}\n")
    return train, test
