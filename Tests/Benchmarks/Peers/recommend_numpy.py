"""EASE in closed form with numpy, as one would write it: prints one line of JSON.

recommend_numpy.py TRAIN TEST TIMES REGULARISATION
"""

import json
import sys
import time

import numpy


def closed_form(users: numpy.ndarray, items: numpy.ndarray, regularisation: float, kind: type) -> tuple:
    """The users' rows and the weights between all items."""
    rows = numpy.zeros((users.max() + 1, items.max() + 1), kind)
    rows[users, items] = 1
    matrix = rows.T @ rows
    diagonal = numpy.diag_indices(len(matrix))
    matrix[diagonal] += regularisation
    inverse = numpy.linalg.inv(matrix)
    weights = inverse / -numpy.diag(inverse)
    weights[diagonal] = 0
    return rows, weights


def ndcg(scores: numpy.ndarray, rows: numpy.ndarray, relevant: dict) -> float:
    scores = numpy.where(rows > 0, -numpy.inf, scores)
    discounts = 1 / numpy.log2(numpy.arange(2, 12))
    total = 0.0
    for user, wanted in relevant.items():
        found = numpy.argsort(-scores[user], kind="stable")[:10]
        hits = numpy.array([item in wanted for item in found])
        total += (hits * discounts).sum() / discounts[: len(wanted)].sum()
    return total / len(relevant)


def main(train: str, test: str, times: int, regularisation: float) -> None:
    table, later = numpy.loadtxt(train, delimiter=","), numpy.loadtxt(test, delimiter=",")
    known_users, users = numpy.unique(table[:, 0].astype(int), return_inverse=True)
    known_items, items = numpy.unique(table[:, 1].astype(int), return_inverse=True)
    fastest = {}
    for kind in (numpy.float32, numpy.float64):
        for _ in range(times):
            start = time.perf_counter_ns()
            rows, weights = closed_form(users, items, regularisation, kind)
            fastest[kind] = min(fastest.get(kind, 1 << 62), time.perf_counter_ns() - start)
    user_places = {user: place for place, user in enumerate(known_users.tolist())}
    item_places = {item: place for place, item in enumerate(known_items.tolist())}
    relevant: dict = {}
    for user, item, rating in later[:, :3]:
        if rating >= 4:
            relevant.setdefault(user_places[int(user)], set()).add(item_places.get(int(item), -1))
    found = ndcg(rows @ weights, rows, relevant)
    print(json.dumps({"ns32": fastest[numpy.float32], "ns64": fastest[numpy.float64], "ndcg": found}))


if sys.argv[1:] == ["version"]:
    print(f"numpy {numpy.__version__}, Python {sys.version.split()[0]}")
else:
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))
