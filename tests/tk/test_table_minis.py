"""The mini-games of the contract at the real table: drops, dice, jumps, mills, words, secrets, several seats at once.

A random game of each is found without the window; its beginning and its end are then played by mouse and by keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
from table_driver import Driver

from qipan.host import Host, Opened
from qipan.session import Session
from qipan.tk.app import App
from qipan.values import Move

MINIS = Path(__file__).parents[1] / "contract"
HOST = Host.scan(MINIS, entry_points=False, trusted=lambda plugin_id, sha256: True)
GAMES = sorted(game.id for game in HOST.games.values() if MINIS in game.folder.parents)
SIZE = (1100, 640)  # the least window with all columns: less to paint
PART = 10  # plies played at the table, at each end of the game


def fresh(opened: Opened, seed: str) -> Session:
    """A session that deals and draws the same for the same seed."""
    options = opened.info.settle({})
    return Session(opened.info, opened.rules(options), options, rng=Random(seed), now=lambda: 0.0)


@cache
def random_game(game: str, seed: str) -> tuple[Move, ...]:
    """The seats' moves of a whole random game."""
    opened = HOST.open(game)
    session, rng, moves = fresh(opened, seed), Random(f"{seed} moves"), []
    while session.outcome is None:
        seat = session.waiting()[0]
        move = rng.choice([move for move in session.legal() if move.seat == seat])
        session.play(move)
        moves.append(move)
    return tuple(moves)


def play(driver: Driver, moves: Sequence[Move], keyboard: bool) -> None:
    """Makes the moves at the table; each must be what the session then has, and what is drawn."""
    session = driver.table.session
    for move in moves:
        before = session.tip
        driver.play(move, keyboard)
        assert next(node for node in session.tip.path() if node.parent is before).move == move
        driver.check()


@pytest.mark.parametrize("keyboard", [False, True], ids=["mouse", "keys"])
@pytest.mark.parametrize("game", GAMES)
def test_both_ends_of_a_random_game(make_app: Callable[..., App], game: str, keyboard: bool) -> None:
    app = make_app(size=SIZE, launcher=False)
    app.host = HOST
    opened = HOST.open(game)
    moves = random_game(game, game)
    session = fresh(opened, game)
    app.open_table(session, opened)
    play(Driver(app), moves[:PART], keyboard)
    session = fresh(opened, game)
    for move in moves[:-PART]:
        session.play(move)
    app.open_table(session, opened)
    driver = Driver(app)
    play(driver, moves[-PART:], keyboard)
    assert session.outcome is not None
    assert driver.table.speaker.end(session.outcome).title in driver.said
    assert driver.table.speaker.say(session.outcome.reason) in driver.said
