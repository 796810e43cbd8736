"""The laws of whole games: they end, they hide what they declare hidden, and a saved game is the game."""

from __future__ import annotations

from qipan.laws.trial import Trial


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
