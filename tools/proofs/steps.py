"""What a proof is made of: steps that each say what they counted and what contradicts the claim."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from qipan import places
from qipan.host import Host, Opened

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "xiangqi"  # used where it is there


class Found(NamedTuple):
    """What one step saw: how many of each thing, and a sentence for everything that contradicts the claim."""

    counts: Mapping[str, int]
    faults: tuple[str, ...] = ()


Step = Callable[[], Found]


class Proof(NamedTuple):
    """A claim and the steps that show it. ``plan(small, seed)`` gives the same steps each time it is asked.

    ``rate``: the count that is also told per second of CPU.
    """

    name: str
    says: str
    plan: Callable[[bool, int], Sequence[Step]]
    rate: str = ""


def tested(module: str) -> Any:
    """A module of the tests, whose code a proof runs with larger numbers."""
    folder = str(ROOT / "tests")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module(module)


def every_game() -> list[Opened]:
    """The games that come with the program and the mini-games of the contract, opened."""
    found = chain(places.built_in(), places.user(ROOT / "tests" / "contract"))
    host = Host(found, trusted=lambda plugin_id, sha256: True)
    return [host.open(game) for game in sorted(host.games)]
