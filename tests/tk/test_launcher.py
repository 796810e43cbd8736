"""The launcher by mouse and keys: games, search, options, languages, modes, unfinished games, broken plugins."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
import tkinter as tk
import weakref
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from tkinter import ttk
from typing import Any

import pytest
from PIL import Image, ImageGrab

from qipan import record, settings
from qipan.clock import Control
from qipan.host import Host, Opened
from qipan.journal import Journal
from qipan.paths import Paths
from qipan.session import Session
from qipan.tk import begin, file_box
from qipan.tk.app import App, Start
from qipan.tk.chooser import Chooser
from qipan.tk.file_box import FileBox
from qipan.tk.launcher.cards import BrokenCard, GameCard
from qipan.tk.launcher.page import Launcher
from qipan.tk.launcher.panel import GamePanel
from qipan.tk.launcher.plugin import PluginPanel
from qipan.tk.launcher.thumbs import Shot
from qipan.tk.settings_page import SettingsPage
from qipan.tk.table.page import Table

Wait = Callable[[App, Callable[[], object]], None]
MANIFEST = """
api = {api}
id = "{name}"
version = "0.3"
licence = "MIT"
name = {{ en = "{title}", zh = "{zh}" }}
blurb = {{ en = "A game of a test.", zh = "测试用棋。" }}
[[games]]
id = "{name}"
name = {{ en = "{title}", zh = "{zh}" }}
blurb = {{ en = "A game of a test.", zh = "测试用棋。" }}
seats = ["red", "black", "blue", "green"]
tags = ["teams"]
"""


def plugin(paths: Paths, name: str, code: str = "", api: int = 1) -> Path:
    """Puts a plugin into the user's folder."""
    folder = paths.plugins / name
    folder.mkdir(parents=True)
    text = MANIFEST.format(api=api, name=name, title=name.title(), zh="甲乙棋")
    (folder / "plugin.toml").write_text(text, "utf-8")
    (folder / "words.toml").write_text("", "utf-8")
    (folder / "__init__.py").write_text(code, "utf-8")
    return folder


def game_code(name: str, rules: str = "def rules(options):\n    raise RuntimeError('no board today')") -> str:
    """The code of a plugin whose rules are never made, or fail when they are."""
    return (
        f"from qipan.api import Game, hookimpl\n\n\n{rules}\n\n\n"
        f"@hookimpl\ndef games():\n    return [Game('{name}', rules)]\n"
    )


def left_game(paths: Paths, plies: int = 7, names: tuple[str, str] = ("Lin Mei", "Wang")) -> list[str]:
    """A game of xiangqi that was left after some plies; gives its moves."""
    opened = Host.scan(entry_points=False).open("xiangqi")
    rules = opened.rules()
    session = Session(
        opened.info, rules, opened.info.settle({}), rng=Random(1), now=time.monotonic, names=names,
        control=Control.parse("10+5"), journal=Journal.create(paths.journals, "left"),
    )  # fmt: skip
    rng = Random(plies)
    for _ in range(plies):
        session.play(rng.choice(session.legal()))
    moves = said(session)
    session.close()
    return moves


def said(session: Session) -> list[str]:
    """The moves of a session's tip as texts."""
    nodes = session.tip.path()
    return [session.rules.say(before.position, node.move) for before, node in pairwise(nodes) if node.move]


def page(app: App) -> Launcher:
    """The open launcher."""
    assert isinstance(app.page, Launcher)
    return app.page


def panel(app: App) -> GamePanel:
    """The chosen game's panel."""
    shown = page(app).panel
    assert isinstance(shown, GamePanel)
    return shown


def widgets(root: tk.Misc) -> Iterator[tk.Misc]:
    """Every widget below one, itself first."""
    yield root
    for child in root.winfo_children():
        yield from widgets(child)


def texts(root: tk.Misc) -> set[str]:
    """Every text that is on the screen below a widget."""
    found: set[str] = set()
    for widget in widgets(root):
        if not widget.winfo_ismapped():
            continue
        if isinstance(widget, tk.Canvas):
            found |= {widget.itemcget(item, "text") for item in widget.find_all() if widget.type(item) == "text"}
        elif isinstance(widget, ttk.Label | ttk.Button | ttk.Checkbutton | ttk.Radiobutton):
            found.add(str(widget.cget("text")).strip())
        elif isinstance(widget, tk.Text):
            found.add(widget.get("1.0", "end").strip())
    return found - {""}


def click(app: App, widget: tk.Misc) -> None:
    """Presses and releases the mouse in the middle of a widget."""
    x, y = widget.winfo_width() // 2, widget.winfo_height() // 2
    widget.event_generate("<Enter>", x=x, y=y)
    widget.event_generate("<Button-1>", x=x, y=y)
    widget.event_generate("<ButtonRelease-1>", x=x, y=y)
    app.root.update()


