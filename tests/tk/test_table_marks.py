"""Marks at the table: drawn with the right button and with keys, kept in the record. What can't be done says why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from table_driver import Driver, family

from qipan import record
from qipan.catalogue import Format
from qipan.host import Host
from qipan.scene import Path as Trail
from qipan.scene import Shape
from qipan.session import Session
from qipan.tk import begin
from qipan.tk.app import App
from qipan.tk.file_box import FileBox

MINIS = Path(__file__).parents[1] / "contract"
FILES = "abcdefghi"


@pytest.fixture
def app(make_app: Callable[..., App]) -> App:
    """A window with nothing in it: a table is opened at once."""
    return make_app(launcher=False)


@pytest.fixture
def driver(app: App) -> Driver:
    """A table of xiangqi after one move."""
    begin.start_game(app, app.host.open("xiangqi"))
    driver = Driver(app)
    driver.click("b3", "e3")
    return driver


def right(driver: Driver, start: str, end: str = "", button: int = 3) -> None:
    """Presses the right button on a point and lets it go there, or on another."""
    for name, place in (("Button-{}", start), ("B{}-Motion", end or start), ("ButtonRelease-{}", end or start)):
        x, y = driver.pixel(place)
        driver.board.event_generate(f"<{name.format(button)}>", x=x, y=y)
        driver.app.root.update()


def drawn(driver: Driver) -> list[Shape]:
    """What a person drew, as it lies on the canvas."""
    return [shape for shape in driver.board.shapes() if shape.role in ("mark:note", "drawn")]


def paths(driver: Driver) -> list[tuple[str, ...]]:
    """The marks of the node that is looked at, as names of points."""
    sites = driver.table.session.rules.board.sites
    return [tuple(sites[point].name for point in mark.path) for mark in driver.table.sitting.node.marks]


@pytest.mark.parametrize("button", [2, 3])
def test_the_right_button_marks_points_and_draws_arrows(driver: Driver, button: int) -> None:
    right(driver, "e5", button=button)
    right(driver, "a1", "a4", button=button)
    assert paths(driver) == [("e5",), ("a1", "a4")]
    (point,) = [shape for shape in drawn(driver) if not isinstance(shape, Trail)]
    (arrow,) = [shape for shape in drawn(driver) if isinstance(shape, Trail)]
    assert (point.x, point.y) == (4, 5)  # type: ignore[union-attr]
    assert arrow.points == ((0, 9), (0, 6))
    driver.check()
    right(driver, "e5", button=button)
    right(driver, "a1", "a4", button=button)
    assert paths(driver) == drawn(driver) == []


def test_an_arrow_is_seen_while_it_is_drawn_and_let_go_outside_it_is_none(driver: Driver) -> None:
    x, y = driver.pixel("a1")
    driver.board.event_generate("<Button-3>", x=x, y=y)
    x, y = driver.pixel("c3")
    driver.board.event_generate("<B3-Motion>", x=x, y=y)
    driver.app.root.update()
    assert [shape.points for shape in drawn(driver) if isinstance(shape, Trail)] == [((0, 9), (2, 7))]
    assert paths(driver) == []
    driver.board.event_generate("<ButtonRelease-3>", x=1, y=1)
    driver.app.root.update()
    assert paths(driver) == drawn(driver) == []


def test_with_a_lifted_piece_the_right_button_puts_it_back(driver: Driver) -> None:
    driver.click("h10")
    right(driver, "e5")
    assert driver.table.sitting.pick.empty
    assert paths(driver) == []
    driver.check()


def test_marks_by_keyboard_alone(driver: Driver) -> None:
    driver.walk_to("e5")
    driver.key("k", widget=driver.board)
    assert paths(driver) == [("e5",)]
    driver.key("a", "Left", "Left", widget=driver.board)
    assert [shape.points for shape in drawn(driver) if isinstance(shape, Trail)] == [((4, 5), (2, 5))]
    driver.key("a", widget=driver.board)
    assert paths(driver) == [("e5",), ("e5", "c5")]
    driver.key("a", "Left", "Escape", widget=driver.board)
    assert len(drawn(driver)) == 2, "Esc forgets the arrow that was begun"
    driver.walk_to("e5")
    driver.key("k", widget=driver.board)
    assert paths(driver) == [("e5", "c5")]


def test_marks_belong_to_their_move_and_are_saved_and_cleared(driver: Driver, tmp_path: Path) -> None:
    right(driver, "e5")
    right(driver, "b10", "c8")
    file = tmp_path / "marked.qipan"
    record.save(file, driver.table.session)
    clear = driver.table.record.comment.clear
    assert clear.winfo_ismapped()
    driver.key("Prior", widget=driver.board)
    assert drawn(driver) == []
    assert not clear.winfo_ismapped()
    driver.key("Next", widget=driver.board)
    assert len(drawn(driver)) == 2
    clear.invoke()
    driver.app.root.update()
    assert paths(driver) == drawn(driver) == []
    begin.open_file(driver.app, file)
    driver.app.root.update()
    again = Driver(driver.app)
    assert paths(again) == [("e5",), ("b10", "c8")]
    assert len(drawn(again)) == 2
    again.check()


# -- what can't be done ----------------------------------------------------------------------------------------------
def test_what_cannot_be_done_says_why(driver: Driver) -> None:
    table, app = driver.table, driver.app
    row = table.actions.rows["redo"]
    assert row.tip.text == "There is no move to play again"
    app.set_language("zh")
    assert row.tip.text == "没有可重走的棋"
    app.set_language("en")
    assert table.actions.rows["flip"].tip.text == ""
    driver.key("Control-z", widget=driver.board)
    assert row.tip.text == ""
    assert table.actions.rows["restart"].tip.text == "This is the start"
    driver.key("Control-y", "Control-d", "Prior", widget=driver.board)
    said = {name: row.tip.text for name, row in table.actions.rows.items() if row.tip.text}
    assert said == {
        "take-back": "Return to the game first", "redo": "Return to the game first",
        "draw": "A draw has been offered already",
    }  # fmt: skip
    assert {name for name, row in table.actions.rows.items() if not row.enabled} == set(said)
    row.tip.show()
    assert row.tip.shown is not None
    assert str(row.tip.shown.cget("text")) == said["redo"]
    row.tip.hide()


def test_the_tip_of_a_disabled_icon_has_its_name_and_the_reason(driver: Driver) -> None:
    button = driver.table.record.transport.buttons["forward"]
    assert button.instate(["disabled"])
    button.event_generate("<Enter>")
    driver.app.root.after(600)
    driver.app.root.update()
    (tip,) = [widget for widget in family(driver.app.root) if str(widget.winfo_class()) == "TLabel"
              and str(widget.cget("style")) == "Tip.TLabel"]  # fmt: skip
    assert str(tip.cget("text")) == "One move on   Page Down\nNo moves follow"


# -- secrets ---------------------------------------------------------------------------------------------------------
def test_a_game_with_secrets_is_saved_in_its_own_form_only(app: App, tmp_path: Path) -> None:
    app.host = Host.scan(MINIS, entry_points=False, trusted=lambda plugin_id, sha256: True)
    begin.start_game(app, app.host.open("mini_siguo"))
    driver = Driver(app)
    files = driver.table.deeds.files
    form = Format("told", ("mini_siguo",), (".told",), lambda data: (), lambda game: repr(game).encode())
    files._forms = lambda: [form]  # type: ignore[method-assign]
    driver.table.do("save")
    box = app.popup
    assert isinstance(box, FileBox)
    assert any("the secrets of all sides" in str(w.cget("text")) for w in family(box) if w.winfo_class() == "TLabel")
    assert list(box._suffixes) == [record.SUFFIX]
    box.dismiss()
    files.save_to(tmp_path / "game.told")
    assert not (tmp_path / "game.told").exists()
    assert any("saved as .qipan only" in str(w.cget("text")) for w in family(app.root) if w.winfo_class() == "TLabel")
    app.clear_banner()
    session: Session = driver.table.session
    files.save_to(tmp_path / "game.qipan")
    assert len(record.load(tmp_path / "game.qipan").moves) == len(session.path)
    while session.outcome is None:
        session.resign(session.waiting()[0])
    files.save_to(tmp_path / "game.told")
    assert (tmp_path / "game.told").exists(), "when it is over there is nothing to hide"
