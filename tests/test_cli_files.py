"""Commands on game files: replay, convert, render and play, with a format of a plugin's own and with records."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import sample

from qipan.cli import main
from qipan.paths import user_paths

GAMES = "s5 s4-s3 s2-s1\npass pass s5-s4\ns5 s5 s4\n"  # whole; with a note; misplayed at its second move

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A user's folder with the sample game, trusted; the working folder is empty."""
    monkeypatch.setenv("QIPAN_HOME", str(tmp_path / "home"))
    sample.nim(user_paths().plugins)
    assert main(["plugins", "trust", "nim"]) == 0
    capsys.readouterr()
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "home"


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_replay_says_a_line_a_game_and_fails_for_one(run: Run) -> None:
    write("games.nim", GAMES)
    code, out, err = run("replay", "games.nim")
    assert code == 1
    assert out.splitlines() == [
        "games.nim: 3 plies, red wins (the row is empty)",
        "games.nim#2: 3 plies, *; a pass at ply 1",
        "games.nim#3: FAILED move 2, s5: 's5' is no legal move here (line 3)",
    ]
    assert err.startswith("3 games, 1 failed, ")
    write("games.nim", GAMES.splitlines()[0])
    assert run("replay", "games.nim") == (0, "games.nim: 3 plies, red wins (the row is empty)\n", "")


def test_replay_in_json(run: Run) -> None:
    write("games.nim", GAMES)
    code, out, err = run("replay", "games.nim", "--json")
    first, second, third = json.loads(out)
    assert (code, err) == (1, "")
    assert first["outcome"] == {"winners": ["red"], "reason": "empty"}
    assert (first["plies"], first["fault"], first["notes"]) == (3, None, [])
    assert (second["outcome"], second["notes"][0]["ply"], second["notes"][0]["note"]) == (None, 1, "passed")
    assert third["fault"] == "move 2, s5: 's5' is no legal move here (line 3)"
    assert third["plies"] == 1


def test_a_record_has_the_notes_of_the_game_it_was_made_from(run: Run) -> None:
    write("one.nim", GAMES.splitlines()[1])
    assert run("convert", "one.nim", "one.qipan") == (0, "", "")
    told = [json.loads(run("replay", name, "--json")[1])[0]["notes"] for name in ("one.nim", "one.qipan")]
    assert [(note["ply"], note["note"]) for note in told[0]] == [(1, "passed")]
    assert told[0] == told[1]


