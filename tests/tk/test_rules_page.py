"""The rules over the table and the launcher: where they are opened, read and closed, in both languages and modes."""

from __future__ import annotations

from pathlib import Path
from tkinter import font as tkfont
from typing import Any

import pytest
from table_driver import Driver

from qipan.host import Host
from qipan.tk import begin
from qipan.tk.app import App
from qipan.tk.help import Help
from qipan.tk.launcher.page import Launcher
from qipan.tk.launcher.panel import GamePanel
from qipan.tk.rules_page import RulesPage

MINIS = Path(__file__).parents[1] / "contract"


@pytest.fixture
def table(app: App) -> Driver:
    """A table of xiangqi."""
    begin.start_game(app, app.host.open("xiangqi"))
    return Driver(app)


def shown(app: App) -> RulesPage:
    app.root.update()
    assert isinstance(app.popup, RulesPage)
    return app.popup


def key(page: RulesPage, sequence: str) -> None:
    page.text.event_generate(sequence)
    page.app.root.update()


def test_the_table_shows_the_rules_and_goes_on(app: App, table: Driver) -> None:
    table.key("F2", widget=table.board)
    page = shown(app)
    assert page.text.get("1.0", "end").startswith("Xiangqi, Chinese chess\n")
    assert (page.winfo_width(), page.winfo_height()) == (1280, 800)
    assert app.root.focus_get() is page.text
    facing = table.table.bottom
    for sequence in ("<f>", "<Control-n>", "<Control-o>", "<m>"):
        key(page, sequence)
    assert table.table.bottom == facing, "keys of the table aren't heard"
    assert shown(app) is page
    key(page, "<Escape>")
    assert app.popup is None
    assert app.root.focus_get() is table.board
    table.table.bar.icons["rules"].invoke()
    key(shown(app), "<F2>")
    assert app.popup is None
    table.key("t", widget=table.board)
    table.key("F2", widget=table.table.typed.entry)
    key(shown(app), "<F1>")
    assert isinstance(app.popup, Help)
    assert ("F2", "key.rules") in table.table.shortcuts


def test_wheel_and_keys_scroll_it(app: App, table: Driver) -> None:
    table.table.do("rules")
    page = shown(app)

    def place() -> float:
        app.root.update()
        return float(page.text.yview()[0])

    seen = [place()]
    for sequence, further in (
        ("<Down>", True), ("<Next>", True), ("<space>", True), ("<End>", True), ("<Up>", False), ("<Prior>", False),
        ("<Shift-space>", False), ("<Home>", False), ("<Button-5>", True), ("<Button-4>", False),
    ):  # fmt: skip
        key(page, sequence)
        seen.append(place())
        assert (seen[-1] > seen[-2]) == further, sequence
        if sequence == "<End>":
            assert page.text.yview()[1] == 1
    assert seen[-1] == 0


def test_language_and_mode_switch_at_once(app: App, table: Driver) -> None:
    table.table.do("rules")
    page = shown(app)
    key(page, "<Next>")
    top = page.top()
    page.languages.buttons["zh"].invoke()
    app.root.update()
    assert app.language == "zh"
    assert page.text.get("1.0", "1.end") == "象棋"
    assert page.top() == top > 0, "one reads on where one was"
    light = str(page.text.cget("background"))
    app.set_mode("dark")
    assert (light, str(page.text.cget("background"))) == ("#F6F8F9", app.style.surface)
    assert str(page.text.cget("foreground")) == app.style.ink


@pytest.mark.parametrize(("size", "language"), [((900, 640), "en"), ((900, 640), "zh"), ((1600, 1000), "en")])
def test_its_lines_can_be_read(make_app: Any, size: tuple[int, int], language: str) -> None:
    app = make_app(size=size, language=language)
    app.root.event_generate("<F2>")
    page = shown(app)
    style, text = app.style, page.text
    sizes = {name: tkfont.nametofont(text.tag_cget(name, "font"), app.root).cget("size")
             for name in ("heading1", "heading2", "code")}  # fmt: skip
    assert sizes == {"heading1": -style.px(20), "heading2": -style.px(16), "code": -style.px(13)}
    row = 1
    widest = 0
    while text.compare(f"{row}.0", "<", "end"):
        text.see(f"{row}.0")
        _, _, width, _, _ = text.dlineinfo(f"{row}.0")
        widest = max(widest, width)
        row += 1
    assert style.px(500) < widest <= style.px(590)
    assert row > 70


def test_the_launcher_shows_the_rules_of_the_chosen_game(app: App) -> None:
    assert isinstance(app.page, Launcher)
    panel = app.page.panel
    assert isinstance(panel, GamePanel)
    panel.rules.invoke()
    page = shown(app)
    key(page, "<Escape>")
    assert app.popup is None
    app.root.event_generate("<F2>")
    shown(app).back.invoke()
    assert isinstance(app.page, Launcher)


def test_a_game_without_a_page_has_no_entry(app: App) -> None:
    app.host = Host.scan(MINIS, entry_points=False, trusted=lambda plugin_id, sha256: True)
    game = next(name for name in app.host.games if name != "xiangqi")
    app.open_launcher()
    assert isinstance(app.page, Launcher)
    app.page.choose(game)
    assert not hasattr(app.page.panel, "rules")
    app.root.event_generate("<F2>")
    begin.start_game(app, app.host.open(game))
    driver = Driver(app)
    driver.key("F2", widget=driver.board)
    assert app.popup is None
    assert "rules" not in driver.table.bar.icons
    assert "key.rules" not in [word for _, word in driver.table.shortcuts]


def test_a_damaged_page_says_so(app: App, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from qipan import pages

    def find(folder: Path, language: str) -> Path:
        return tmp_path / "rules.en.md"

    (tmp_path / "rules.en.md").write_bytes(b"\xff")
    monkeypatch.setattr(pages, "find", find)
    app.root.event_generate("<F2>")
    assert "rules.en.md can't be read" in shown(app).text.get("1.0", "end")