def key(app: App, sequence: str) -> None:
    """Presses a key where the focus is."""
    focused = app.root.focus_get()
    assert focused is not None
    focused.event_generate(sequence)
    app.root.update()


def grab(app: App) -> Image.Image:
    """What the screen shows of the window."""
    root = app.root
    root.update()
    x, y = root.winfo_rootx(), root.winfo_rooty()
    screen = ImageGrab.grab(xdisplay=os.environ.get("DISPLAY"))
    return screen.crop((x, y, x + root.winfo_width(), y + root.winfo_height()))


# -- games -------------------------------------------------------------------------------------------------------
def test_each_game_is_a_card_with_a_crop_by_the_real_renderer(app: App, wait_until: Wait) -> None:
    launcher = page(app)
    assert set(launcher.gallery.cards) == set(app.host.games)
    card = launcher.gallery.cards["xiangqi"]
    assert isinstance(card, GameCard)
    wait_until(app, lambda: card._image)
    assert card._image is not None
    shot = Shot("xiangqi", "classic", *card._image.size)
    assert card._image.tobytes() == app.pictures.make(shot).tobytes()
    wait_until(app, lambda: launcher.gallery.cards["xiangqi"].find_all())
    x, y = card.winfo_rootx() - app.root.winfo_rootx(), card.winfo_rooty() - app.root.winfo_rooty()
    drawn = grab(app).crop((x + 30, y + 30, x + 130, y + 100)).convert("RGB")
    inset = 30 - 4 - 3  # the rim round a card, and the chosen card's edge
    assert drawn.tobytes() == card._image.crop((inset, inset, inset + 100, inset + 70)).tobytes()


def test_pictures_of_an_earlier_start_are_used_until_the_theme_changes(
    make_app: Any, wait_until: Wait, monkeypatch: pytest.MonkeyPatch, home: Paths
) -> None:
    first = make_app()
    wait_until(first, lambda: not first.pictures._jobs)
    kept = sorted(home.log.with_name("pictures").glob("*.png"))
    assert kept
    first.close()
    second = make_app()
    monkeypatch.setattr(second.pictures, "make", lambda shot: pytest.fail("made again"))
    wait_until(second, lambda: page(second).gallery.cards["xiangqi"]._image)
    second.close()
    kept[0].write_bytes(b"torn")
    third = make_app()
    wait_until(third, lambda: page(third).gallery.cards["xiangqi"]._image)


def test_search_finds_names_in_both_scripts_ids_and_tags(app: App) -> None:
    gallery = page(app).gallery
    key(app, "<Control-f>")
    assert app.root.focus_get() is gallery.search
    for query, found in (("xiang", True), ("象棋", True), ("XIANGQI", True), ("2 players", True), ("hexwar", False)):
        gallery.query.set(query)
        app.root.update()
        assert ("xiangqi" in gallery.cards) is found, query
    assert "Nothing matches 'hexwar'." in texts(gallery)
    clear = next(w for w in widgets(gallery.body) if isinstance(w, ttk.Button))
    clear.invoke()
    app.root.update()
    assert "xiangqi" in gallery.cards
    assert gallery.query.get() == ""


def test_chips_are_what_the_games_declare(make_app: Any, home: Paths) -> None:
    plugin(home, "quad", game_code("quad"))
    app = make_app()
    untrusted = app.host.plugin("quad")
    app.settings.trusted["quad"] = untrusted.sha256
    app.host.retry(untrusted)
    page(app).changed("xiangqi")
    app.pictures.forget()
    chips = {str(chip.cget("text")): chip for chip in page(app).gallery.chips.winfo_children()}
    assert {"All", "2 players", "4 players", "Teams"} <= set(chips)
    app.pictures.forget()
    chips["4 players"].invoke()
    assert set(page(app).gallery.cards) == {"quad"}
    chips["All"].invoke()
    assert {"quad", "xiangqi"} <= set(page(app).gallery.cards)
    app.pictures.forget()


# -- starting ----------------------------------------------------------------------------------------------------
@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Session]]:
    """The sessions whose table would have been opened."""
    got: list[Session] = []

    def open_table(self: App, session: Session, opened: Opened, *, filed: bool = False) -> None:
        got.append(session)

    monkeypatch.setattr(App, "open_table", open_table)
    yield got
    for session in got:
        session.close()


