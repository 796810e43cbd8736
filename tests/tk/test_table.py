"""The page of a game: what it takes, what it says, what it refuses, how it fits, and that it leaves nothing behind."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from PIL import ImageChops
from table_driver import Driver, family

from qipan import record
from qipan.acts import Refused
from qipan.host import Host, Opened
from qipan.scene import Shape
from qipan.session import Session
from qipan.tk import begin
from qipan.tk.app import App
from qipan.tk.file_box import FileBox
from qipan.tk.table import keys
from qipan.tk.table.page import Table
from qipan.tk.table.panels import Chooser, Question, SettingsPanel
from qipan.tk.table.rows import table_rows
from qipan.tree import Node
from qipan.values import Move, Piece
from qipan.words import LANGUAGES

MINIS = Path(__file__).parents[1] / "contract"
TABLE = Path(str(keys.__file__)).parent
LEG = "3k5/9/9/9/9/9/9/9/9/RNBAK4 w"  # the horse's leg is blocked on both sides


class Clock:
    """A time in the test's hand."""

    def __init__(self, app: App) -> None:
        self.seconds = 1000.0
        app.now = lambda: self.seconds


@pytest.fixture
def app(make_app: Callable[..., App]) -> App:
    """A window with nothing in it: a table is opened at once."""
    return make_app(launcher=False)


@pytest.fixture
def sit(app: App) -> Callable[..., Driver]:
    """Sits down at a table of xiangqi (or of a mini-game)."""

    def start(game: str = "xiangqi", moves: str = "", **options: str) -> Driver:
        if game != "xiangqi":
            app.host = Host.scan(MINIS, entry_points=False, trusted=lambda plugin_id, sha256: True)
        names = ["Chen Wei", "Lin Mei"] if game == "xiangqi" else ()
        begin.start_game(app, app.host.open(game), names=names, **options)
        driver = Driver(app)
        for text in moves.split():
            assert driver.table.deeds.type_move(text), text
        app.root.update()
        return driver

    return start


def begin_quietly(app: App, opened: Opened) -> Session:
    """A game that no table shows yet, so that its moves are not drawn one by one."""
    options = opened.info.settle({})
    return Session(opened.info, opened.rules(options), options, rng=Random(1), now=app.now)


