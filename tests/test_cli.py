"""The command line in this process: what each command answers, and that bad input is one line and exit 2."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import sample

import qipan
from qipan.cli import COMMANDS, main
from qipan.host import Host
from qipan.paths import user_paths

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of its own, with the sample game in it, not trusted yet."""
    monkeypatch.setenv("QIPAN_HOME", str(tmp_path / "home"))
    sample.nim(user_paths().plugins)
    return tmp_path / "home"


@pytest.fixture
def nim(run: Run) -> Path:
    """The sample's folder, its code trusted."""
    assert run("plugins", "trust", "nim")[0] == 0
    return user_paths().plugins / "nim"


def test_help_names_every_command(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    assert all(f"  {word} " in out for word in COMMANDS)
    assert run("--version") == (0, f"qipan {qipan.__version__}\n", "")


@pytest.mark.parametrize("word", list(COMMANDS))
def test_each_command_helps(run: Run, word: str) -> None:
    code, out, err = run(word, "--help")
    assert (code, err) == (0, "")
    assert f"usage: qipan {word}" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["gmaes"], "'gmaes' is no command, game file or plugin's command; did you mean games?"),
        ([""], "'' is no command, game file or plugin's command"),
        (["--json"], "--json is no option here"),
        (["games", "what"], "games: unrecognized arguments: what"),
        (["games", "--jso"], "unrecognized arguments"),
        (["perft"], "the following arguments are required: GAME, DEPTH"),
        (["perft", "chess", "1"], "there is no game 'chess'"),
        (["perft", "nim", "x"], "invalid int value: 'x'"),
        (["perft", "nim", "-1"], "the depth is 0 to 100, not -1"),
        (["perft", "nim", "1", "--option", "size"], "--option 'size' is not of the form K=V"),
        (["perft", "nim", "1", "--option", "size=1"], "option size: '1' is not a whole number from 2 to 9"),
        (["perft", "nim", "1", "--option", "size=3", "--option", "size=4"], "--option size is given twice"),
        (["perft", "nim", "1", "--option", "x=1"], "nim has no option 'x' (it has: size, misere)"),
        (["perft", "nim", "1", "--position", "{"], "--position: not a position text"),
        (["perft", "nim", "0", "--divide"], "--divide needs a depth"),
        (["plugins"], "the following arguments are required: action"),
        (["plugins", "list", "x"], "unrecognized arguments: x"),
        (["plugins", "trust", "x"], "there is no plugin 'x'"),
        (["plugins", "trust", "xiangqi", "more"], "unrecognized arguments"),
        (["plugins", "check", "chess"], "there is no game 'chess'"),
        (["plugins", "check", "--count", "0"], "more than nothing"),
        (["rules", "chess"], "there is no game 'chess'"),
        (["render", "nim", "--out", "x.gif"], "'x.gif' is neither .png nor .svg"),
        (["render", "nim", "--out", "x.png", "--size", "9"], "--size is 64 to 8192 pixels, not 9"),
        (["render", "nim", "--out", "x.png", "--theme", "x"], "there is no theme 'x'"),
        (["render", "nim", "--out", "x.png", "--seat", "x"], "'x' is no seat of this game (red, black)"),
        (["render", "nim", "--out", "x.png", "--ply", "3"], "--ply goes with a file"),
        (["render", "nim", "--out", "/nowhere/at/all/x.png"], "/nowhere/at/all/x.png: No such file or directory"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "nim", "--theme", "x"], "there is no theme 'x'"),
        (["play", "nim", "--option", "size=99"], "option size: '99'"),
        (["play", "--option", "size=3"], "--option and --position go with a GAME"),
        (["nimsum"], "nimsum needs a number"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(run: Run, nim: Path, words: list[str], says: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err.startswith("qipan: ")
    assert err.count("\n") == 1
    assert says in err


def test_games_are_listed_from_manifests(run: Run, home: Path) -> None:
    code, out, _ = run("games", "--json")
    games = {game["id"]: game for game in json.loads(out)}
    assert code == 0
    assert {"xiangqi", "nim"} <= set(games)
    assert games["nim"]["status"] == "untrusted"
    assert games["nim"]["seats"] == ["red", "black"]
    assert games["nim"]["name"] == {"en": "Row", "zh": "一排"}
    assert games["nim"]["options"][0] == {"id": "size", "kind": "number", "default": 5, "min": 2, "max": 9}
    assert games["xiangqi"]["plugin"] == "xiangqi"
    _, out, _ = run("games")
    assert "象棋" in out
    assert "(untrusted: its code was not allowed yet)" in out


def test_plugins_are_listed_with_their_faults(run: Run, home: Path) -> None:
    (user_paths().plugins / "broken").mkdir()
    code, out, _ = run("plugins", "list", "--json")
    found = {plugin["id"]: plugin for plugin in json.loads(out)}
    assert code == 0
    assert found["xiangqi"]["status"] == "ok"
    assert found["xiangqi"]["fault"] is None
    assert found["nim"]["status"] == "untrusted"
    assert found["nim"]["commands"] == ["nimsum"]
    assert found["broken"]["status"] == "broken manifest"
    _, out, _ = run("plugins", "list")
    assert "nim: its code was not allowed yet. qipan plugins trust nim" in out
    assert f"broken: plugin.toml: No such file or directory. Delete the folder {user_paths().plugins}" in out


def test_trust_is_given_once_and_is_for_that_code(run: Run, nim: Path) -> None:
    assert run("plugins", "trust", "nim")[1] == "nim is trusted already\n"
    assert run("perft", "nim", "1")[:2] == (0, "3\n")
    (nim / "new.py").write_text("", "utf-8")
    code, out, err = run("perft", "nim", "1")
    assert (code, out) == (1, "")
    assert err == "qipan: plugin nim can't be used: its code was not allowed yet\n"


def test_perft_counts(run: Run, nim: Path) -> None:
    assert run("perft", "nim", "0")[1] == "1\n"
    assert run("perft", "nim", "2")[1] == "9\n"
    assert run("perft", "nim", "2", "--option", "size=2", "--json")[1] == '{"nodes": 5}\n'
    _, out, _ = run("perft", "nim", "2", "--divide", "--json")
    assert json.loads(out) == {"nodes": 9, "divide": {"pass": 3, "s5": 3, "s5-s4": 3}}
    assert run("perft", "nim", "2", "--divide")[1] == "pass: 3\ns5: 3\ns5-s4: 3\ntotal: 9\n"


def test_perft_of_xiangqi(run: Run) -> None:
    assert run("perft", "xiangqi", "3")[1] == "79666\n"
    _, out, _ = run("perft", "xiangqi", "2", "--divide", "--json")
    answer = json.loads(out)
    assert answer["nodes"] == sum(answer["divide"].values()) == 1920
    assert len(answer["divide"]) == 44
    bare = "4k4/9/9/9/9/9/9/9/9/3K5 w"
    assert run("perft", "xiangqi", "1", "--position", bare)[1] == "1\n"
    code, _, err = run("perft", "xiangqi", "1", "--position", bare.replace("3K5", "4K4"))
    assert code == 2
    assert err.startswith("qipan: --position: ")


def test_perft_refuses_what_it_cannot_count(run: Run, home: Path) -> None:
    code = user_paths().plugins / "nim" / "__init__.py"
    good = code.read_text("utf-8")
    code.write_text(good.replace('kinds = ("stone",)', 'kinds = ("stone",)\n    hidden = True'), "utf-8")
    run("plugins", "trust", "nim")
    assert "has hidden pieces" in run("perft", "nim", "1")[2]
    code.write_text(good.replace("len(self.board.sites), 0", "len(self.board.sites), -2"), "utf-8")
    run("plugins", "trust", "nim")
    status, _, err = run("perft", "nim", "1")
    assert (status, err) == (2, "qipan: perft: chance decides here: lines with dice or draws have no count\n")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("left = sum(", "1 / 0; left = sum(", "plugin nim failed in legal_moves or apply: ZeroDivisionError"),
        ("cells, passed = ", "import sys; sys.exit(0); cells, passed = ", "legal_moves or apply: SystemExit: 0"),
        ("return Position((STONE", "raise KeyError('x'); return Position((STONE", "failed in initial: KeyError: 'x'"),
        ("STONE = Piece", "raise OSError(5, 'x')\nSTONE = Piece", "failed in import: OSError"),
    ],
)
def test_a_failing_plugin_is_one_line_and_exit_1(run: Run, home: Path, old: str, new: str, says: str) -> None:
    code = user_paths().plugins / "nim" / "__init__.py"
    code.write_text(code.read_text("utf-8").replace(old, new), "utf-8")
    run("plugins", "trust", "nim")
    status, out, err = run("perft", "nim", "2")
    assert (status, out) == (1, "")
    assert err.startswith("qipan: plugin nim failed in ")
    assert err.count("\n") == 1
    assert says in err


