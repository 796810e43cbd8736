"""Lines of legal moves, counted by each game's immutable rules, are as many as have been published for the game."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from qipan import places
from qipan.cli import perft
from qipan.host import Host

MINIS = Host(places.user(Path(__file__).with_name("contract")), trusted=lambda plugin_id, sha256: True)
BUILT_IN = Host.scan(entry_points=False)


@pytest.mark.parametrize(
    ("host", "game", "counts"),
    [
        (BUILT_IN, "xiangqi", (44, 1_920, 79_666)),
        (MINIS, "mini_xiangqi", (44, 1_920)),
        (MINIS, "mini_chess", (20, 400, 8_902)),
        (MINIS, "mini_draughts", (9, 81, 658, 4_265)),
        (MINIS, "mini_shogi", (14, 181, 2_512)),
        (MINIS, "mini_morris", (24, 24 * 23, 24 * 23 * 22)),
    ],
)
def test_published_counts_from_the_start(host: Host, game: str, counts: tuple[int, ...]) -> None:
    rules = host.open(game).rules()
    start = rules.initial(Random(1))
    assert tuple(perft.clear(rules, start, depth) for depth in range(1, len(counts) + 1)) == counts
