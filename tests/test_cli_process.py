"""The command line as a process: what it imports, what it costs, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

WINDOWS = ("tkinter", "_tkinter", "PIL.ImageTk", "simpleaudio", "qipan.tk")
TESTING = ("pytest", "_pytest", "hypothesis", "pyffish")


def qipan(*words: str, home: Path, stdin: bytes = b"", before: str = "") -> subprocess.CompletedProcess[bytes]:
    """Runs the program in a process without a display; ``before`` is Python that runs first."""
    env = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env["QIPAN_HOME"] = str(home)
    code = f"import sys\n{before}\nfrom qipan.cli import main\nsys.exit(main())"
    return subprocess.run([sys.executable, "-c", code, *words], input=stdin, capture_output=True, env=env, timeout=120)


BLOCK = f"""
class Block:
    def find_spec(self, name, path=None, target=None):
        if name in {WINDOWS + TESTING!r}:
            raise ImportError(f"{{name}} must not be imported here")
sys.meta_path.insert(0, Block())
"""


@pytest.mark.parametrize(
    "words",
    [
        ["--help"], ["--version"], ["games"], ["games", "--json"], ["plugins", "list"], ["perft", "xiangqi", "1"],
        ["rules", "xiangqi"], ["render", "xiangqi", "--out", "OUT/x.png"], ["render", "xiangqi", "--out", "OUT/x.svg"],
        ["plugins", "check", "xiangqi", "--count", "1", "--seconds", "0.1"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_only_windows_need_tkinter(words: list[str], tmp_path: Path) -> None:
    words = [word.replace("OUT", str(tmp_path)) for word in words]
    done = qipan(*words, home=tmp_path, stdin=b'{"ask": ["legal"]}\n', before=BLOCK)
    assert b"must not be imported" not in done.stderr
    assert done.returncode in (0, 1) if words[1:2] == ["check"] else done.returncode == 0
    assert done.stdout or "--out" in words


@pytest.mark.parametrize(
    ("words", "dear"),
    [
        (["games", "--json"], ("PIL", "pluggy", "qipan.laws", "qipan.session", "qipan.plugins.xiangqi")),
        (["rules", "xiangqi"], ("PIL", "qipan.laws", "qipan.session", "qipan.record", "qipan.paint")),
    ],
    ids=lambda words: words[0],
)
def test_light_commands_leave_what_is_dear_alone(words: list[str], dear: tuple[str, ...], tmp_path: Path) -> None:
    tell = f"import atexit\natexit.register(lambda: print([m for m in {dear!r} if m in sys.modules]))"
    done = qipan(*words, home=tmp_path, before=tell, stdin=b'{"moves": ["h3e3"], "ask": ["legal", "adjudicate"]}\n')
    assert done.stdout.decode().splitlines()[-1] == "[]"


def test_the_service_answers_line_by_line(tmp_path: Path) -> None:
    asked = b'{"ask": ["outcome"], "id": 1}\n\xff\xfe\n'
    asked += b'{"ask": ["legal"], "moves": ["h3h4", "x"], "id": 2}\n{"ask": [], "id": 3}'
    done = qipan("rules", "xiangqi", home=tmp_path, stdin=asked)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert answers[0] == {"id": 1, "outcome": None}
    assert list(answers[1]) == ["error"]
    assert answers[2]["error"].startswith("moves: move 2: ")
    assert answers[3] == {"id": 3}
    assert done.stderr == b""


def test_a_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    env = {**os.environ, "QIPAN_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "qipan", "plugins", "check", "xiangqi", "--count", "1", "--seconds", "0.1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.parametrize(
    ("shell", "code", "err"),
    [
        ("games > /dev/full", 2, b"qipan: No space left on device\n"),
        ("--help > /dev/full", 2, b"qipan: No space left on device\n"),
        ("games >&-", 0, b""),
        ("rules xiangqi <&-", 0, b""),
        ("perft chess 1 2>&-", 2, b""),
        ("games --help | true", 0, b""),
    ],
)
def test_streams_that_are_full_or_closed(tmp_path: Path, shell: str, code: int, err: bytes) -> None:
    env = {**os.environ, "QIPAN_HOME": str(tmp_path), "PY": sys.executable}
    done = subprocess.run(["sh", "-c", f'"$PY" -m qipan {shell}'], capture_output=True, env=env, timeout=60)
    assert (done.returncode, done.stderr, done.stdout) == (code, err, b"")


def test_a_word_that_is_no_text_is_told_of(tmp_path: Path) -> None:
    env = {**os.environ, "QIPAN_HOME": str(tmp_path), "LC_ALL": "C"}
    command = [sys.executable.encode(), b"-m", b"qipan", b"perft", b"\xff\xfe", b"1"]
    done = subprocess.run(command, capture_output=True, env=env)
    assert done.returncode == 2
    assert done.stderr.startswith(b"qipan: there is no game ")
    assert done.stderr.count(b"\n") == 1