def test_what_the_panel_says_is_what_starts_and_is_remembered(
    make_app: Any, opened: list[Session], home: Paths
) -> None:
    app = make_app()
    panel(app).fields["seat.0"].value.set("Lin Mei")
    panel(app).fields["clock"].open()
    panel(app).fields["clock"].popup.rows["10+5"].invoke()
    panel(app).fields["option.handicap"].open()
    panel(app).fields["option.handicap"].popup.rows["horse"].invoke()
    click(app, panel(app).go)
    session = opened[0]
    assert session.names == ["Lin Mei", ""]
    assert session.clock.control.text() == "10+5"
    assert session.options["handicap"] == "horse"
    assert list(home.journals.iterdir())
    app.close()
    kept = json.loads(home.settings.read_text("utf-8"))["games"]["xiangqi"]
    assert kept["seats"] == ["Lin Mei", ""]
    assert kept["options"] == {"handicap": "horse"}
    again = make_app()
    assert panel(again).fields["option.handicap"].value == "horse"
    assert panel(again).fields["clock"].value == "10+5"
    assert panel(again).names() == ["Lin Mei", ""]


def test_a_clock_of_ones_own(app: App, opened: list[Session]) -> None:
    shown = panel(app)
    shown.fields["clock"].open()
    shown.fields["clock"].popup.rows["custom"].invoke()
    app.root.update()
    shown._own.insert(0, "7x")
    shown._own.event_generate("<KeyRelease>", keysym="x")
    assert shown._own.instate(["invalid"])
    shown.start()
    assert not opened
    shown._own.delete(0, "end")
    shown._own.insert(0, "7+2x20")
    shown._own.event_generate("<KeyRelease>", keysym="0")
    shown.start()
    assert opened[0].clock.control.text() == "7+2x20"


def test_a_position_starts_the_game_and_a_bad_one_is_told_in_place(app: App, opened: list[Session]) -> None:
    shown = panel(app)
    shown.toggle_more()
    assert shown.position is not None
    app.root.update()
    field, seen = shown.position, shown.scrolled
    assert field.winfo_rooty() + field.winfo_height() <= seen.winfo_rooty() + seen.winfo_height()
    shown.position.insert(0, "4k4/9/9/9/9/9/9/9/9/4K4 w")
    shown.start()
    app.root.update()
    assert not opened
    assert any("start so" in text for text in texts(shown))
    shown.position.delete(0, "end")
    shown.position.insert(0, "3k5/9/9/9/9/9/9/9/9/4K4 w")
    shown.start()
    assert opened[0].rules.write(opened[0].root.position).startswith("3k5/9/9")


def test_keys_alone_choose_and_start(app: App, opened: list[Session]) -> None:
    key(app, "<Control-f>")
    key(app, "<Down>")
    assert app.root.focus_get() is page(app).gallery.cards["xiangqi"]
    key(app, "<Return>")
    assert len(opened) == 1
    key(app, "<Control-Return>")
    assert len(opened) == 2


def test_the_tab_key_reaches_every_part_and_shows_where_it_is(app: App) -> None:
    seen: set[str] = set()
    app.root.focus_force()
    for _ in range(60):
        widget: Any = app.root.focus_get() or app.root
        following = widget.tk_focusNext()
        following.focus_set()
        app.root.update()
        seen.add(str(following))
    launcher = page(app)
    wanted = [*launcher.rail.rows.values(), launcher.gallery.search, launcher.gallery.cards["xiangqi"], panel(app).go]
    wanted += [launcher.rail.light, *launcher.rail.languages.buttons.values()]
    assert not [part for part in wanted if str(part) not in seen]
    card = launcher.gallery.cards["xiangqi"]
    card.focus_set()
    app.root.update()
    assert card.focused


def test_a_start_with_a_game_opens_its_table(make_app: Any) -> None:
    app = make_app(Start(game="xiangqi", options={"handicap": "horse"}))
    assert isinstance(app.page, Table)
    assert app.page.session.options["handicap"] == "horse"


def test_a_start_with_a_bad_file_is_told_on_the_launcher(make_app: Any, tmp_path: Path) -> None:
    bad = tmp_path / "game.qipan"
    bad.write_text("{", "utf-8")
    app = make_app(Start(file=bad))
    assert any("game.qipan" in text for text in texts(app.root))
    assert isinstance(app.page, Launcher)


# -- unfinished and recent games ---------------------------------------------------------------------------------
def test_a_game_just_left_stands_under_continue(app: App) -> None:
    begin.start_game(app, app.host.open("xiangqi"))
    assert isinstance(app.page, Table)
    session = app.page.session
    session.play(session.rules.parse(session.tip.position, "h3e3"))
    app.open_launcher()
    assert [(game.game, game.ply) for game in page(app).unfinished] == [("xiangqi", 1)]


