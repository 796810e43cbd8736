"""The authors' kit: a plugin's own test of three lines finds its game, and fails when a law is broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import sample

from qipan.testing import check, open_plugin, plugin_folder
from qipan.values import Fault

SOUND = {'return Note("too-few") if': 'return None if True else Note("too-few") if'}  # the sample without its fault


def test_check_passes_a_sound_game_and_names_a_broken_law(tmp_path: Path) -> None:
    (tmp_path / "good").mkdir()
    good = sample.nim(tmp_path / "good", **SOUND)
    report = check(open_plugin(good)[0], games=4)
    assert report.ok
    assert report.games >= 4
    with pytest.raises(AssertionError, match=r"nim breaks laws:\n(.*\n)*BROKEN  position-sound"):
        check(open_plugin(sample.nim(tmp_path))[0], games=4)


def test_a_bad_plugin_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    with pytest.raises(Fault, match=r"bad: plugin\.toml: No such file"):
        open_plugin(tmp_path / "bad")


def test_a_test_finds_the_plugin_above_or_beside_it(tmp_path: Path) -> None:
    folder = sample.nim(tmp_path)
    assert plugin_folder(folder / "tests" / "test_it.py") == folder
    assert plugin_folder(tmp_path / "tests" / "test_it.py") == folder


@pytest.mark.parametrize(("sound", "code"), [(True, 0), (False, 1)])
def test_an_authors_test_is_three_lines(tmp_path: Path, sound: bool, code: int) -> None:
    sample.nim(tmp_path, **(SOUND if sound else {}))
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["qipan.testing"]\n', "utf-8")
    (tmp_path / "test_nim.py").write_text(
        "from qipan.testing import check\n\ndef test_laws(opened):\n    check(opened, games=2)\n", "utf-8"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("1 passed" if sound else "BROKEN  position-sound") in done.stdout