def test_replay_walks_folders_in_order_and_goes_on_after_a_bad_file(run: Run) -> None:
    good = GAMES.splitlines()[0]
    write("all/b/two.nim", good)
    write("all/a/one.NIM", good)
    write("all/c.nim", f"{good}\nwhat?\n")
    write("all/d.qipan", "{")
    write("all/readme.txt", "no game")
    code, out, _ = run("replay", "all")
    assert code == 1
    lines = out.splitlines()
    names = [line.split(": ")[0] for line in lines]
    assert names == ["all/a/one.NIM", "all/b/two.nim", "all/c.nim", "all/c.nim", "all/d.qipan"]
    assert lines[3] == "all/c.nim: FAILED after game 1: line 2: a question mark"
    assert lines[4].startswith("all/d.qipan: FAILED ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["replay"], "the following arguments are required: PATH"),
        (["replay", "gone.nim"], "gone.nim: no such file or folder"),
        (["replay", "there.txt"], "there.txt: no plugin reads such files (.nim, .pgn, .qipan"),
        (["replay", "empty"], "empty has no game files in it"),
        (["convert", "there.txt"], "the following arguments are required: OUT"),
        (["convert", "there.txt", "x.nim"], "there.txt: no plugin reads files that end so"),
        (["convert", "games.nim", "x.doc"], "no format ends in '.doc'"),
        (["convert", "gone.nim", "x.nim"], "gone.nim: No such file or directory"),
        (["convert", "games.nim", "x.qipan"], "games.nim: game 3: line 3: move 2, s5: 's5' is no legal move here"),
        (["convert", "two.nim", "x.qipan"], "x.qipan: a .qipan file holds one game, not 2"),
        (["convert", "two.nim", "x.pgn"], "x.pgn: no plugin writes nim to files that end so"),
        (["convert", "bad.qipan", "x.nim"], "bad.qipan"),
        (["convert", "blank.nim", "x.nim"], "blank.nim: there is no game in it"),
        (["render", "two.nim", "--out", "x.png", "--ply", "9"], "--ply is 0 to 3 in two.nim, not 9"),
        (["render", "two.nim", "--out", "x.png", "--ply", "-1"], "--ply is 0 to 3 in two.nim, not -1"),
        (["render", "two.nim", "--out", "x.png", "--option", "size=3"], "--option and --position go with a GAME"),
        (["render", "gone.nim", "--out", "x.png"], "gone.nim: No such file or directory"),
        (["render", "nothing", "--out", "x.png"], "there is no game 'nothing'"),
        (["play", "gone.nim"], "gone.nim: No such file or directory"),
        (["play", "bad.qipan"], "bad.qipan"),
        (["bad.qipan"], "bad.qipan"),
        (["gone.qipan"], "gone.qipan: No such file or directory"),
        (["empty"], "empty"),
    ],
)
def test_bad_files_are_one_line_and_exit_2(run: Run, words: list[str], says: str) -> None:
    write("games.nim", GAMES)
    write("two.nim", "s5 s4-s3 s2\ns5\n")
    write("there.txt", "x")
    write("blank.nim", "")
    write("bad.qipan", "{")
    Path("empty").mkdir()
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.startswith("qipan: ")
    assert err.count("\n") == 1
    assert says in err
    assert not list(Path.cwd().glob("x.*"))


def test_convert_to_a_record_and_back(run: Run) -> None:
    write("one.nim", "s5 pass s4-s3\n")
    assert run("convert", "one.nim", "one.qipan") == (0, "", "")
    assert run("convert", "one.qipan", "again.nim") == (0, "", "")
    assert Path("again.nim").read_text("utf-8") == "s5 pass s4-s3\n"
    code, out, _ = run("replay", "one.qipan", "--json")
    assert code == 0
    assert json.loads(out)[0]["plies"] == 3
    write("many.nim", "s5\ns5-s4\n")
    assert run("convert", "many.nim", "copy.nim")[0] == 0
    assert Path("copy.nim").read_text("utf-8").split() == ["s5", "s5-s4"]


def test_a_record_with_a_bad_move_is_named(run: Run) -> None:
    write("one.nim", "s5 s4-s3\n")
    run("convert", "one.nim", "one.qipan")
    text = Path("one.qipan").read_text("utf-8")
    assert '"s4","s3"' in text
    write("one.qipan", text.replace('"s4","s3"', '"s4","s2"'))
    code, out, _ = run("replay", "one.qipan")
    assert code == 1
    assert out.startswith("one.qipan: FAILED move 2: black s4-s2 is illegal")
    assert run("play", "one.qipan")[0] == 2


def test_render_draws_a_file_at_a_ply(run: Run) -> None:
    write("one.nim", "s5 s4-s3\n")
    pictures = []
    for words in (["--ply", "0"], ["--ply", "1"], [], ["--ply", "2"]):
        assert run("render", "one.nim", "--out", "x.png", "--size", "200", *words) == (0, "", "")
        pictures.append(Path("x.png").read_bytes())
    assert pictures[2] == pictures[3], "without --ply all moves are drawn"
    assert len(set(pictures)) == 3
    write("two.nim", "s5\ns5-s4\n")
    _, _, err = run("render", "two.nim", "--out", "x.svg")
    assert err == "qipan: two.nim has several games; this is the first\n"


