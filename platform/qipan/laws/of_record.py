"""The laws of whole games: they end, they hide what they declare hidden, and a saved game is the game."""

from __future__ import annotations

from random import Random

from qipan.laws.trial import Trial
from qipan.record import decode, encode, open_session
from qipan.session import Session

_SAVED_PLIES = 60  # enough to meet every kind of move, few enough to be quick


def ends(trial: Trial) -> str | None:
    """a random game ends within the declared length"""
    if trial.ended:
        return None
    return f"not over after {len(trial.line) - 1} plies; {trial.info.length} are declared"


def hides(trial: Trial) -> str | None:
    """a game declared hidden hides something"""
    if (trial.rules.hidden or "hidden" in trial.info.tags) and not trial.hides:
        return "no view of any seat or onlooker differed from the truth in a whole game"
    return None


def record_round_trip(trial: Trial) -> str | None:
    """a saved game opens as the same game, start and chance included"""
    rng = Random(trial.seed)
    session = Session(trial.info, trial.rules, trial.options, rng=rng, now=float)
    while session.outcome is None and session.tip.ply < _SAVED_PLIES and (moves := session.legal()):
        session.play(rng.choice(moves))
    data = encode(session)
    back = open_session(decode(data), trial.info, trial.rules, rng=rng, now=float)
    if [node.move for node in back.path] != [node.move for node in session.path]:
        return f"{len(session.path) - 1} saved moves open as {len(back.path) - 1}, or as others"
    if back.tip.position != session.tip.position:
        return "the saved game opens at another position"
    return None if encode(back) == data else "saved again, the opened game has other bytes"
