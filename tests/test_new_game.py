"""A new game works at once: it keeps the laws, is checked and played by the commands, and its own test passes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import new_game
import pytest

from qipan import laws
from qipan.cli import main as qipan
from qipan.paths import user_paths
from qipan.testing import open_plugin


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QIPAN_HOME", str(tmp_path / "home"))


def test_the_made_game_keeps_every_law(tmp_path: Path) -> None:
    folder = new_game.write("my_game", tmp_path / "new" / "plugins", [])
    (opened,) = open_plugin(folder)
    assert (opened.info.id, opened.info.name.en) == ("my_game", "My game")
    report = laws.check(opened.rules, opened.info, opened.words, games=30)
    assert report.ok, report.lines()
    assert report.plies > 150
    assert [path.name for path in folder.parent.iterdir()] == ["my_game"], "nothing is left beside it"


def test_the_made_folder_passes_its_own_test_and_the_linters(tmp_path: Path) -> None:
    folder = new_game.write("my_game", tmp_path, [])
    settings = Path(__file__).parents[1] / "pyproject.toml"
    for words in (
        ["pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "."],
        ["ruff", "check", "--config", str(settings), "."],
        ["mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "__init__.py"],
    ):
        command = [sys.executable, "-m", *words]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stdout + done.stderr
        assert words[0] != "pytest" or "2 passed" in done.stdout


def test_the_commands_know_the_made_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert new_game.main(["tiny"]) == 0
    assert "qipan plugins trust tiny" in capsys.readouterr().out
    assert (user_paths().plugins / "tiny" / "plugin.toml").is_file()
    assert qipan(["plugins", "check", "tiny"]) == 1, "not before it is trusted"
    assert qipan(["plugins", "trust", "tiny"]) == 0
    capsys.readouterr()
    assert qipan(["plugins", "check", "tiny", "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert (report["ok"], report["games"]) == (True, 12)
    assert qipan(["perft", "tiny", "3"]) == 0
    assert capsys.readouterr().out == "504\n"


@pytest.mark.parametrize("game", ["", "My", "9men", "a-b", "../up", "a b", "象棋", "x" * 41])
def test_a_bad_id_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], game: str) -> None:
    assert new_game.main([game, "--folder", str(tmp_path / "plugins")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"new_game: {game!r} can't be a game's id: small letters")
    assert err.count("\n") == 1
    assert not (tmp_path / "plugins").exists()


def test_what_is_there_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").write_text("a file")
    assert new_game.main(["mine", "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"new_game: {tmp_path / 'mine'} is there already\n"
    assert (tmp_path / "mine").read_text() == "a file"
    assert new_game.main(["xiangqi", "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err == "new_game: there is a game 'xiangqi' already\n"
    assert new_game.main(["below", "--folder", str(tmp_path / "mine")]) == 2
    assert capsys.readouterr().err.startswith(f"new_game: {tmp_path / 'mine' / 'below'} can't be written: ")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, *words: object, **more: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(new_game.Fault, match="can't be written: No space left on device"):
        new_game.write("mine", tmp_path, [])
    assert list(tmp_path.iterdir()) == []
