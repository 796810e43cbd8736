"""The mini-games of the contract at the real table: drops, dice, jumps, mills, words, secrets, several seats at once."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from table_driver import Driver

from qipan.host import Host
from qipan.tk import begin
from qipan.tk.app import App

MINIS = Path(__file__).parents[1] / "contract"
HOST = Host.scan(MINIS, entry_points=False, trusted=lambda plugin_id, sha256: True)
GAMES = sorted(game.id for game in HOST.games.values() if MINIS in game.folder.parents)
PLIES = 40  # of a random game; longer ones are played on without the window


@pytest.fixture
def table_of(app: App) -> object:
    """Sits down at a mini-game."""
    app.host = HOST

    def sit(game: str) -> Driver:
        begin.start_game(app, app.host.open(game))
        return Driver(app)

    return sit


@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keys"])
@pytest.mark.parametrize("game", GAMES)
def test_a_random_game(table_of: object, game: str, keyboard: bool) -> None:
    driver: Driver = table_of(game)  # type: ignore[operator]
    session, rng = driver.table.session, Random(f"{game} {keyboard}")
    for _ in range(PLIES):
        if session.outcome is not None:
            break
        driver.sit()
        move = rng.choice(driver.table.sitting.moves)
        before = session.tip
        driver.play(move, keyboard)
        played = next(node for node in session.tip.path() if node.parent is before)
        assert played.move == move
        driver.check()
    else:
        while session.outcome is None:
            session.play(rng.choice([move for move in session.legal() if move.seat >= 0]))
        driver.app.root.update()
    driver.check()
    assert driver.table.speaker.end(session.outcome).title in driver.said