def test_an_unfinished_game_is_offered_and_goes_on_as_it_stood(
    make_app: Any, home: Paths, opened: list[Session], wait_until: Wait
) -> None:
    moves = left_game(home)
    app = make_app()
    launcher = page(app)
    assert launcher.rail.rows["continue"].count == "1"
    row = launcher.gallery.rows[0]
    assert "Xiangqi · Lin Mei – Wang" in texts(row)
    assert any("7 moves played" in text for text in texts(row))
    touched = row.game.path.stat().st_mtime_ns
    wait_until(app, lambda: row._photo)
    assert row.game.path.stat().st_mtime_ns == touched
    click(app, row.resume)
    assert said(opened[0]) == moves
    assert opened[0].paused


@pytest.mark.parametrize(("language", "said"), [("en", "there is no game 'gone'"), ("zh", "没有")])
def test_an_unfinished_game_whose_plugin_is_gone_says_so_and_is_kept(
    make_app: Any, home: Paths, language: str, said: str
) -> None:
    left_game(home)
    (file,) = home.journals.glob("left*")
    file.write_bytes(file.read_bytes().replace(b'"xiangqi"', b'"gone"', 1))
    before = file.read_bytes()
    app = make_app()
    app.set_language(language)
    click(app, page(app).gallery.rows[0].resume)
    assert [text for text in texts(app.root) if said in text and "gone" in text and "Traceback" not in text]
    assert not app.faults
    assert isinstance(app.page, Launcher)
    assert file.read_bytes() == before


def test_discarding_asks_first(make_app: Any, home: Paths) -> None:
    left_game(home, plies=1)
    app = make_app()
    row = page(app).gallery.rows[0]
    assert any("1 move played" in text for text in texts(row))
    row.bin.invoke()
    app.root.update()
    assert list(home.journals.iterdir())
    next(w for w in widgets(row) if isinstance(w, ttk.Button) and str(w.cget("text")) == "Keep").invoke()
    row.bin.invoke()
    row.sure.invoke()
    app.root.update()
    assert not list(home.journals.iterdir())
    assert not page(app).gallery.rows
    assert page(app).rail.rows["continue"].count == ""
    page(app).go("continue")
    app.root.update()
    assert "No unfinished games." in texts(page(app).gallery)


def test_a_saved_game_opens_and_is_remembered_as_recent(
    make_app: Any, home: Paths, opened: list[Session], tmp_path: Path
) -> None:
    moves = left_game(home)
    app = make_app()
    click(app, page(app).gallery.rows[0].resume)
    file = tmp_path / "mine.qipan"
    record.save(file, opened[0])
    begin.open_file(app, file)
    assert said(opened[1]) == moves
    page(app).go("continue")
    app.root.update()
    rows = page(app).gallery.files
    assert [row.file for row in rows] == [file]
    click(app, rows[0])
    assert said(opened[2]) == moves


def test_a_file_cut_short_offers_what_can_be_read(
    make_app: Any, home: Paths, opened: list[Session], tmp_path: Path
) -> None:
    moves = left_game(home, plies=9)
    app = make_app()
    click(app, page(app).gallery.rows[0].resume)
    file = tmp_path / "mine.qipan"
    record.save(file, opened[0])
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * 0.8)])
    begin.open_file(app, file)
    app.root.update()
    assert any("cut short" in text for text in texts(app.root))
    next(w for w in widgets(app.root) if isinstance(w, ttk.Button) and str(w.cget("text")) == "Open them").invoke()
    assert 0 < len(said(opened[1])) < len(moves)
    assert said(opened[1]) == moves[: len(said(opened[1]))]


# -- choosing a file ---------------------------------------------------------------------------------------------
def box(app: App) -> FileBox:
    """The open box of files."""
    assert isinstance(app.popup, FileBox)
    return app.popup


def test_a_file_is_found_by_keys_and_opened(make_app: Any, home: Paths, opened: list[Session], tmp_path: Path) -> None:
    moves = left_game(home)
    app = make_app()
    click(app, page(app).gallery.rows[0].resume)
    folder = tmp_path / "games" / "old"
    folder.mkdir(parents=True)
    (folder / "notes.txt").write_text("x", "utf-8")
    record.save(folder / "mine.qipan", opened[0])
    key(app, "<Control-f>")
    key(app, "<Control-o>")
    box(app).go(tmp_path / "games")
    app.root.update()
    box(app).rows["old"].focus_set()
    key(app, "<Return>")
    assert list(box(app).rows) == ["mine.qipan"]
    box(app).kinds.buttons["all"].invoke()
    app.root.update()
    assert list(box(app).rows) == ["mine.qipan", "notes.txt"]
    box(app).rows["mine.qipan"].focus_set()
    key(app, "<BackSpace>")
    assert list(box(app).rows) == ["old"]
    box(app).place_field.delete(0, "end")
    box(app).place_field.insert(0, str(folder / "nothing.qipan"))
    box(app).typed()
    app.root.update()
    assert any("There is no" in text for text in texts(box(app)))
    box(app).place_field.delete(0, "end")
    box(app).place_field.insert(0, str(folder / "mine.qipan"))
    box(app).typed()
    assert app.popup is None
    assert said(opened[1]) == moves
    assert app.root.focus_get() is page(app).gallery.search