def test_plugins_add_commands(run: Run, home: Path) -> None:
    assert "nimsum" not in run("--help")[1]
    assert "'nimsum' is no command" in run("nimsum", "5")[2]
    run("plugins", "trust", "nim")
    assert run("nimsum", "5") == (0, "2\n", "")
    assert "  nimsum   (of the plugin nim)" in run("--help")[1]
    status, _, err = run("nimsum", "x")
    assert status == 1
    assert err.startswith("qipan: plugin nim failed in nimsum: ValueError")


def test_check_reports_a_line_a_law(run: Run, nim: Path) -> None:
    code, out, err = run("plugins", "check", "nim", "--count", "3")
    assert (code, err) == (1, "")
    assert out.startswith("nim: BROKEN, ")
    assert "  BROKEN  position-sound" in out, "the sample calls positions impossible that play reaches"
    assert "        seed " in out
    code, out, _ = run("plugins", "check", "nim", "--count", "3", "--json")
    report = json.loads(out)[0]
    assert code == 1
    assert (report["game"], report["ok"]) == ("nim", False)
    broken = {law["law"]: law for law in report["laws"] if not law["ok"]}
    assert broken["position-sound"]["moves"]
    assert broken["position-sound"]["seed"] >= 1


def test_check_says_what_a_plugin_of_that_name_lacks(run: Run, home: Path) -> None:
    _, out, _ = run("plugins", "check", "nim")
    assert out == "nim: BROKEN plugin nim can't be used: its code was not allowed yet. qipan plugins trust nim\n"
    manifest = user_paths().plugins / "nim" / "plugin.toml"
    manifest.write_text(manifest.read_text("utf-8").replace("seats =", "seets ="), "utf-8")
    status, out, err = run("plugins", "check", "nim")
    assert (status, out) == (2, "")
    assert err.startswith("qipan: plugin nim can't be used: plugin.toml: ")
    assert "seets" in err


