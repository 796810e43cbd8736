"""The judge of a whole line: repetition, and plies without a capture. Neither makes a move illegal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qipan.api import Claim, Note, Outcome, Ply

from .board import counters, home

if TYPE_CHECKING:
    from .rules import Xiangqi

_FREE_CHECKS = 10  # a side's later checks in a run without captures don't bring the draw nearer


def adjudicate(rules: Xiangqi, line: Sequence[Ply]) -> Outcome | Claim | Note | None:
    """A draw (to claim, or final if the rules say automatic) at the third occurrence of a position or after too many
    plies without a capture; a note at the second occurrence.
    """
    times = occurrences(line)
    if times >= 3:
        return _draw(rules, "repetition")
    if quiet_plies(rules, line) >= rules.draw_plies:
        return _draw(rules, "move-limit")
    return Note("repeated-twice") if times == 2 else None


def _draw(rules: Xiangqi, reason: str) -> Outcome | Claim:
    outcome = Outcome((), Note(reason))
    return outcome if rules.automatic else Claim(outcome)


def occurrences(line: Sequence[Ply]) -> int:
    """How often the last position has stood in the line, itself counted.

    The walk back ends where no earlier position can be equal: at a capture or a soldier's step forward.
    """
    cells, turn = line[-1].position.cells, line[-1].position.turn
    times = 1
    at = len(line) - 1
    while at > 0 and _reversible(line[at - 1], line[at]):
        at -= 1
        position = line[at].position
        if position.turn == turn and position.cells == cells:
            times += 1
    return times


def _reversible(before: Ply, after: Ply) -> bool:
    move = after.move
    if move is None or not counters(after.position)[0]:
        return False
    src, dst = move.path
    piece = before.position.cells[src]
    return piece is None or piece.kind != "soldier" or home(dst, piece.seat) == home(src, piece.seat)


def quiet_plies(rules: Xiangqi, line: Sequence[Ply]) -> int:
    """The plies since the last capture, each side's checks past its tenth not counted."""
    since = counters(line[-1].position)[0]
    if since < rules.draw_plies:
        return since
    checks = [0, 0]
    for ply in line[max(1, len(line) - since) :]:
        idle = 1 - ply.position.turn
        checks[idle] += rules.study(ply.position).in_check(ply.position.turn)
    return since - sum(max(0, count - _FREE_CHECKS) for count in checks)