def test_saving_over_a_file_asks_first(app: App, tmp_path: Path) -> None:
    (tmp_path / "old.qipan").write_text("x", "utf-8")
    got: list[Path] = []
    FileBox(app, "Save", [".qipan"], got.append, folder=tmp_path, name="old")
    assert box(app).name.selection_get() == "old", "a name that is typed replaces it"  # type: ignore[union-attr]
    box(app).chosen_name()
    app.root.update()
    assert not got
    assert "old.qipan is there already. Replace it?" in texts(box(app))
    assert str(box(app).save.cget("text")) == "Replace"
    assert box(app).name is not None
    box(app).name.insert("end", "er")  # type: ignore[union-attr]
    box(app).name.event_generate("<KeyRelease>", keysym="r")  # type: ignore[union-attr]
    assert str(box(app).save.cget("text")) == "Save"
    box(app).chosen_name()
    FileBox(app, "Save", [".qipan"], got.append, folder=tmp_path, name="old.qipan")
    box(app).chosen_name()
    box(app).chosen_name()
    assert got == [tmp_path / "older.qipan", tmp_path / "old.qipan"]
    FileBox(app, "Save", [".qipan"], got.append, folder=tmp_path, name="../up")
    box(app).chosen_name()
    assert len(got) == 2
    app.root.update()
    assert "That is no name for a file." in texts(box(app))


def test_what_a_folder_can_hold_and_a_field_can_say_breaks_no_file_box(
    app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "round.qipan").symlink_to("round.qipan")
    (folder / "good.qipan").write_text("x", "utf-8")
    got: list[Path] = []
    FileBox(app, "Save", [".qipan"], got.append, folder=folder, name="old")
    mine = box(app)
    assert list(mine.rows) == ["good.qipan", "round.qipan"]
    for place in ("x" * 10_000, "~nobody-of-that-name/x", ""):
        mine.place_field.delete(0, "end")
        mine.place_field.insert(0, place)
        mine.typed()
        assert len(str(mine.fault.cget("text"))) < 300
    assert mine.name is not None
    for name in ("x" * 300, "..", "a\nb", "\udcff"):
        mine.name.delete(0, "end")
        mine.name.insert(0, name)
        mine.chosen_name()
        assert "That is no name for a file." in str(mine.fault.cget("text")), name
    assert not got
    monkeypatch.setattr(file_box, "_MOST", 1)
    mine.go(folder)
    assert list(mine.rows) == ["good.qipan"]
    assert "The first 1 of 2" in str(mine.fault.cget("text"))


def test_of_several_games_one_is_chosen(app: App, opened: list[Session], tmp_path: Path) -> None:
    game = '[Game "Chinese Chess"]\n[Red "{0}"]\n[Black "Wang"]\n[Result "*"]\n\n1. C2=5 H8+7 *\n\n'
    file = tmp_path / "two.pgn"
    file.write_text(game.format("Anna") + game.format("Lin"), "utf-8")
    begin.open_file(app, file)
    app.root.update()
    chooser = app.popup
    assert isinstance(chooser, Chooser)
    assert [str(row.cget("text")).split(" –")[0] for row in chooser.rows] == ["1.  Anna", "2.  Lin"]
    chooser.rows[1].invoke()
    assert opened[0].names == ["Lin", "Wang"]
    assert opened[0].tip.ply == 2


# -- plugins that break ------------------------------------------------------------------------------------------
def test_a_broken_plugin_is_a_card_and_everything_else_works(make_app: Any, home: Paths) -> None:
    folder = plugin(home, "hexwar", api=3)
    app = make_app()
    launcher = page(app)
    card = launcher.gallery.cards["!hexwar"]
    assert isinstance(card, BrokenCard)
    assert "Made for api 3, this is 1" in texts(card)
    assert launcher.rail.rows["plugins"].count == "1 fault"
    assert "xiangqi" in launcher.gallery.cards
    click(app, card)
    assert isinstance(launcher.panel, PluginPanel)
    launcher.panel._sure()
    app.root.update()
    assert folder.is_dir()
    launcher.panel.remove()
    app.root.update()
    assert not folder.exists()
    assert "!hexwar" not in launcher.gallery.cards


