"""What `bench` compares of the rules: qipan's xiangqi, cchess and pyffish at the same work from the start position."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from random import Random
from typing import Any

from qipan.cli import perft
from qipan.host import Host
from qipan.rules import Ruleset
from qipan.values import Position

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
LEAVES = 79_666  # perft(3), on which all must agree

Work = tuple[str, Callable[[], object], int]


def works() -> list[Work]:
    """Each (name, work, calls a round): first legal moves, then perft(3), qipan's rules before the others."""
    rules = _xiangqi()
    start = rules.read(START)
    searcher = rules.searcher(start)
    assert searcher is not None
    cchess, pyffish = importlib.import_module("cchess"), importlib.import_module("pyffish")
    board = cchess.ChessBoard(START)
    fresh = _Fresh(rules, start)
    return [
        ("legal moves: qipan rules", fresh.legal_moves, 200),
        ("legal moves: qipan searcher", searcher.moves, 2000),
        ("legal moves: cchess", lambda: _cchess_moves(board), 5),
        ("legal moves: pyffish", lambda: pyffish.legal_moves("xiangqi", START, []), 20),
        ("perft(3): qipan rules", lambda: _same(perft.clear(rules, start, 3)), 1),
        ("perft(3): qipan searcher", lambda: _same(perft.fast(searcher, 3)), 1),
        ("perft(3): cchess", lambda: _same(_cchess_perft(board, 3)), 1),
        ("perft(3): pyffish", lambda: _same(_pyffish_perft(pyffish, [], 3)), 1),
    ]


class _Fresh:
    """Asks for the legal moves of another position each time, so that no cache answers for the rules."""

    def __init__(self, rules: Ruleset, start: Position) -> None:
        self.rules, rng = rules, Random(1)
        self.positions, position = [start], start
        while len(self.positions) < 60:
            moves = list(rules.legal_moves(position))
            position = rules.apply(position, rng.choice(moves)).position if moves else start
            self.positions.append(position)
        self.at = 0

    def legal_moves(self) -> None:
        """The legal moves of the next position."""
        self.at += 1
        position = self.positions[self.at % len(self.positions)]
        list(self.rules.legal_moves(position._replace(cells=(*position.cells[:1], *position.cells[1:]))))


def _xiangqi() -> Ruleset:
    return Host.scan(entry_points=False).open("xiangqi").rules()


def _same(leaves: int) -> None:
    if leaves != LEAVES:
        raise SystemExit(f"perft(3) is {leaves}, not {LEAVES}")


def _cchess_moves(board: Any) -> list[Any]:
    return [move for move in board.create_moves() if not board.is_checked_move(*move)]


def _cchess_perft(board: Any, depth: int) -> int:
    moves = _cchess_moves(board)
    if depth == 1:
        return len(moves)
    leaves = 0
    for move in moves:
        after = board.copy()
        after.move(*move)
        after.next_turn()
        leaves += _cchess_perft(after, depth - 1)
    return leaves


def _pyffish_perft(pyffish: Any, line: list[str], depth: int) -> int:
    moves = pyffish.legal_moves("xiangqi", START, line)
    if depth == 1:
        return len(moves)
    return sum(_pyffish_perft(pyffish, [*line, move], depth - 1) for move in moves)