def test_render_looks_back_where_pieces_went(run: Run) -> None:
    write("one.pgn", "1. h3e3 h10g8 *\n")
    pictures = []
    for count in ("0", "1", "2", "3"):
        assert run("render", "one.pgn", "--out", "x.png", "--size", "300", "--look-back", count) == (0, "", "")
        pictures.append(Path("x.png").read_bytes())
    assert pictures[2] == pictures[3], "there are two moves"
    assert len(set(pictures)) == 3


def test_a_reader_that_fails_is_named(run: Run, home: Path) -> None:
    code = user_paths().plugins / "nim" / "__init__.py"
    code.write_text(code.read_text("utf-8").replace('    if "?" in line', '    if 1 / 0'), "utf-8")
    code.write_text(code.read_text("utf-8").replace('        if "?" in line', '        if 1 / 0'), "utf-8")
    run("plugins", "trust", "nim")
    write("one.nim", "s5\n")
    status, out, _ = run("replay", "one.nim")
    assert status == 1
    assert out == "one.nim: FAILED plugin nim failed in format nim: ZeroDivisionError: division by zero\n"
    status, _, err = run("convert", "one.nim", "x.qipan")
    assert (status, err) == (1, "qipan: plugin nim failed in format nim: ZeroDivisionError: division by zero\n")


@pytest.mark.parametrize(
    "given", ['Transcript("nim", (5,))', 'Transcript("nim", (MoveText(5),))', 'Transcript("nim", (), options=5)']
)
def test_a_reader_that_gives_something_else_is_named(run: Run, given: str) -> None:
    code = user_paths().plugins / "nim" / "__init__.py"
    text = code.read_text("utf-8")
    code.write_text(text.replace('yield Transcript("nim", tuple', f'yield {given} or ("nim", tuple'), "utf-8")
    run("plugins", "trust", "nim")
    write("one.nim", "s5\n")
    status, out, _ = run("replay", "one.nim")
    assert status == 1
    assert out.startswith("one.nim: FAILED plugin nim failed in format nim: TypeError: it gives ")


@pytest.mark.parametrize(
    ("method", "says"),
    [("notes", "5,"), ("notes", "5"), ("view", "position._replace(cells=position.cells * 2)")],
)
def test_what_cannot_be_drawn_is_named(run: Run, method: str, says: str) -> None:
    code = user_paths().plugins / "nim" / "__init__.py"
    text = code.read_text("utf-8")
    given = f"def {method}(self, position, viewer):\n        return {says}\n\n    def initial("
    code.write_text(text.replace("def initial(", given), "utf-8")
    run("plugins", "trust", "nim")
    status, _, err = run("render", "nim", "--out", "x.svg")
    assert status == 1
    assert method in err
    assert err.count("\n") == 1
    assert not Path("x.svg").exists()


def test_what_a_plugin_prints_is_no_answer(run: Run) -> None:
    code = user_paths().plugins / "nim" / "__init__.py"
    text = code.read_text("utf-8").replace("left = sum(", "print('NOISE')\n        left = sum(")
    code.write_text(text, "utf-8")
    run("plugins", "trust", "nim")
    write("one.nim", "s5 s4\n")
    check = ["plugins", "check", "nim", "--count", "1", "--seconds", "0.1", "--json"]
    for words in (["perft", "nim", "2", "--json"], ["replay", "one.nim", "--json"], check):
        _, out, err = run(*words)
        assert json.loads(out)
        assert "NOISE" in err
    assert run("convert", "one.nim", "x.qipan")[1] == ""
    assert run("nimsum", "5")[1] == "2\n", "what a command prints is"


def test_the_bar_is_drawn_on_a_terminal_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    write("games.nim", GAMES)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert main(["replay", "games.nim"]) == 1
    assert "\r[......" in terminal.getvalue()
    assert terminal.getvalue().rstrip().splitlines()[-1].endswith("a second")
