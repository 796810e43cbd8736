"""Whole games of xiangqi at the real table, by mouse and by keys; the canvas is held to every position."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from table_driver import Driver

from qipan.tk import begin
from qipan.tk.app import App
from qipan.values import Moved, Removed

OWN = "b3b5 c10e8 h3h7 b10d9 h7e7 e8g6 b5e5"  # a mate of our own: two cannons on the middle file
DATA = Path(__file__).parents[3] / "shared" / "data" / "xiangqi" / "games_2000.jsonl"


@pytest.fixture
def app(make_app: Callable[..., App]) -> App:
    """A window with nothing in it: a table is opened at once."""
    return make_app(launcher=False)


def mates(app: App, count: int) -> list[tuple[str, str]]:
    """(start text, moves) of the first recorded games that end in mate; none where the data isn't there."""
    if not DATA.is_file():
        return []
    rules = app.host.open("xiangqi").rules({})
    found = []
    for line in DATA.read_text("utf-8").splitlines():
        game = json.loads(line)
        position = rules.read(game["fen"]) if game["fen"] else rules.initial(Random(0))
        for text in game["uci"].split():
            position = rules.apply(position, rules.parse(position, text)).position
        outcome = rules.outcome(position)
        if outcome is not None and outcome.reason.word == "checkmate" and len(game["uci"]) < 300:
            found.append((game["fen"] or "", game["uci"]))
            if len(found) == count:
                break
    return found


def sit_down(app: App, position: str = "") -> Driver:
    """A fresh table of xiangqi."""
    begin.start_game(app, app.host.open("xiangqi"), names=["Chen Wei", "Lin Mei"], position=position)
    return Driver(app)


def over_by_mate(driver: Driver) -> None:
    """Holds that the end is told in words: who won, and why."""
    session = driver.table.session
    assert session.outcome is not None
    assert session.outcome.reason.word == "checkmate"
    (winner,) = session.outcome.winners
    name = driver.table.speaker.seat(winner)
    assert driver.table.speaker.text("table.won", name) in driver.said
    assert driver.table.speaker.say(session.outcome.reason) in driver.said
    assert driver.table.can("resign") is False


def by_mouse(driver: Driver, moves: str) -> int:
    """Plays by clicks and drags in turn; gives how many captures were seen."""
    captures = 0
    for number, text in enumerate(moves.split()):
        session = driver.table.session
        move = session.rules.parse(session.tip.position, text)
        if number % 3 == 2:
            driver.drag(*move.path)
        else:
            driver.click(*move.path)
        assert session.tip.move == move, f"ply {number + 1}: {text}"
        captures += any(isinstance(event, Removed) for event in session.tip.events)
        driver.check()
    return captures


def detour(driver: Driver, keyboard: bool) -> None:
    """An illegal try, a take-back and a redo, a look back and a flip: the game goes on as if nothing had been."""
    table = driver.table
    session = table.session
    before = session.tip
    move = next(move for move in session.legal() if move.path[0] != move.path[1])
    own = before.position.cells[move.path[0]]
    wrong, note = next(
        (point, note) for point, piece in enumerate(before.position.cells)
        if piece is None and (note := session.refusal(move._replace(path=(move.path[0], point)))) is not None
    )  # fmt: skip
    (driver.press if keyboard else driver.click)(move.path[0], wrong)
    assert own is not None
    assert table.speaker.say(note) in driver.said
    assert session.tip is before
    assert table.sitting.pick.empty
    driver.check()
    driver.key("Control-z", widget=driver.board)
    assert session.tip is before.parent
    driver.check()
    driver.key("Control-y", widget=driver.board)
    assert session.tip is before
    driver.check()
    driver.key("l", widget=driver.board)
    ways = [shape for shape in driver.board.shapes() if getattr(shape, "role", "") == "look-back"]
    (event,) = [event for event in before.events if isinstance(event, Moved)]
    sites = session.rules.board.sites
    assert [shape.points for shape in ways] == [tuple((sites[p].x, sites[p].y) for p in (event.src, event.dst))]
    driver.key("l", widget=driver.board)
    corner = driver.pixel("a1")
    driver.key("f", widget=driver.board)
    assert driver.pixel("i10")[1] == corner[1], "black sits at the bottom now"
    driver.check()


def test_our_own_mate_by_mouse(app: App) -> None:
    driver = sit_down(app)
    moves = OWN.split()
    captures = by_mouse(driver, " ".join(moves[:4]))
    detour(driver, keyboard=False)
    captures += by_mouse(driver, " ".join(moves[4:]))
    assert captures == 1
    over_by_mate(driver)


def test_a_real_mate_by_mouse(app: App) -> None:
    games = mates(app, 1) or [("", OWN)]
    driver = sit_down(app, games[0][0])
    moves = games[0][1].split()
    half = len(moves) // 2
    by_mouse(driver, " ".join(moves[:half]))
    detour(driver, keyboard=False)
    by_mouse(driver, " ".join(moves[half:]))
    over_by_mate(driver)


def by_keys(driver: Driver, moves: str) -> None:
    """Plays by arrows and Enter, every third move by typing it in the notation of the list."""
    for number, text in enumerate(moves.split()):
        session = driver.table.session
        move = session.rules.parse(session.tip.position, text)
        if number % 3 == 2:
            driver.text(str(session.rules.say(session.tip.position, move, "chinese")))
        else:
            driver.press(*move.path)
        assert session.tip.move == move, f"ply {number + 1}: {text}"
        driver.check()


@pytest.mark.parametrize("real", [False, True])
def test_a_mate_by_keyboard_alone(app: App, real: bool) -> None:
    games = mates(app, 2)[1:] if real else []
    start, moves = games[0] if games else ("", OWN)
    driver = sit_down(app, start)
    half = len(moves.split()) // 2
    by_keys(driver, " ".join(moves.split()[:half]))
    detour(driver, keyboard=True)
    by_keys(driver, " ".join(moves.split()[half:]))
    over_by_mate(driver)


def test_the_words_of_a_refused_try_by_keyboard(app: App) -> None:
    """In a game of our own what is said is known word for word, in both languages."""
    driver = sit_down(app)
    by_keys(driver, " ".join(OWN.split()[:2]))
    driver.press("b1", "d2")
    assert "The horse's leg is blocked on c1." in driver.said
    app.set_language("zh")
    driver.press("h1", "f2")
    assert "蹩马腿：g1 有子。" in driver.said
    driver.check()


def test_a_hurried_game_with_everything_in_motion(app: App) -> None:
    """Nobody waits for an animation: each touch ends the one before, and the board is right at the end of it all."""
    driver = sit_down(app)
    app.settings.animate = app.settings.pulse = True
    session, moved = driver.table.session, 0
    for number, text in enumerate(OWN.split()):
        move = session.rules.parse(session.tip.position, text)
        (driver.drag if number % 2 else driver.click)(*move.path)
        moved += driver.board.motion.running
        assert session.tip.move == move
        if number == 3:
            driver.key("Control-z", "Control-y", "Prior", "Next", "End", widget=driver.board)
    assert moved > 3, "it did move"
    driver.board.motion.finish()  # the last glide, and what sinks after it
    driver.board.motion.finish()
    driver.check()
    over_by_mate(driver)
