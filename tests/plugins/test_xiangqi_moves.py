"""Legal moves of xiangqi: counts, special cases, and agreement with a second writing and with pyffish."""

from __future__ import annotations

import json
import random
from collections import Counter

import pyffish
import pytest
from plugins.xiangqi_naive import attackers, in_check, name, pseudo, setup
from plugins.xiangqi_naive import legal as naive_legal
from plugins.xiangqi_play import DATA, RULES, at, legal, scatter, wander
from qipan.plugins.xiangqi.board import NAMES
from qipan.plugins.xiangqi.rules import Xiangqi
from qipan.plugins.xiangqi.search import Kernel

from qipan.api import Position
from qipan.cli import perft

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
QUICK = 400_000  # nodes of one count that every test run plays


def published(limit: int) -> list[tuple[str, str, int, int]]:
    """Name, FEN, depth and count of the published positions that count at most ``limit`` nodes."""
    file = DATA / "perft.json"
    entries = json.loads(file.read_text("utf-8")) if file.exists() else []
    return [
        (entry["name"], entry["fen"], int(depth), nodes)
        for entry in entries
        for depth, nodes in entry["perft"].items()
        if nodes <= limit
    ]


def miscounted(limit: int) -> list[str]:
    """The published counts up to ``limit`` nodes that the kernel doesn't reach."""
    return [
        f"{name}: perft {depth} is {found}, not {nodes}"
        for name, fen, depth, nodes in published(limit)
        if (found := perft.fast(Kernel.load(at(fen).cells, at(fen).turn), depth)) != nodes
    ]


@pytest.mark.parametrize(
    ("fen", "counts"),
    [
        (START, (1, 44, 1_920, 79_666)),
        ("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w", (1, 38, 1_128, 43_929)),
        ("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w", (1, 7, 281, 8_620)),
        ("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w", (1, 25, 424, 9_850)),
        ("CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w", (1, 28, 516, 14_808)),
    ],
)
def test_perft(fen: str, counts: tuple[int, ...]) -> None:
    kernel = RULES.searcher(at(fen))
    assert isinstance(kernel, Kernel)
    assert tuple(perft.fast(kernel, depth) for depth in range(len(counts))) == counts
    assert kernel.key() == RULES.searcher(at(fen)).key()


def test_published_perft() -> None:
    assert miscounted(QUICK) == []


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        # The horse on e5: the soldiers on e4 and e6 hobble it up and down.
        ("3k5/9/9/9/4p4/4N4/4P4/9/9/5K3 w", "e5c4 e5c6 e5g4 e5g6 f1e1 f1f2"),
        # The elephant on e3: its eyes on d4 and f2 are blocked.
        ("3k5/9/9/9/9/9/3p5/4B4/5n3/5K3 w", "e3c1 e3g5 f1e1 f1f2"),
        # The horse on e5 alone keeps the generals apart.
        ("4k4/9/9/9/9/4N4/9/9/9/4K4 w", "e1d1 e1e2 e1f1"),
        # Two cannons on one file mate: what steps between is a screen for the front one.
        ("3k5/9/9/4c4/4c4/9/9/9/9/3AKA3 w", ""),
        # The advisor on d3 hobbles the horse on c3 and may not leave; the general may.
        ("3k5/9/9/9/9/9/9/2nA5/4K4/9 w", "e2d2 e2e1 e2e3 e2f2"),
        # No legal move, and no check.
        ("3k5/4P4/9/9/9/9/9/9/9/4K4 b", ""),
    ],
)
def test_special_cases(fen: str, moves: str) -> None:
    found = legal(at(fen))
    assert found == naive_legal(*setup(fen))
    assert found == sorted(moves.split())


def test_no_screen_for_a_waiting_cannon() -> None:
    moves = legal(at("3k5/9/9/4c4/9/9/8R/9/9/4K4 w"))
    assert "i4e4" not in moves
    assert {"i4d4", "i4f4"} <= set(moves)


def test_a_hobbling_piece_is_pinned() -> None:
    assert not [move for move in legal(at("3k5/9/9/9/9/9/3n5/3A5/4K4/9 w")) if move.startswith("d3")]