def pump(app: App, seconds: float) -> None:
    """Lets the window live."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.root.update()
        time.sleep(0.003)


def marks(driver: Driver, word: str) -> list[Shape]:
    """The marks of one word that are drawn."""
    return [shape for shape in driver.board.shapes() if getattr(shape, "role", "") == f"mark:{word}"]


# -- touching --------------------------------------------------------------------------------------------------------
def test_a_refused_try_says_why_shows_where_and_stays_said(sit: Callable[..., Driver]) -> None:
    driver = sit(position=LEG)
    driver.click("b1", "d2")
    assert "The horse's leg is blocked on c1." in driver.said
    assert [driver.board.layout.place(m.x, m.y) for m in marks(driver, "fault")] == [driver.pixel("c1")]  # type: ignore[union-attr]
    driver.check()
    pump(driver.app, 0.8)
    assert marks(driver, "fault") == []
    assert "leg is blocked" in driver.said
    driver.click("b1")
    assert "leg is blocked" not in driver.said


def test_touching_the_other_side_says_whose_it_is(sit: Callable[..., Driver]) -> None:
    driver = sit()
    driver.click("e7")
    assert driver.table.speaker.text("table.theirs", "seat.black") in driver.said
    driver.click("e5")
    assert "Red to move" in driver.said, "an empty point with nothing lifted is no try"


def test_lifted_targets_and_the_sentence(sit: Callable[..., Driver]) -> None:
    driver = sit()
    driver.click("b3")
    assert "Cannon lifted · 12 targets" in driver.said
    assert (len(marks(driver, "target")), len(marks(driver, "capture"))) == (11, 1)
    driver.app.settings.show_targets = False
    driver.table.refresh()
    assert marks(driver, "target") == marks(driver, "capture") == []
    driver.click("b4")
    assert driver.table.session.tip.move == Move(0, (driver.point("b3"), driver.point("b4")))


@pytest.mark.parametrize("how", ["again", "escape", "right", "outside"])
def test_a_piece_is_put_back(sit: Callable[..., Driver], how: str) -> None:
    driver = sit()
    driver.click("b1")
    assert not driver.table.sitting.pick.empty
    if how == "again":
        driver.click("b1")
    elif how == "escape":
        driver.key("Escape", widget=driver.board)
    elif how == "right":
        driver.board.event_generate("<Button-3>", x=5, y=5)
    else:
        driver.board.event_generate("<Button-1>", x=2, y=2)
    driver.app.root.update()
    assert driver.table.sitting.pick.empty
    assert driver.table.session.tip is driver.table.session.root
    driver.check()


def test_a_trembling_click_is_no_drag_and_a_drag_into_nowhere_returns(sit: Callable[..., Driver]) -> None:
    driver = sit()
    x, y = driver.pixel("b1")
    driver.board.event_generate("<Button-1>", x=x, y=y)
    driver.board.event_generate("<B1-Motion>", x=x + 3, y=y + 2, state=0x100)
    driver.board.event_generate("<ButtonRelease-1>", x=x + 3, y=y + 2)
    driver.app.root.update()
    assert driver.table.sitting.pick.path == (driver.point("b1"),), "still lifted, for a second click"
    driver.check()
    driver.board.event_generate("<Button-1>", x=x, y=y)
    driver.board.event_generate("<B1-Motion>", x=x + 40, y=y - 30, state=0x100)
    driver.app.root.update()
    with pytest.raises(LookupError):
        driver.board.shown()  # it hangs at the pointer
    driver.board.event_generate("<ButtonRelease-1>", x=1, y=1)
    driver.app.root.update()
    assert driver.table.sitting.pick.empty
    driver.check()


def test_hovering_one_s_own_piece_is_shown(sit: Callable[..., Driver]) -> None:
    driver = sit()
    for name, hand in (("b1", "hand2"), ("b10", ""), ("e5", "")):
        x, y = driver.pixel(name)
        driver.board.event_generate("<Motion>", x=x, y=y)
        driver.app.root.update()
        assert str(driver.board.cget("cursor")) == hand  # type: ignore[no-untyped-call]
        assert len(marks(driver, "hover")) == (hand == "hand2")


def test_a_word_is_chosen_by_keys_or_not_at_all(sit: Callable[..., Driver]) -> None:
    app = sit("mini_chess").app
    opened = app.host.open("mini_chess")
    session, rng = begin_quietly(app, opened), Random(3)
    while not any(move.word for move in session.legal()):
        if session.outcome is not None:
            session.reset()
        session.play(rng.choice(session.legal()))
    app.open_table(session, opened)
    driver = Driver(app)
    moves = [move for move in session.legal() if move.word]
    same = [move for move in moves if move.path == moves[0].path]
    before = session.tip
    driver.click(*moves[0].path)
    assert isinstance(driver.table.panel, Chooser)
    assert [str(button.cget("text")) for button in driver.table.panel.buttons] == [
        driver.table.speaker.word(move) for move in same
    ]
    driver.key("Escape")
    assert driver.table.panel is None
    assert session.tip is before
    driver.click(*moves[0].path)
    driver.key("Down", "Return")
    assert session.tip.move == same[1]
    driver.check()


def test_lining_up_swaps_and_hands_in_one_secret_move(sit: Callable[..., Driver]) -> None:
    driver = sit("mini_siguo")
    table = driver.table
    assert table.curtain is not None
    assert table.curtain.winfo_width() == table.winfo_width()
    driver.app.copy("as before")
    driver.key("Control-c", "t")
    assert driver.app.root.clipboard_get() == "as before", "no key looks behind the curtain"
    assert driver.app.root.focus_get() is table.curtain.ready
    driver.sit()
    seat = table.sitting.viewer
    own = [p for p, piece in enumerate(table.sitting.view.cells) if piece is not None and piece.seat == seat]
    swaps = [(a, b) for a in own for b in own if a < b and table.sitting.view.cells[a] != table.sitting.view.cells[b]]
    for a, b in swaps:
        before = table.sitting.shown.cells
        driver.click(a, b)
        driver.check()
        after = table.sitting.shown.cells
        if table.sitting.refused is None:
            assert (after[a], after[b]) == (before[b], before[a])
            break
        assert after == before
    else:
        pytest.fail("no two pieces could be swapped")
    driver.app.copy("as before")
    driver.key("Control-Shift-C", widget=driver.board)
    assert driver.app.root.clipboard_get() == "as before", "the others' line-ups are in the game"
    driver.app.clear_banner()
    driver.answer("table.arrange-done")
    (node,) = table.session.root.children
    assert node.told == (seat,)
    assert node.position.cells[a].kind == after[a].kind  # type: ignore[union-attr]
    assert table.curtain is not None
    driver.sit()
    assert table.sitting.viewer != seat
    assert all(piece is None or piece.seat != seat or piece.kind == "hidden" for piece in table.sitting.shown.cells)


# -- looking ---------------------------------------------------------------------------------------------------------
def test_looking_back_draws_as_many_moves_as_wanted(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3 h10g8 h1g3 i10h10")
    arrows = lambda: [s.key[1] for s in driver.board.shapes() if getattr(s, "role", "") == "look-back"]  # noqa: E731
    assert arrows() == []
    driver.key("l", widget=driver.board)
    assert arrows() == [1]
    driver.key("plus", "plus", widget=driver.board)
    assert sorted(arrows()) == [1, 2, 3]
    driver.key("minus", widget=driver.board)
    assert sorted(arrows()) == [1, 2]
    driver.key("l", widget=driver.board)
    assert arrows() == []


def test_browsing_says_so_and_a_move_there_is_a_variation(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3 h10g8 h1g3")
    table, session = driver.table, driver.table.session
    tip = session.tip
    driver.key("Prior", "Prior", widget=driver.board)
    assert table.sitting.node.ply == 1
    assert "Looking at move 1 of 3" in driver.said
    driver.check()
    driver.click("b10", "c8")
    assert session.tip is tip
    assert "In a variation, move 2" in driver.said
    driver.key("Prior", widget=driver.board)
    assert "Looking at move 1 of 2" in driver.said, "the line that is walked, as the slider counts it"
    driver.key("Next", widget=driver.board)
    assert [row.depth for row in table.record.moves.rows] == [0, 1, 0]
    driver.check()
    aside = table.sitting.node
    with pytest.raises(Refused):
        session.promote(aside)
    table.deeds.promote(aside)
    assert table.speaker.text("played-line") in driver.said
    table.deeds.remove(aside)
    assert [row.depth for row in table.record.moves.rows] == [0, 0]
    assert table.sitting.node is tip.parent.parent  # type: ignore[union-attr]
    driver.answer("table.return")
    assert table.sitting.node is tip
    driver.key("Home", widget=driver.board)
    assert table.sitting.node is session.root
    driver.key("Next", widget=driver.board)
    assert table.sitting.node.ply == 1
    driver.key("End", widget=driver.board)
    assert table.sitting.node is tip


def test_a_click_in_the_list_and_the_slider_go_there(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3 h10g8 h1g3 i10h10")
    moves, session = driver.table.record.moves, driver.table.session
    second = session.root.children[0].children[0]
    place = moves.place_of(second)
    assert place is not None
    moves.canvas.event_generate("<Button-1>", x=place[0], y=place[1])
    driver.app.root.update()
    assert driver.table.sitting.node is second
    driver.check()
    slider = driver.table.record.transport.slider
    slider.event_generate("<Button-1>", x=2, y=8)
    driver.app.root.update()
    assert driver.table.sitting.node is session.root
    assert str(driver.table.record.transport.count.cget("text")) == "0 / 4"
    slider.event_generate("<Button-1>", x=slider.winfo_width() - 2, y=8)
    driver.app.root.update()
    assert driver.table.sitting.node is session.tip
    driver.check()


def test_only_the_visible_rows_of_a_long_game_are_drawn(sit: Callable[..., Driver]) -> None:
    app = sit().app
    opened = app.host.open("xiangqi")
    session = begin_quietly(app, opened)
    for text in ("a4a5", "a7a6", *("a1a2", "a10a9", "a2a1", "a9a10") * 60):
        session.play(session.rules.parse(session.tip.position, text))
    app.open_table(session, opened)
    driver = Driver(app)
    moves = driver.table.record.moves
    assert len(moves.rows) == 121
    assert len(moves.canvas.find_all()) < 150
    assert moves.place_of(driver.table.session.tip) is not None
    driver.key("Home", widget=driver.board)
    assert moves.place_of(driver.table.session.root.children[0]) is not None


def test_autoplay_goes_through_and_stops_at_the_end(
    sit: Callable[..., Driver], wait_until: Callable[..., None]
) -> None:
    driver = sit(moves="h3e3 h10g8")
    driver.key("Home", "p", widget=driver.board)
    assert driver.table.autoplaying
    wait_until(driver.app, lambda: driver.table.sitting.node is driver.table.session.tip)
    driver.app.root.update()
    assert not driver.table.autoplaying
    driver.check()


def node(number: int, parent: Node | None, seat: int, spot: int) -> Node:
    """A node of a tree without rules."""
    made = Node(number, parent, None if parent is None else Move(seat, (spot,)), None)  # type: ignore[arg-type]
    if parent is not None:
        parent.children.append(made)
    return made


def test_rows_of_a_tree() -> None:
    root = node(0, None, 0, 0)
    red = node(1, root, 0, 1)
    black = node(2, red, 1, 2)
    node(3, black, 0, 3)
    aside = node(4, red, 1, 4)
    node(5, aside, 0, 5)
    node(6, black, 0, 6)
    shown = [
        (row.depth, row.head, row.number, [(cell.node.id, cell.column) for cell in row.cells])
        for row in table_rows(root, 2, lambda node: str(node.id))
    ]
    assert shown == [
        (0, False, "1", [(1, 0), (2, 1)]),
        (1, True, "1", [(4, 1)]),
        (1, False, "2", [(5, 0)]),
        (0, False, "2", [(3, 0)]),
        (1, True, "2", [(6, 0)]),
    ]
    assert [len(row.cells) for row in table_rows(root, 3, lambda node: "")] == [1] * 6


# -- deeds -----------------------------------------------------------------------------------------------------------
def test_starting_over_asks_first(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3 h10g8")
    session = driver.table.session
    driver.key("Control-n", widget=driver.board)
    assert isinstance(driver.table.panel, Question)
    driver.key("Escape")
    assert driver.table.panel is None
    assert session.tip.ply == 2
    driver.key("Control-n", widget=driver.board)
    driver.table.panel.yes.invoke()
    driver.app.root.update()
    assert session.tip is session.root
    driver.check()
    driver.key("Control-y", widget=driver.board)
    assert session.tip.ply == 1, "what was put away can be redone"


def test_resigning_asks_and_the_end_can_be_taken_back(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3")
    driver.key("Control-r", widget=driver.board)
    assert isinstance(driver.table.panel, Question)
    driver.table.panel.yes.invoke()
    driver.app.root.update()
    assert "Red wins" in driver.said
    assert "Black resigned" in driver.said
    driver.click("h10")
    assert driver.table.sitting.pick.empty, "no piece is lifted after the end"
    driver.key("Control-z", widget=driver.board)
    assert driver.table.session.outcome is None
    assert "Black to move" in driver.said


def test_a_draw_is_offered_declined_and_agreed(sit: Callable[..., Driver]) -> None:
    driver = sit()
    driver.key("Control-d", widget=driver.board)
    assert "Red offers a draw" in driver.said
    driver.answer("table.decline")
    assert driver.table.session.outcome is None
    assert "offers" not in driver.said
    driver.click("b1", "d2")
    assert "leg" in driver.said
    driver.key("Control-d", widget=driver.board)
    driver.answer("table.accept")
    assert "A draw" in driver.said
    assert "leg" not in driver.said, "what was refused before the end is no part of it"
    assert "Draw by agreement" in driver.said


def test_a_third_repetition_is_told_and_may_be_claimed(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="a1a2 a10a9 a2a1 a9a10 a1a2 a10a9 a2a1 a9a10")
    assert driver.table.session.claim is not None
    assert driver.table.session.outcome is None
    reason = driver.table.speaker.say(driver.table.session.claim.outcome.reason)
    assert f"{reason} Each side may claim a draw." in driver.said
    driver.answer("table.claim")
    assert driver.table.session.outcome is not None
    assert reason in driver.said


def test_check_is_announced_in_words_and_rings(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="b3b5 c10e8 h3h7 b10d9 h7e7")
    assert "Check! Black must answer" in driver.said
    assert len(marks(driver, "check")) == 1
    driver.app.settings.announce_check = False
    driver.table.refresh()
    assert marks(driver, "check") == []


def test_clocks_run_down_to_the_words(app: App, sit: Callable[..., Driver]) -> None:
    clock = Clock(app)
    driver = sit(clock="1")
    driver.click("b3", "e3")
    clock.seconds += 52.5
    driver.table.plates[1].tick()
    canvas = driver.table.plates[1].canvas
    shown = "".join(str(canvas.itemcget(item, "text")) for item in canvas.find_withtag("clock"))  # type: ignore[no-untyped-call]
    assert shown == "00:07.5"
    clock.seconds += 8
    pump(app, 0.3)
    assert "Red wins" in driver.said
    assert "Black ran out of time" in driver.said


def test_stopped_clocks_stand_and_no_move_is_taken(app: App, sit: Callable[..., Driver]) -> None:
    clock = Clock(app)
    driver = sit(clock="1")
    driver.click("b3", "e3")
    driver.key("Control-p", widget=driver.board)
    assert "Paused" in driver.said
    clock.seconds += 500
    pump(app, 0.3)
    assert driver.table.session.outcome is None
    driver.click("h10")
    assert driver.table.sitting.pick.empty
    assert "The game is paused" in driver.said
    driver.answer("table.resume")
    assert "The game is paused" not in driver.said
    assert "Black to move" in driver.said
    driver.click("h10", "g8")
    assert driver.table.session.tip.ply == 2


def test_what_the_rules_tell_of_no_point_is_said(sit: Callable[..., Driver]) -> None:
    driver = sit("mini_backgammon")
    session = driver.table.session
    told = [note for note in session.rules.notes(driver.table.sitting.view, -1) if not note.points]
    while not told:
        driver.play(driver.table.sitting.moves[0])
        told = [note for note in session.rules.notes(driver.table.sitting.view, -1) if not note.points]
    assert driver.table.speaker.say(told[0]) in driver.said


def test_a_cue_waits_for_its_animation(app: App, sit: Callable[..., Driver]) -> None:
    clock = Clock(app)
    driver = sit()
    heard: list[str] = []
    driver.table.cue = heard.append  # type: ignore[method-assign]
    app.settings.animate = True
    driver.click("b3", "b10")
    assert heard == ["select"]
    assert driver.table.board.motion.running
    assert driver.table.session.tip.ply == 1
    clock.seconds += 0.2
    pump(app, 0.1)
    assert heard == ["select", "capture"]
    driver.check()
    driver.click("a10")
    driver.click("b10")
    driver.click("b1")
    assert not driver.table.board.motion.running, "a new touch ends what moves"
    driver.check()


def test_a_dragged_piece_is_put_down_where_it_is(app: App, sit: Callable[..., Driver]) -> None:
    clock = Clock(app)
    driver = sit()
    app.settings.animate = True
    driver.drag("b3", "e3")
    assert driver.table.board.motion.running
    assert driver.board.coords(driver.board.handles()[3, ("piece", driver.point("e3"))])  # type: ignore[index]
    clock.seconds += 0.03
    pump(app, 0.05)
    assert driver.table.board.motion.running
    driver.board.motion.finish()
    driver.check()


# -- records ---------------------------------------------------------------------------------------------------------
def test_a_whole_text_is_marked_by_its_key(sit: Callable[..., Driver]) -> None:
    driver = sit()
    aqua = driver.app.root.tk.call("tk", "windowingsystem") == "aqua"
    field = driver.table.record.comment.field
    field.focus_force()
    field.insert("1.0", "two\nlines")
    driver.key("Command-a" if aqua else "Control-a", "x", widget=field)
    assert field.get("1.0", "end-1c") == "x"


def test_what_a_comment_cannot_hold_stays_in_the_field_and_is_told(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3")
    field = driver.table.record.comment.field
    field.focus_force()
    field.insert("1.0", "x" * 20_001)
    driver.key("Escape", widget=field)
    assert driver.table.session.tip.comment == "x" * 20_000
    assert field.get("1.0", "end-1c") == "x" * 20_001
    assert "at most 20000 characters" in driver.said


def test_a_comment_is_kept_and_its_letters_are_no_commands(sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3")
    field = driver.table.record.comment.field
    driver.key("e", widget=driver.board)
    assert driver.app.root.focus_get() is field
    for letter in ("Control-d", "Control-n", "Control-r", "f", "l", "m"):
        driver.key(letter, widget=field)
    assert driver.table.panel is None
    assert driver.table.session.offer is None
    assert field.get("1.0", "end-1c") == "flm"
    assert driver.table.bottom == 0
    assert not driver.app.settings.look_back
    driver.key("Escape", widget=field)
    assert driver.table.session.tip.comment == "flm"
    driver.key("Control-f", "Alt-l", widget=driver.board)
    assert driver.table.bottom == 0
    assert not driver.app.settings.look_back
    driver.key("Prior", widget=driver.board)
    assert field.get("1.0", "end-1c") == ""
    driver.key("End", widget=driver.board)
    assert field.get("1.0", "end-1c") == "flm"


def test_the_position_and_the_game_go_through_the_clipboard(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3 h10g8")
    old = driver.table.session
    driver.key("Control-c", widget=driver.board)
    text = app.root.clipboard_get()
    assert text == old.rules.write(old.tip.position)
    driver.key("Control-v", widget=driver.board)
    assert isinstance(driver.table.panel, Question)
    driver.table.panel.yes.invoke()
    app.root.update()
    fresh = Driver(app)
    assert fresh.table.session is not old
    assert fresh.table.session.root.position.cells == old.tip.position.cells
    fresh.check()
    fresh.click("h1", "g3")
    fresh.key("Control-Shift-C", widget=fresh.board)
    assert app.root.clipboard_get().strip()
    app.copy("no position at all")
    fresh.key("Control-v", widget=fresh.board)
    assert app.page is fresh.table
    app.clear_banner()


def test_a_copied_game_can_be_pasted(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3 h10g8 h1g3")
    moves = driver.table.session.tip.moves()
    driver.key("Control-Shift-C", widget=driver.board)
    driver = sit()
    driver.key("Control-v", widget=driver.board)
    driver = Driver(app)
    assert driver.table.session.tip.moves() == moves
    assert len(list(app.paths.journals.iterdir())) == 2, "the first game and this one are kept, the empty one is not"
    driver.check()


@pytest.mark.parametrize("suffix", [".qipan", ".pgn"])
def test_a_game_is_saved_and_opened(app: App, sit: Callable[..., Driver], tmp_path: Path, suffix: str) -> None:
    driver = sit(moves="h3e3 h10g8")
    path = tmp_path / f"棋 {suffix}"
    driver.key("Control-s", widget=driver.board)
    box = app.popup
    assert isinstance(box, FileBox)
    assert box.name is not None
    box.go(tmp_path)
    box.name.delete(0, "end")
    box.name.insert(0, path.name)
    driver.key("Return", widget=box.name)
    assert path.is_file()
    driver.click("h1", "g3")
    driver.key("Control-s", widget=driver.board)
    assert app.popup is None, "the second time the name is known"
    moves = driver.table.session.tip.moves()
    if suffix == ".qipan":
        assert len(record.load(path).moves) == 4
    begin.open_file(app, path)
    app.root.update()
    assert Driver(app).table.session.tip.moves() == moves
    Driver(app).check()


# -- the page --------------------------------------------------------------------------------------------------------
def test_every_text_follows_the_language(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="b3b5 c10e8 h3h7 b10d9 h7e7", clock="10+5", options={"handicap": "none"})
    assert app.root.title() == "Xiangqi · Qipan"
    app.set_language("zh")
    app.root.update()
    assert app.root.title() == "象棋 · Qipan"
    assert "将军！黑方应将" in driver.said
    shown = [
        str(widget.cget("text")) for widget in family(driver.table)
        if widget.winfo_class() in ("TButton", "TLabel", "TCheckbutton")
    ]  # fmt: skip
    texts = [text for text in shown if re.search(r"[A-Za-z]{3}", text)]
    assert texts == []
    plate = driver.table.plates[0].canvas
    assert any("红方" in str(plate.itemcget(item, "text")) for item in plate.find_all() if plate.type(item) == "text")  # type: ignore[no-untyped-call]
    app.set_language("en")
    app.root.update()
    assert "Check! Black must answer" in driver.said


def test_every_word_of_the_table_is_there_in_both_languages(app: App) -> None:
    source = "\n".join(path.read_text("utf-8") for path in TABLE.glob("*.py"))
    used = set(re.findall(r'"((?:table|key)\.[a-z][a-z.-]*[a-z])"', source))
    used |= {f"key.{key.command}" for key in keys.KEYS}
    used |= {f"table.{command}" for command in ("take-back", "redo", "look-back", "flip", "draw", "resign", "restart")}
    assert len(used) > 90
    assert app.words.missing(used) == []
    assert set(LANGUAGES) == {"en", "zh"}


def test_every_key_does_something_and_help_lists_it(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit()
    board = {"walk", "touch"}  # the board's own, wherever the focus is not in a text
    window = {"help", "quit"}
    assert {key.command for key in keys.KEYS} - board - window <= set(driver.table.deeds.commands)
    sequences = [sequence for key in keys.KEYS for sequence in key.sequences]
    assert len(sequences) == len(set(sequences))
    assert [label for label, _ in driver.table.shortcuts] == [key.label for key in keys.KEYS]


def test_keys_of_a_table_go_with_it(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3")
    session = driver.table.session
    bound = lambda: [line for line in str(app.root.tk.call("bind", ".", "<Control-z>")).splitlines() if line.strip()]  # noqa: E731
    assert len(bound()) == 1
    sit()
    assert len(bound()) == 1
    app.open_launcher()
    app.root.update()
    assert bound() == []
    app.root.event_generate("<Control-z>")
    app.root.update()
    assert session.tip.ply == 1
    assert driver.table.winfo_exists() == 0


def test_a_narrow_window_puts_people_into_the_record(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit()
    table = driver.table
    assert table.people.winfo_ismapped()
    assert not table.bar.actions["flip"].winfo_ismapped()
    app.root.geometry("900x640")
    pump(app, 0.3)
    assert not table.people.winfo_ismapped()
    assert not table.actions.winfo_ismapped()
    assert table.bar.actions["flip"].winfo_ismapped()
    assert all(plate.winfo_ismapped() for plate in table.plates)
    assert table.record.winfo_width() == 256
    for plate in table.plates:
        assert plate.winfo_rootx() >= table.record.winfo_rootx()
    assert table.record.moves.canvas.winfo_height() >= 5 * 28
    driver.check()
    driver.click("b3", "e3")
    driver.text("h10g8")
    driver.check()
    app.root.geometry("1280x800")
    pump(app, 0.3)
    assert table.people.winfo_ismapped()
    assert table.actions.winfo_ismapped()
    driver.check()


def captured(driver: Driver, seat: int) -> list[str]:
    """The pictures and numbers of what a seat's plate shows as taken; all of it lies inside the plate."""
    canvas = driver.table.plates[seat].canvas
    items = [item for item in canvas.find_all() if canvas.type(item) in ("image", "text")][3:]  # type: ignore[no-untyped-call]
    for item in items:
        left, top, right, bottom = canvas.bbox(item)
        assert left >= 0
        assert top >= 0
        assert right <= canvas.winfo_width()
        assert bottom <= canvas.winfo_height()
    texts = [str(canvas.itemcget(item, "text")) for item in items if canvas.type(item) == "text"]  # type: ignore[no-untyped-call]
    return ["piece" for item in items if canvas.type(item) == "image"] + [t for t in texts if t.startswith("×")]  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("size", ["900x640", "1120x640", "1280x800"])
