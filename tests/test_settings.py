"""Settings: what is saved comes back, and no file, however damaged, is fatal or lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from qipan import settings
from qipan.paths import user_paths
from qipan.settings import GameSettings, Settings
from qipan.words import Words

WORDS = Words.load(Path(settings.__file__).parent / "tk" / "words" / "faults.toml")


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "new" / "settings.json"
    mine = Settings(language="zh", volume=0.25, muted=True, look_back_count=7, trusted={"a": "b"})
    mine.games["xiangqi"] = GameSettings(seats=["甲", "乙"], options={"rules": "original"}, clock="10+5")
    settings.save(file, mine)
    assert settings.load(file) == (mine, None)
    assert [path.name for path in file.parent.iterdir()] == ["settings.json"]


def test_no_file_means_the_defaults_and_no_warning(tmp_path: Path) -> None:
    assert settings.load(tmp_path / "settings.json") == (Settings(), None)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"volume": 2}', b'{"volume": "loud"}', b'{"language": "fr"}',
        b'{"games": {"x": {"seats": "me"}}}', b'{"width": 0}', b"[" * 100_000, b" " * (1 << 20) + b"{}",
    ],
)  # fmt: skip
def test_a_damaged_file_is_set_aside_with_a_warning(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "settings.json"
    file.write_bytes(data)
    found, warning = settings.load(file)
    assert found == Settings()
    assert warning is not None
    assert "settings.json.damaged-1" in str(warning)
    assert "settings.json.damaged-1" in WORDS.say(warning, "zh")
    assert (tmp_path / "settings.json.damaged-1").read_bytes() == data
    assert not file.exists()
    file.write_bytes(data)
    settings.load(file)
    assert (tmp_path / "settings.json.damaged-2").exists()


def test_keys_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"volume": 0.5, "hologram": {"on": True}}), "utf-8")
    found, warning = settings.load(file)
    assert (found.volume, warning) == (0.5, None)


def test_a_file_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "settings.json"
    folder.mkdir()
    found, warning = settings.load(folder)
    assert found == Settings()
    assert warning is not None
    assert str(warning).startswith("The settings can't be read: ")
    assert folder.is_dir()


def test_a_pipe_in_place_of_the_file_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    os.mkfifo(file)
    found, warning = settings.load(file)
    assert found == Settings()
    assert warning is not None
    assert str(warning).startswith("The settings can't be read: ")


def test_a_failed_save_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.json"
    settings.save(file, Settings(volume=0.5))
    before = file.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        settings.save(file, Settings(volume=0.1))
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["settings.json"]


def test_a_save_of_changes_keeps_what_another_program_saved_meanwhile(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    base = Settings(games={"go": GameSettings(clock="10+5")}, trusted={"old": "a", "gone": "b"})
    settings.save(file, base)
    other = base.copy()
    other.volume, other.theme = 0.1, "night"
    other.trusted = {"old": "a", "new": "c"}
    other.game("go").clock = "30"
    other.game("chess").seats = ["Ann", "Bea"]
    settings.save(file, other)
    mine = base.copy()
    mine.theme, mine.language = "paper", "zh"
    mine.trusted["own"] = "d"
    mine.game("xiangqi").clock = "5"
    mine.game("chess")  # asked for, nothing chosen
    base = settings.save_changes(file, mine, base)
    settings.save_changes(file, mine, base)  # again, with nothing new
    found, _ = settings.load(file)
    assert (found.volume, found.theme, found.language) == (0.1, "paper", "zh")
    assert found.trusted == {"old": "a", "new": "c", "own": "d"}
    assert {game: (kept.clock, kept.seats) for game, kept in found.games.items()} == {
        "go": ("30", []), "chess": ("", ["Ann", "Bea"]), "xiangqi": ("5", []),
    }  # fmt: skip


@pytest.mark.parametrize("there", [None, b"{", b'{"volume": 7}'])
def test_a_save_of_changes_writes_all_where_no_file_can_be_understood(tmp_path: Path, there: bytes | None) -> None:
    file = tmp_path / "settings.json"
    if there is not None:
        file.write_bytes(there)
    mine = Settings(theme="night", trusted={"one": "a"})
    settings.save_changes(file, mine, mine.copy())
    assert settings.load(file) == (mine, None)


def test_recent_files_are_each_there_once_newest_first() -> None:
    mine = Settings()
    for name in ("a", "b", "a", *(str(n) for n in range(11))):
        mine.opened(Path(name))
    assert mine.recent[:2] == ["10", "9"]
    assert mine.recent[-1] == "a"
    assert len(mine.recent) == 12


def test_a_name_that_is_no_unicode_is_not_among_the_recent_files(tmp_path: Path) -> None:
    mine = Settings()
    mine.opened(Path("\udcff.qipan"))
    mine.opened(Path("名.qipan"))
    settings.save(tmp_path / "settings.json", mine)
    assert settings.load(tmp_path / "settings.json")[0].recent == ["名.qipan"]


def test_trust_is_for_one_hash() -> None:
    mine = Settings(trusted={"nim": "123"})
    assert mine.trusts("nim", "123")
    assert not mine.trusts("nim", "124")
    assert not mine.trusts("other", "123")


def test_one_variable_moves_every_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QIPAN_HOME", str(tmp_path))
    assert all(path.is_relative_to(tmp_path) for path in user_paths())
    monkeypatch.delenv("QIPAN_HOME")
    assert not any(path.is_relative_to(tmp_path) for path in user_paths())
    assert len(set(user_paths())) == len(user_paths())
