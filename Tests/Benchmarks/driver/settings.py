"""How long and how often."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Iterable, Sequence, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Settings:
    rounds: int
    seconds: float  # of one sample
    seed: int

    @staticmethod
    def of(quick: bool, rounds: int | None, seed: int) -> "Settings":
        return Settings(rounds or (3 if quick else 7), 0.4 if quick else 1.0, seed)

    def interleaved(self, things: Sequence[T]) -> Iterable[tuple[int, T]]:
        """Every round runs everything once, each round in a new order: drift and neighbours fall on all alike."""
        order = random.Random(self.seed)
        for round in range(self.rounds):
            shuffled = list(things)
            order.shuffle(shuffled)
            for thing in shuffled:
                yield round, thing
