"""Where things are: sources in the tree, everything made under .build/bench."""

from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
ROOT = BENCHMARKS.parent.parent
PEERS = BENCHMARKS / "Peers"
THRESHOLDS = BENCHMARKS / "thresholds.json"
BUILT = ROOT / ".build" / "bench"


def scratch(name: str) -> Path:
    """A file for one run, on the same disk as the tree (a benchmark of fsync must not meet a RAM disk)."""
    folder = BUILT / "scratch"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / name