def test_check_goes_on_after_a_broken_plugin(run: Run, home: Path) -> None:
    code = user_paths().plugins / "nim" / "__init__.py"
    code.write_text("1/0", "utf-8")
    run("plugins", "trust", "nim")
    (user_paths().plugins / "aaa").mkdir()
    status, out, _ = run("plugins", "check", "--count", "1", "--seconds", "0.1")
    assert status == 1
    assert "nim: BROKEN plugin nim failed in import: ZeroDivisionError" in out
    assert "BROKEN MANIFEST  plugin aaa: plugin.toml: No such file" in out
    assert "xiangqi: " in out


def test_a_law_that_no_game_reached_is_not_called_kept(run: Run, nim: Path) -> None:
    code = nim / "__init__.py"
    said = '"""One stone or two, or a pass."""'
    code.write_text(code.read_text("utf-8").replace(said, "1 / 0"), "utf-8")
    run("plugins", "trust", "nim")
    _, out, _ = run("plugins", "check", "nim", "--count", "1")
    assert "  BROKEN  plays " in out
    assert "  untried unique-moves " in out
    assert "  ok      unique-moves" not in out


def test_render_writes_pictures_without_a_display(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    monkeypatch.delenv("DISPLAY", raising=False)
    out = tmp_path / "board.png"
    assert run("render", "xiangqi", "--out", str(out), "--size", "400", "--seat", "black") == (0, "", "")
    with Image.open(out) as picture:
        assert max(picture.size) == 400
        upside_down = picture.convert("RGB").tobytes()
    assert run("render", "xiangqi", "--out", str(out), "--size", "400")[0] == 0
    with Image.open(out) as picture:
        assert picture.convert("RGB").tobytes() != upside_down
    vector = tmp_path / "board.svg"
    assert run("render", "xiangqi", "--out", str(vector))[0] == 0
    assert vector.read_text("utf-8").lstrip().startswith(("<svg", "<?xml"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board.png", "board.svg", "home"]


def test_a_damaged_settings_file_is_told_of_and_nothing_stops(run: Run, home: Path) -> None:
    user_paths().settings.write_text("{", "utf-8")
    code, out, err = run("games")
    assert code == 0
    assert "xiangqi" in out
    assert err.startswith("qipan: The settings file was damaged and is kept as ")
    assert err.count("\n") == 1


def test_a_closed_pipe_and_ctrl_c_are_quiet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Host:
        raise BrokenPipeError

    monkeypatch.setattr("qipan.cli.games.make_host", broken)
    monkeypatch.setattr("qipan.cli.os.dup2", lambda *_: None)
    assert main(["games"]) == 141

    def interrupted(*_: object, **__: object) -> Host:
        raise KeyboardInterrupt

    monkeypatch.setattr("qipan.cli.games.make_host", interrupted)
    assert run("games") == (130, "", "")


def test_too_little_memory_is_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: object, **__: object) -> Host:
        raise MemoryError

    monkeypatch.setattr("qipan.cli.games.make_host", greedy)
    assert run("games") == (1, "", "qipan: there is not enough memory for that\n")


def test_output_that_is_no_utf8_still_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["games"]) == 0
    assert "象棋" in raw.getvalue().decode("utf-8")


def test_without_a_display_play_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    for words in ([], ["play"], ["play", "xiangqi"]):
        code, out, err = run(*words)
        assert (code, out) == (1, "")
        assert err.startswith("qipan: no display: ")
        assert err.count("\n") == 1