def test_code_of_the_users_folder_is_allowed_once_fails_with_its_traceback_and_can_be_mended(
    make_app: Any, home: Paths, caplog: pytest.LogCaptureFixture
) -> None:
    folder = plugin(home, "boom", "import nothing_such\n")
    app = make_app()
    launcher = page(app)
    click(app, launcher.gallery.cards["!boom"])
    assert isinstance(launcher.panel, PluginPanel)
    assert launcher.panel.untrusted
    assert "nothing_such" not in sys.modules
    launcher.panel.allow()
    app.root.update()
    assert isinstance(launcher.panel, PluginPanel)
    trace = launcher.panel.text.get("1.0", "end")
    assert "ModuleNotFoundError" in trace
    assert "nothing_such" in trace
    launcher.panel.text.tag_add("sel", "1.0", "end")
    assert "nothing_such" in launcher.panel.text.selection_get()
    launcher.panel.copy()
    assert "nothing_such" in app.root.clipboard_get()
    (folder / "__init__.py").write_text(game_code("boom"), "utf-8")
    launcher.panel.again()
    app.root.update()
    # Changed code is other code: it is asked for again.
    assert isinstance(launcher.panel, PluginPanel)
    assert launcher.panel.untrusted
    launcher.panel.allow()
    app.pictures.forget()
    assert isinstance(launcher.panel, GamePanel)


def test_rules_that_raise_while_drawing_make_a_broken_card(make_app: Any, home: Paths, wait_until: Wait) -> None:
    plugin(home, "flop", game_code("flop"))
    app = make_app()
    untrusted = app.host.plugin("flop")
    app.settings.trusted["flop"] = untrusted.sha256
    app.host.retry(untrusted)
    page(app).changed("xiangqi")
    wait_until(app, lambda: "!flop" in page(app).gallery.cards)
    assert isinstance(page(app).panel, PluginPanel)
    assert "no board today" in page(app).panel.text.get("1.0", "end")  # type: ignore[union-attr]
    assert "xiangqi" in page(app).gallery.cards


def test_the_list_of_plugins_names_each_and_where_it_is_from(make_app: Any, home: Paths) -> None:
    plugin(home, "hexwar", api=3)
    app = make_app()
    page(app).go("plugins")
    app.root.update()
    listed = page(app).plugin_list
    assert listed is not None
    assert any("built in" in text for text in texts(listed))
    assert any("your folder" in text for text in texts(listed))
    click(app, listed.rows["hexwar"])
    assert isinstance(page(app).panel, PluginPanel)


# -- languages, modes, sound, settings ---------------------------------------------------------------------------
def foreign(app: App, shown: set[str]) -> set[str]:
    """The texts shown that are sentences of the other language."""
    other = "zh" if app.language == "en" else "en"
    words = app.host.words("xiangqi").plus(app.words).table.values()
    same = {each[app.language] for each in words}
    return {text for text in shown if text in {each[other] for each in words} - same}


def test_every_text_switches_its_language_at_once(make_app: Any, home: Paths) -> None:
    left_game(home)
    plugin(home, "boom", "import nothing_such\n")
    app = make_app()
    both = {"English", "简体中文", "Qipan", "棋盘", "Xiangqi", "象棋", "中", "EN"}
    for language in ("zh", "en", "zh"):
        app.set_language(language)
        app.root.update()
        assert not foreign(app, texts(app.root) - both), language
    assert "棋库" in texts(app.root)
    for place in ("continue", "plugins"):
        page(app).go(place)
        app.root.update()
        assert not foreign(app, texts(app.root) - both), place
    page(app).choose("!boom")
    app.open_help()
    app.root.update()
    assert not foreign(app, texts(app.root) - both)
    assert app.popup is not None
    app.popup.dismiss()
    app.open_settings()
    for language in ("en", "zh"):
        app.set_language(language)
        app.root.update()
        assert not foreign(app, texts(app.root) - both), language


def test_the_window_has_its_words_in_both_languages(app: App) -> None:
    keys = set(app.words.table)
    assert not app.words.missing(keys)
    assert len(keys) > 100


def test_light_and_dark_switch_at_once_and_are_remembered(make_app: Any, home: Paths) -> None:
    app = make_app()
    for mode in ("dark", "light", "dark"):
        getattr(page(app).rail, mode).invoke()
        app.root.update()
        pixel = grab(app).convert("RGB").getpixel((600, 780))
        assert "#{:02X}{:02X}{:02X}".format(*pixel) == app.style.bg  # type: ignore[misc]
        pixel = grab(app).convert("RGB").getpixel((100, 600))
        assert "#{:02X}{:02X}{:02X}".format(*pixel) == app.style.surface  # type: ignore[misc]
    app.close()
    assert settings.load(home.settings)[0].mode == "dark"