def test_what_is_taken_shows_in_every_window(app: App, sit: Callable[..., Driver], size: str) -> None:
    app.root.geometry(size)
    pump(app, 0.2)
    driver = sit(moves="b3b10 a10b10 h3h10 i10h10 a4a5 e7e6 e4e5 e6e5", clock="10")
    pump(app, 0.1)
    assert captured(driver, 0) == ["piece", "×2"], "two horses"
    assert captured(driver, 1) == ["piece", "piece", "×2"], "a soldier and two cannons"


def test_more_seats_show_their_losses_on_their_own_line(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit("mini_siguo")
    heights = [plate.canvas.winfo_height() for plate in driver.table.plates]
    for plate in driver.table.plates:
        plate.set_compact(True, False)
    lost = (Piece("bomb", 0, 1), 2), (Piece("flag", 0, 1), 1)
    driver.table.sitting.taken = lambda seat: lost if seat == 0 else ()  # type: ignore[method-assign]
    driver.table.refresh()
    app.root.update()
    assert captured(driver, 0) == ["piece", "piece", "×2"]
    assert captured(driver, 1) == []
    assert [plate.canvas.winfo_height() for plate in driver.table.plates] == heights


def test_nothing_is_cut_off(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="b3b5 c10e8 h3h7 b10d9 h7e7", clock="10+5")
    for language in LANGUAGES:
        app.set_language(language)
        for size in ("900x640", "1100x640", "1280x800", "1920x1080"):
            app.root.geometry(size)
            pump(app, 0.25)
            foot = app.root.winfo_rooty() + app.root.winfo_height()
            for widget in family(driver.table):
                if widget.winfo_ismapped() and widget.winfo_class() in ("TButton", "TLabel"):
                    where = (language, size, widget, widget.cget("text"))
                    assert widget.winfo_width() >= widget.winfo_reqwidth(), where
                    assert widget.winfo_rooty() + widget.winfo_height() <= foot, where
        driver.table.do("settings")
        app.root.update()
        for widget in family(driver.table.panel):
            if widget.winfo_class() in ("TButton", "TLabel", "TCheckbutton", "TRadiobutton"):
                assert widget.winfo_width() >= widget.winfo_reqwidth(), (language, widget.cget("text"))
        driver.table.panel.close()


def test_numerals_go_from_an_open_table_at_once(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3")
    layout = driver.board.layout
    assert layout is not None
    assert driver.board._baked is not None
    before = driver.board._baked.copy()
    driver.table.bar.icons["settings"].invoke()
    switches = {str(widget.cget("text")): widget for widget in family(driver.table.panel)
                if widget.winfo_class() == "TCheckbutton"}  # fmt: skip
    driver.key("Return", widget=switches["Numerals round the board"])
    assert not app.settings.coordinates
    _, top, _, bottom = ImageChops.difference(before, driver.board._baked).getbbox() or (0, 0, 0, 0)
    assert top < layout.place(0, -0.5)[1]
    assert bottom > layout.place(0, 9.5)[1]
    driver.key("Return", widget=switches["Numerals round the board"])
    assert ImageChops.difference(before, driver.board._baked).getbbox() is None


def test_settings_of_the_table_take_hold(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3")
    driver.table.bar.icons["settings"].invoke()
    app.root.update()
    assert isinstance(driver.table.panel, SettingsPanel)
    assert len(marks(driver, "last")) == 1
    switches = [widget for widget in family(driver.table.panel) if widget.winfo_class() == "TCheckbutton"]
    for switch in switches:
        driver.key("Return", widget=switch)
    assert marks(driver, "last") == []
    assert app.settings.pictograms
    assert driver.table.painter.pictograms
    assert not driver.table.painter.numerals
    driver.check()
    driver.key("Escape")
    assert driver.table.panel is None
    cell = driver.board.layout.cell  # type: ignore[union-attr]
    driver.table.deeds.set_board_scale(0.5)
    pump(app, 0.2)
    assert driver.board.layout.cell == cell // 2  # type: ignore[union-attr]
    driver.check()


@pytest.mark.parametrize("method", ["legal_moves", "apply", "notes", "say", "view", "waiting"])
def test_rules_that_fail_are_shown_and_the_table_stays(
    app: App, sit: Callable[..., Driver], monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    driver = sit(moves="h3e3")
    session = driver.table.session

    def boom(*args: object) -> None:
        raise RuntimeError("boom in the rules")

    monkeypatch.setattr(session.rules, method, boom)
    driver.click("h10", "g8")
    boxes = [widget for widget in family(driver.table) if widget.winfo_class() == "TFrame" and "fault" in str(widget)]
    assert boxes, "a soft-red box names the fault"
    assert any("boom in the rules" in str(w.cget("text")) for w in family(boxes[0]) if w.winfo_class() == "TLabel")
    before = session.tip
    assert before.ply == (1 if method in ("apply", "waiting") else 2), "what failed before the move was made undid it"
    monkeypatch.undo()
    driver.click(*(("h10", "g8") if before.ply == 1 else ("h1", "g3")))
    assert session.tip.parent is before
    driver.check()


def test_a_theme_or_mode_repaints_all(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3")
    for mode in ("dark", "light"):
        app.set_mode(mode)
        app.root.update()
        driver.check()
        ground = str(driver.table.record.moves.canvas.cget("background"))  # type: ignore[no-untyped-call]
        assert ground == app.style.surface
    for theme in app.pictures.themes():
        app.set_theme(theme)
        app.root.update()
        assert driver.table.painter.theme.id == theme
        driver.check()


def test_a_job_that_was_stopped_as_it_began_is_not_done(
    sit: Callable[..., Driver], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, begun, done = sit().table, list[Callable[[], None]](), list[str]()

    def after(delay: int, run: Callable[[], None]) -> str:
        begun.append(run)
        return f"after#{delay}"

    monkeypatch.setattr(table, "after", after)
    table.later("job", 5, lambda: done.append("stopped"))
    table.stop("job")
    begun[0]()
    table.later("job", 5, lambda: done.append("kept"))
    begun[1]()
    assert done == ["kept"]


def test_nothing_is_left_when_the_table_goes(app: App, sit: Callable[..., Driver]) -> None:
    driver = sit(moves="h3e3")
    app.settings.animate = app.settings.pulse = True
    driver.click("h10", "g8")
    driver.click("b1")
    driver.table.hand.flash((1,))
    session: Session = driver.table.session
    app.open_launcher()
    assert not isinstance(app.page, Table)
    pump(app, 0.4)
    session.take_back()
    app.root.update()
