"""Measures speed as ratios within one run: CPU time, interleaved rounds, the best of three.

``tools/run bench [rules] [launcher] [frames] [--json]``. Machines differ and so does one machine from minute to minute:
compare the figures of one run with each other, never with another run's.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROUNDS = 3


class Figure(NamedTuple):
    """One measured thing: its name, the CPU seconds of one call (the best round), and how it compares."""

    name: str
    seconds: float
    note: str = ""


def interleaved(works: Sequence[tuple[str, Callable[[], object], int]]) -> dict[str, float]:
    """The best CPU seconds of one call of each work, given as (name, work, calls a round), round by round in turn."""
    best = {name: float("inf") for name, _, _ in works}
    for _ in range(ROUNDS):
        for name, work, calls in works:
            began = time.process_time()
            for _ in range(calls):
                work()
            best[name] = min(best[name], (time.process_time() - began) / calls)
    return best


def bench_rules() -> list[Figure]:
    """Xiangqi's legal moves and perft(3) from the start, beside cchess and pyffish."""
    from bench_rules import works

    try:
        best = interleaved(works())
    except ModuleNotFoundError as missing:
        cure = f"{sys.executable} -m pip install -e .[bench]"
        raise SystemExit(f"bench: {missing.name} is missing. Run:  {cure}") from None
    figures = []
    for name, seconds in best.items():
        group = name.split(":")[0]
        ours = best[f"{group}: qipan rules"]
        note = "" if seconds == ours else f"{seconds / ours:.1f} x the time of qipan's rules"
        figures.append(Figure(name, seconds, note))
    return figures


def bench_launcher() -> list[Figure]:
    """CPU time from the interpreter's start until the launcher is whole, beside a bare window; fresh processes."""
    from bench_windows import launcher_figures

    return [Figure(*row) for row in launcher_figures(ROUNDS)]


def bench_frames() -> list[Figure]:
    """CPU time that each frame of a pulse and of a move holds the window's loop: the median, and 99 in 100."""
    from bench_windows import frame_figures

    return [Figure(*row) for row in frame_figures(ROUNDS)]


PARTS: dict[str, Callable[[], list[Figure]]] = {
    "rules": bench_rules,
    "launcher": bench_launcher,
    "frames": bench_frames,
}


def main(argv: Sequence[str] | None = None) -> int:
    """Measures the named parts (all, without names) and prints a line a figure."""
    parser = argparse.ArgumentParser(prog="tools/run bench", description=__doc__.splitlines()[0] if __doc__ else "")
    names = ", ".join(PARTS)
    parser.add_argument("parts", metavar="PART", nargs="*", type=_part, help=f"of {names} (default: everything)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    words = parser.parse_args(argv)
    measured = {part: PARTS[part]() for part in words.parts or PARTS}
    if words.json:
        plain = {part: [figure._asdict() for figure in figures] for part, figures in measured.items()}
        print(json.dumps(plain, ensure_ascii=False))
        return 0
    for part, figures in measured.items():
        print(f"{part}: {PARTS[part].__doc__}")
        for figure in figures:
            print(f"  {figure.name:34} {_span(figure.seconds):>12}   {figure.note}".rstrip())
    return 0


def _part(word: str) -> str:
    if word not in PARTS:
        raise argparse.ArgumentTypeError(f"{word!r} is none of {', '.join(PARTS)}")
    return word


def _span(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.3f} s"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main())