def test_sound_is_muted_and_its_volume_set(app: App) -> None:
    class Loudspeaker:
        volume, muted = 0.0, False

        def set_volume(self, volume: float) -> None:
            self.volume = volume

        def set_muted(self, muted: bool) -> None:
            self.muted = muted

    speaker: Any = Loudspeaker()
    app.player = speaker
    page(app).rail.sound.invoke()
    box: Any = app.popup
    app.root.update()
    box.volume.event_generate("<Button-1>", x=box.volume.winfo_width() - 1, y=8)
    assert speaker.volume == 1.0
    app.root.event_generate("<m>")
    assert speaker.muted
    assert app.settings.muted


def test_the_size_of_the_window_is_remembered(make_app: Any, home: Paths) -> None:
    app = make_app()
    app.root.geometry("1400x900")
    app.root.update()
    app.close()
    again = make_app()
    assert (again.root.winfo_width(), again.root.winfo_height()) == (1400, 900)


def test_a_launcher_that_is_left_is_let_go(app: App) -> None:
    left = weakref.ref(page(app))
    for _ in range(2):  # the page after the next has nothing of it
        app.open_settings()
        app.open_launcher()
        app.root.update()
    gc.collect()
    assert left() is None


def test_a_page_that_is_left_takes_its_keys_along(app: App) -> None:
    def bindings() -> int:
        return len(app.root.tk.splitlist(app.root.tk.call("info", "commands", "*pressed")))

    before = bindings()
    for _ in range(5):
        app.open_settings()
        app.open_launcher()
    app.root.update()
    assert bindings() == before > 0


def test_what_fails_whenever_the_page_is_laid_out_is_told_once(app: App, errors: list[str]) -> None:
    def fail(event: object) -> None:
        raise RuntimeError("planted")

    app.page.bind("<Configure>", fail)  # type: ignore[union-attr]
    app.root.geometry("1200x700")
    app.root.update()  # told anew each time, the page would be laid out without end
    assert "RuntimeError: planted" in texts(app.root)
    assert 0 < len(app.faults) < 20
    app.faults.clear()
    errors.clear()


def test_settings_are_saved_and_a_damaged_file_is_told(make_app: Any, home: Paths) -> None:
    app = make_app()
    app.open_settings()
    assert isinstance(app.page, SettingsPage)
    app.page.switches["pulse"].invoke()
    app.page.switches["pictograms"].invoke()
    app.root.event_generate("<Escape>")
    app.root.update()
    assert isinstance(app.page, Launcher)
    assert (app.page.winfo_width(), app.page.winfo_height()) == (1280, 800)
    app.close()
    kept = settings.load(home.settings)[0]
    assert not kept.pulse
    assert kept.pictograms
    home.settings.write_text("{", "utf-8")
    again = make_app()
    assert any("settings.json.damaged-1" in text for text in texts(again.root))
    assert home.settings.with_name("settings.json.damaged-1").is_file()


def test_trust_given_while_a_window_is_open_outlives_it(make_app: Any, home: Paths) -> None:
    app = make_app()
    app.settings.pulse = False
    app.save()
    kept = settings.load(home.settings)[0]
    kept.trusted["mine"] = "a" * 64
    settings.save(home.settings, kept)
    app.settings.theme = "night"
    app.close()
    kept = settings.load(home.settings)[0]
    assert (kept.pulse, kept.theme, kept.trusted) == (False, "night", {"mine": "a" * 64})


def test_a_theme_is_chosen_by_its_swatch(app: App) -> None:
    for name, swatch in panel(app).swatches.items():
        click(app, swatch)
        assert app.settings.theme == name
        assert swatch.chosen
    assert [name for name, each in panel(app).swatches.items() if each.chosen] == [app.settings.theme]


def test_a_theme_that_cannot_be_read_is_told_below_the_swatches(make_app: Any, home: Paths) -> None:
    (home.themes / "jade").mkdir(parents=True)
    (home.themes / "jade" / "theme.toml").write_text('id = "jade"\ncolour = 1\n', "utf-8")
    app = make_app()
    told = [text for text in texts(panel(app)) if text.startswith("jade: theme.toml: ")]
    assert len(told) == 1
    assert "jade" not in panel(app).swatches
    app.set_language("zh")
    app.root.update()
    assert not set(told) & texts(panel(app)), "in the window's language"


