"""The judge of a whole line: repetition, and plies without a capture. Neither makes a move illegal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qipan.api import Claim, Note, Outcome, Ply

from .board import counters

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
    """How often the last position has stood in the line, itself counted; only since the last capture can it have."""
    last = len(line) - 1
    cells, since = line[last].position.cells, counters(line[last].position)[0]
    earlier = range(last - 4, max(0, last - since) - 1, -2)  # the same side to move, and one ply can't be undone by one
    return 1 + sum([line[at].position.cells == cells for at in earlier])


def quiet_plies(rules: Xiangqi, line: Sequence[Ply]) -> int:
    """The plies since the last capture, each side's checks past its tenth not counted; no further than to the limit."""
    since = counters(line[-1].position)[0]
    if since < rules.draw_plies:
        return since
    run = line[max(1, len(line) - since) :]
    quiet, checks = since - len(run), [0, 0]
    for ply in run:
        turn = ply.position.turn
        check = rules.study(ply.position).in_check(turn)
        checks[turn] += check
        quiet += not check or checks[turn] <= _FREE_CHECKS
        if quiet >= rules.draw_plies:  # it only grows, and a run may be thousands of plies long
            break
    return quiet
