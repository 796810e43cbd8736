"""Leaving a table loses nothing: finished games become files, listed and opened where they stood."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from table_driver import Driver, family

from qipan import journal, record
from qipan.paths import Paths
from qipan.tk import begin, parting
from qipan.tk.app import App
from qipan.tk.launcher.page import Launcher
from qipan.tk.table.page import Table

NAMES = ("Lin Mei", "Chen Wei")


def finished(app: App, moves: str = "h3e3 h10g8") -> Driver:
    """A table at which a game was resigned."""
    begin.start_game(app, app.host.open("xiangqi"), names=NAMES, clock="10+5")
    driver = Driver(app)
    for text in moves.split():
        assert driver.table.deeds.type_move(text), text
    driver.table.session.resign(0)
    app.root.update()
    return driver


def launcher(app: App) -> Launcher:
    assert isinstance(app.page, Launcher)
    return app.page


def files(home: Paths) -> list[Path]:
    return sorted(home.games.glob("*")) if home.games.exists() else []


def shown(app: App) -> str:
    return "\n".join(str(part.cget("text")) for part in family(app.root) if part.winfo_class() == "TLabel")


def test_a_finished_game_is_kept_listed_and_opened_where_it_stood(app: App, home: Paths) -> None:
    session = finished(app).table.session
    app.open_launcher()
    (file,) = files(home)
    assert file.name.startswith("Xiangqi 20")
    assert file.name.endswith("Lin Mei - Chen Wei.qipan")
    assert list(home.journals.iterdir()) == []
    assert launcher(app).unfinished == []
    assert [row.file for row in launcher(app).gallery.files] == [file]
    launcher(app).open_file(file)
    assert isinstance(app.page, Table)
    again = app.page.session
    assert (again.tip.moves(), again.outcome) == (session.tip.moves(), session.outcome)
    app.open_launcher()
    assert files(home) == [file], "what was only looked at is not written again"


def test_the_window_closes_on_a_finished_game(make_app: Any, home: Paths) -> None:
    app = make_app()
    finished(app)
    app.close()
    (file,) = files(home)
    assert list(home.journals.iterdir()) == []
    assert [row.file for row in launcher(make_app()).gallery.files] == [file]


def test_a_game_the_player_saved_is_not_written_twice(app: App, home: Paths, tmp_path: Path) -> None:
    driver = finished(app)
    mine = tmp_path / "mine.qipan"
    driver.table.deeds.files.save_to(mine)
    app.open_launcher()
    assert files(home) == []
    assert list(home.journals.iterdir()) == []
    begin.open_file(app, mine)
    assert isinstance(app.page, Table)
    app.page.session.comment(app.page.session.root, "a comment")
    app.open_launcher()
    assert [record.load(file).moves[0].comment for file in files(home)] == ["a comment"]


def test_a_changed_game_is_written_though_it_was_saved(app: App, home: Paths, tmp_path: Path) -> None:
    driver = finished(app)
    driver.table.deeds.files.save_to(tmp_path / "mine.qipan")
    driver.table.session.comment(driver.table.session.tip, "well played")
    app.open_launcher()
    assert [record.load(file).moves[-1].comment for file in files(home)] == ["well played"]


def test_a_game_that_goes_on_or_never_began_is_not_written(app: App, home: Paths) -> None:
    begin.start_game(app, app.host.open("xiangqi"))
    driver = Driver(app)
    driver.table.session.resign(0)
    app.open_launcher()
    begin.start_game(app, app.host.open("xiangqi"))
    assert Driver(app).table.deeds.type_move("h3e3")
    app.open_launcher()
    assert files(home) == []
    assert [game.ply for game in launcher(app).unfinished] == [1]


def test_a_finished_game_of_a_killed_window_is_kept_at_the_next_start(make_app: Any, home: Paths) -> None:
    code = (
        "import os, signal\nfrom qipan.tk import begin\nfrom qipan.tk.app import App\n"
        "app = App()\nbegin.start_game(app, app.host.open('xiangqi'), names=('A', 'B'))\n"
        "session = app.page.session\nsession.play(session.rules.parse(session.tip.position, 'h3e3'))\n"
        "session.resign(1)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(begin.__file__).parents[2])}
    assert subprocess.run([sys.executable, "-c", code], env=environment, timeout=60).returncode == -9
    assert [game.over for game in journal.unfinished(home.journals)] == [True]
    app = make_app()
    (file,) = files(home)
    assert len(record.load(file).moves) == 2
    assert launcher(app).unfinished == []
    assert list(home.journals.iterdir()) == []
    assert [row.file for row in launcher(app).gallery.files] == [file]


def test_a_folder_that_takes_nothing_leaves_the_journal(app: App, home: Paths) -> None:
    home.games.write_text("no folder", "utf-8")
    session = finished(app).table.session
    moves = session.tip.moves()
    app.open_launcher()
    assert "could not be written into" in shown(app)
    (left,) = launcher(app).unfinished
    assert (left.over, left.ply) == (True, 2)
    home.games.unlink()
    launcher(app).resume(left)
    assert Driver(app).table.session.tip.moves() == moves
    app.open_launcher()
    assert len(files(home)) == 1
    assert list(home.journals.iterdir()) == []


def test_without_a_journal_one_plays_on_and_is_told(app: App, home: Paths) -> None:
    home.journals.write_text("no folder", "utf-8")
    begin.start_game(app, app.host.open("xiangqi"))
    driver = Driver(app)
    assert "This game is not kept from move to move" in shown(app)
    assert driver.table.kept()[0] == "table.unsaved"
    assert driver.table.deeds.type_move("h3e3")
    app.open_launcher()
    (file,) = files(home)
    assert len(record.load(file).moves) == 2, "it has no journal to go on from, so it is a file"
    begin.open_file(app, file)
    assert "This game is not kept from move to move" in shown(app)
    assert Driver(app).table.session.tip.ply == 1


def test_a_full_disk_at_the_start_is_told(app: App, home: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: journal.Journal, data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(journal.Journal, "_write", full)
    begin.start_game(app, app.host.open("xiangqi"))
    assert "No space left on device" in shown(app)
    assert Driver(app).table.deeds.type_move("h3e3")


def test_left_games_of_other_windows_are_let_be(app: App, home: Paths) -> None:
    finished(app)
    parting.archive_left(app)
    assert files(home) == []