def test_larger_texts_and_back(app: App, wait_until: Wait) -> None:
    for scale in (1.5, 1.0):
        app.set_text_scale(scale)
        assert isinstance(app.page, SettingsPage)
        app.open_launcher()
        app.root.update()
        assert page(app).slim is (scale == 1.5)
        assert page(app).rail.winfo_width() == (84 if scale == 1.5 else 200)
        wait_until(app, lambda: page(app).gallery.cards["xiangqi"]._image)
        pixel = grab(app).convert("RGB").getpixel((40, 780))
        assert "#{:02X}{:02X}{:02X}".format(*pixel) != app.style.bg  # type: ignore[misc]


# -- sizes -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [(900, 640), (1280, 800), (1920, 1080), (2560, 1440)])
def test_nothing_is_cut_off_at_any_size(make_app: Any, size: tuple[int, int], home: Paths) -> None:
    left_game(home)
    plugin(home, "hexwar", api=3)
    app = make_app(size=size)
    launcher = page(app)
    slim = size[0] < 1100
    assert launcher.rail.winfo_width() == (56 if slim else 224 if size[0] >= 1600 else 200)
    assert launcher.panel_frame.winfo_ismapped() is not slim
    if slim:
        click(app, launcher.gallery.cards["xiangqi"])
        assert launcher.panel_frame.winfo_ismapped()
    for widget in widgets(launcher):
        if widget.winfo_ismapped() and isinstance(widget, ttk.Button | ttk.Radiobutton | ttk.Checkbutton):
            assert widget.winfo_width() >= min(widget.winfo_reqwidth(), 60), widget
            assert widget.winfo_height() >= widget.winfo_reqheight(), widget
    cards = list(launcher.gallery.cards.values())
    assert all(220 <= card.winfo_width() - 8 <= 260 for card in cards)
    last = max(cards, key=lambda card: card.winfo_rootx())
    assert last.winfo_rootx() + last.winfo_width() <= launcher.gallery.winfo_rootx() + launcher.gallery.winfo_width()
    go = panel(app).go
    assert go.winfo_rooty() + go.winfo_height() <= app.root.winfo_rooty() + size[1]
    if slim:
        app.root.event_generate("<Escape>")
        app.root.update()
        assert not launcher.panel_frame.winfo_ismapped()


# -- faults ------------------------------------------------------------------------------------------------------
def test_an_exception_in_a_callback_is_logged_and_shown_with_its_details(
    app: App, errors: list[str], wait_until: Wait
) -> None:
    def bad() -> None:
        raise RuntimeError("a fault for the test")

    app.root.after(1, bad)
    wait_until(app, lambda: app.faults)
    assert isinstance(app.faults[0], RuntimeError)
    assert "a fault for the test" in errors[0]
    assert "Traceback" in errors[0]
    assert "RuntimeError: a fault for the test" in texts(app.root)
    buttons = {str(w.cget("text")): w for w in widgets(app.root) if isinstance(w, ttk.Button)}
    buttons["Copy details"].invoke()
    assert "Traceback" in app.root.clipboard_get()
    buttons["Close"].invoke()
    app.root.update()
    assert "RuntimeError: a fault for the test" not in texts(app.root)
    app.faults.clear()
    errors.clear()


def test_without_a_chinese_font_the_launcher_names_the_package(
    make_app: Any, monkeypatch: pytest.MonkeyPatch, wait_until: Wait
) -> None:
    monkeypatch.setattr("qipan.fonts.find_piece_font", lambda *args, **kwargs: None)
    monkeypatch.setattr("qipan.fonts.package_hint", lambda: "fonts-noto-cjk")
    app = make_app()
    wait_until(app, lambda: "Install fonts-noto-cjk." in texts(app.root))
    assert "No CJK font: pieces are shown as pictograms." in texts(app.root)


def test_the_launcher_imports_no_plugin_before_it_is_drawn(display: str, home: Paths) -> None:
    code = (
        "import sys\nfrom qipan.tk.app import App\napp = App()\napp.open_first()\napp.root.update_idletasks()\n"
        "print([name for name in sys.modules if name.startswith('qipan.plugins.')])\napp.close()\n"
    )
    platform = str(Path(begin.__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": platform}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_signal_ends_the_window_and_its_settings_are_kept(display: str, home: Paths) -> None:
    code = (
        "import os, signal\nfrom qipan.tk.app import App\napp = App()\napp.settings.volume = 0.25\n"
        "app.root.after(300, lambda: os.kill(os.getpid(), signal.SIGINT))\nprint(app.run())\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(begin.__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert done.stdout.strip() == "0", done.stderr
    assert settings.load(home.settings)[0].volume == 0.25