def test_kernel_agrees_with_the_second_writing() -> None:
    for position in (*wander(seed=3, count=500), *scatter(seed=3, count=500)):
        fen = RULES.write(position)
        army, side = setup(fen)
        assert legal(position) == naive_legal(army, side), fen
        study = RULES.study(position)
        assert study.in_check(position.turn) == in_check(army, side), fen
        assert {NAMES[point] for point in study.kernel.checkers(position.turn)} == attackers(army, side), fen


def test_original_rules_play_every_pseudo_legal_move() -> None:
    original = Xiangqi({"rules": "original"})
    taken = faced = 0
    for position in wander(seed=17, count=400, rules=original):
        army, side = setup(original.write(position))
        outcome = original.outcome(position)
        word = outcome.reason.word if outcome else ""
        taken += word == "general-taken"
        faced += word == "generals-face"
        over = word in ("general-taken", "generals-face")
        expected = [] if over else sorted(f"{name(src)}{name(dst)}" for src, dst in pseudo(army, side))
        assert legal(position, original) == expected
    assert taken
    assert faced


def beside_pyffish(position: Position) -> tuple[bool, str]:
    """Holds that pyffish has the same moves, check and end; gives whether it is check, and the end's word or ""."""
    fen = RULES.write(position)
    moves = pyffish.legal_moves("xiangqi", fen, [])
    assert legal(position) == sorted(moves), fen
    check = RULES.study(position).in_check(position.turn)
    assert check == pyffish.gives_check("xiangqi", fen, []), fen
    outcome = RULES.outcome(position)
    word = outcome.reason.word if outcome else ""
    if moves:
        assert word in ("", "material"), fen
    else:
        assert pyffish.game_result("xiangqi", fen, []) < 0
        assert outcome is not None
        assert outcome.winners == (1 - position.turn,)
        assert word == ("checkmate" if check else "stalemate"), fen
    return check, word


def test_moves_checks_and_ends_agree_with_pyffish() -> None:
    ends: Counter[str] = Counter()
    for position in (*wander(seed=7, count=1_050), *scatter(seed=7, count=1_000)):
        check, word = beside_pyffish(position)
        ends[word] += 1
        ends["check"] += check
    assert sum(ends.values()) - ends["check"] == 2_050
    assert min(ends["check"] // 10, ends["checkmate"], ends["stalemate"]) >= 5, ends


def test_push_and_pop_restore() -> None:
    rng = random.Random(11)
    for position in wander(seed=11, count=60):
        kernel = RULES.searcher(position)
        assert isinstance(kernel, Kernel)
        before = (kernel.board.copy(), kernel.loc[:32], kernel.key(), kernel.score(), sorted(kernel.moves()))
        depth = 0
        while depth < 12 and (codes := kernel.moves()):
            kernel.push(rng.choice(codes))
            depth += 1
        for _ in range(depth):
            kernel.pop()
        assert before == (kernel.board, kernel.loc[:32], kernel.key(), kernel.score(), sorted(kernel.moves()))


def test_keys_and_scores_grow_as_loaded() -> None:
    kernel = RULES.searcher(at(START))
    assert isinstance(kernel, Kernel)
    position = at(START)
    for text in ["h3e3", "h8e8", "e3e7", "d10e9", "a1a2"]:
        move = RULES.parse(position, text)
        kernel.push(kernel.code(move))
        position = RULES.apply(position, move).position
        fresh = RULES.searcher(position)
        assert (kernel.key(), kernel.score()) == (fresh.key(), fresh.score())


def test_equal_positions_have_equal_keys_whichever_horse_stands_where() -> None:
    one = RULES.searcher(at("3k5/9/9/9/2N1N4/9/9/9/9/4K4 b"))
    start = RULES.searcher(at("3k5/9/9/9/2N6/9/5N3/9/9/4K4 w"))
    start.push(start.code(RULES.parse(at("3k5/9/9/9/2N6/9/5N3/9/9/4K4 w"), "f4e6")))
    assert one.key() == start.key()
