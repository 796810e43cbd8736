"""Proofs of play: every law over many games; whole games through a session, saved and opened again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random

from proofs.steps import Found, Proof, Step, every_game, tested
from qipan import laws
from qipan.host import Opened
from qipan.laws.trial import option_sets
from qipan.record import decode, encode, open_session
from qipan.session import Session
from qipan.values import Options

_EDITS = 0.08  # of all changes, those that are not a plain move

# -- laws ------------------------------------------------------------------------------------------------------------


def _plan_laws(small: bool, seed: int) -> Sequence[Step]:
    steps: list[Step] = []
    for opened in every_game():
        sets = len(option_sets(opened.info))
        rounds = 1 if small else -(-40 // sets)
        if small and opened.info.length > 200:
            continue  # long games are held to the laws by tests of their own
        steps += [partial(_laws, opened, seed + number * sets, sets) for number in range(rounds)]
    return steps


def _laws(opened: Opened, seed: int, games: int) -> Found:
    report = laws.check(opened.rules, opened.info, opened.words, seed=seed, games=games, seconds=float("inf"))
    faults = tuple(
        f"{opened.info.id} breaks {row.law}: {row.broken.message} (seed {row.broken.seed})"
        for row in report.rows
        if row.broken is not None
    )
    checks = sum(row.checked for row in report.rows)
    return Found({"games": report.games, "plies": report.plies, "laws looked at": checks}, faults)


# -- games -----------------------------------------------------------------------------------------------------------


def _plan_games(small: bool, seed: int) -> Sequence[Step]:
    games, chunk = (1, 1) if small else (100, 10)
    found = [opened for opened in every_game() if not small or opened.info.length <= 500]
    return [
        partial(_games, opened, range(seed + first, seed + first + chunk))
        for opened in found
        for first in range(0, games, chunk)
    ]


def _games(opened: Opened, seeds: Sequence[int]) -> Found:
    counts = {"games": 0, "plies": 0, "changes": 0, "bytes": 0}
    faults = []
    sets = option_sets(opened.info)
    for seed in seeds:
        options = sets[seed % len(sets)]
        session = Session(
            opened.info, opened.rules(options), options, rng=Random(seed), now=tested("game_walks").Time(),
            names=["甲"], created="2026",
        )  # fmt: skip
        changes = _played(session, Random(seed))
        data = encode(session)
        if fault := _differs(opened, session, options, data):
            faults.append(f"{opened.info.id}, seed {seed}: {fault}")
        counts["games"] += 1
        counts["plies"] += session.tip.ply
        counts["changes"] += changes
        counts["bytes"] += len(data)
    return Found(counts, tuple(faults))


def _played(session: Session, rng: Random) -> int:
    """Plays a session to its end, with edits on the way; gives the changes."""
    step, changes = tested("game_walks").step, 0
    while session.outcome is None and session.tip.ply < session.info.length:
        if session.paused:
            session.pause(False)
        if rng.random() < _EDITS:
            changes += bool(step(session, rng))
        elif moves := session.legal():
            session.play(rng.choice(moves))
            changes += 1
    return changes


def _differs(opened: Opened, session: Session, options: Options, data: bytes) -> str:
    """How the saved game opens as another one; "" : it does not."""
    now = tested("game_walks").Time()
    now.now = session.now()
    back = open_session(decode(data), opened.info, opened.rules(options), rng=Random(0), now=now)
    whole = tested("game_walks").whole
    if whole(back) != whole(session):
        return "the saved game opens as another one"
    return "" if encode(back) == data else "saved again, the opened game has other bytes"


PROOFS = (
    Proof("laws", "Every law holds over random games of every game and option set.", _plan_laws),
    Proof("games", "Random games with edits, saved, open as they were, byte for byte.", _plan_games, "games"),
)
