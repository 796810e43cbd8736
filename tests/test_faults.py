"""Faults in two languages: each sentence in the code has its Chinese, and what bad input meets is Chinese."""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from test_words import PLATFORM, ROOT, WINDOW_WORDS

from qipan import journal, record, theme
from qipan.files import save_file, transcripts
from qipan.host import Host, PluginBroken
from qipan.misread import unread
from qipan.pictures import read_path
from qipan.places import Place
from qipan.session import Session
from qipan.tk.teller import sentence
from qipan.values import Fault, Note, filled
from qipan.words import Words

PLUGINS = sorted(folder for folder in (ROOT / "plugins").iterdir() if (folder / "words.toml").is_file())
CODE = [file for file in sorted(PLATFORM.rglob("*.py")) if "cli" not in file.parts and file.name != "testing.py"]
HOST = Host.scan(None, entry_points=False)
XIANGQI = HOST.open("xiangqi")
RULES = XIANGQI.rules()
START = RULES.initial(Random(0))
WORDS = WINDOW_WORDS.plus(XIANGQI.words)
PIECES = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


# -- in the code -----------------------------------------------------------------------------------------------------
def sentences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The sentences of the faults that code makes, with their lines; one made up on the spot is its code in ``<>``."""
    named: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).append(node.value)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") not in ("Fault", "ApiFault"):
            continue
        if any(word.arg == "note" for word in node.keywords):
            continue
        first = node.args[0]
        for value in named.get(first.id, [first]) if isinstance(first, ast.Name) else [first]:
            for case in (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,):
                text = case.value if isinstance(case, ast.Constant) else None
                yield node.lineno, text if isinstance(text, str) else f"<{ast.unparse(case)}>"


# What has no sentence of ours: a plugin's own fault put on one line, and the name of one of Python's exceptions.
MADE_UP = {"<' '.join(str(fault).split())>", "<type(fault).__name__>", "<str(_one_line(fault)).replace("
           "'PluginValidationError: ', '')>"}  # fmt: skip


def unsaid(file: Path, words: Words) -> list[tuple[int, str]]:
    found = sentences(ast.parse(file.read_text("utf-8")))
    return [(line, text) for line, text in found if text not in words and text not in MADE_UP]


@pytest.mark.parametrize("file", CODE, ids=lambda file: str(file.relative_to(PLATFORM)))
def test_every_fault_of_the_platform_has_its_chinese(file: Path) -> None:
    assert unsaid(file, WINDOW_WORDS) == []


@pytest.mark.parametrize("folder", PLUGINS, ids=lambda folder: folder.name)
def test_every_fault_of_a_plugin_has_its_chinese(folder: Path) -> None:
    words = Words.load(folder / "words.toml")
    assert [(file.name, *what) for file in sorted(folder.glob("*.py")) for what in unsaid(file, words)] == []


def test_a_planted_fault_is_found(tmp_path: Path) -> None:
    file = tmp_path / "planted.py"
    file.write_text('raise Fault(f"{x} is bad")\nsaid = "no {0}"\nFault(said, x)\nFault("{0}: {1}", a, b)\n', "utf-8")
    assert unsaid(file, WINDOW_WORDS) == [(1, "<f'{x} is bad'>"), (3, "no {0}")]


def test_every_sentence_kept_is_a_fault_of_the_code_or_of_the_system() -> None:
    code = {text for file in CODE for _, text in sentences(ast.parse(file.read_text("utf-8")))}
    kept = Words.load(PLATFORM / "tk" / "words" / "faults.toml").table
    said = "".join(file.read_text("utf-8") for file in CODE)
    system = {key for key in kept if "{" not in key and key not in code and key not in said}
    assert [key for key in kept if "{" in key and key not in code] == []
    assert {"No such file or directory", "Permission denied", "No space left on device"} <= system


# -- as they are met -------------------------------------------------------------------------------------------------
def test_a_fault_is_said_in_both_languages_down_to_its_parts() -> None:
    table = {"in {0}: {1}": {"zh": "{0}里：{1}"}, "no {0}": {"zh": "没有{0}"}}
    table |= {"kind.horse": {"zh": "马", "en": "horse"}}
    words = Words(table)
    fault = Fault("in {0}: {1}", "x", Fault("no {0}", "kind.horse"))
    assert (words.say(fault, "en"), words.say(fault, "zh")) == ("in x: no horse", "x里：没有马")
    noted = Fault("in {0}: {1}", 7, Fault("the horse", note=Note("kind.horse")))
    assert (str(noted), words.say(noted, "zh")) == ("in 7: the horse", "7里：马")
    assert len(words.say(Fault("no {0}", "x" * 9999), "zh")) < 600
    assert filled("{1}{0}{2}", ("{1}", "b")) == "b{1}{2}"  # what is told is not read for places again


def raised(deed: Callable[[], object]) -> Fault:
    with pytest.raises((Fault, PluginBroken, OSError)) as caught:
        deed()
    assert isinstance(caught.value, Fault | PluginBroken | OSError)
    return sentence(caught.value)


def is_chinese(fault: Fault) -> str:
    """The Chinese of a fault, where it is Chinese: what is quoted of the input apart, no three Latin words follow."""
    chinese = WORDS.say(fault, "zh")
    assert chinese != str(fault)
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", chinese)
    assert re.search(r"[一-鿿]{2}", bare), chinese
    assert not re.search(r"\b[A-Za-z']+ [a-z']+ [a-z']+", bare), chinese
    assert not re.search(r"\{\d\}", bare), chinese
    return chinese


FENS = [
    "x", "9/9 w", f"{PIECES} z", f"{PIECES} w - - 1", f"{PIECES} w 3 q", f"{PIECES} w x y 0 1", "x" * 300,
    f"{PIECES.replace('9/1c5c1', '8/1c5c1')} w", f"{PIECES.replace('RNB', 'RNQ')} w", f"{PIECES.replace('K', '1')} w",
    f"{PIECES.replace('1C5C1', 'CC5C1')} w", "4k4/9/9/9/9/9/9/9/9/4K4 w", "3k5/9/9/9/9/9/9/9/9/3RK4 w",
    "4k4/9/9/9/9/9/9/9/K8/9 w", "3k5/9/9/9/9/P8/P8/9/9/4K4 w",
]  # fmt: skip


@pytest.mark.parametrize("fen", FENS)
def test_a_bad_position_is_told_in_chinese(fen: str) -> None:
    assert is_chinese(raised(lambda: XIANGQI.position(RULES, fen))).startswith("局面：")


@pytest.mark.parametrize("text", ["nonsense", "h3h9", "a5a6", "马二进二", "马三进一", "前炮退二", "炮二进九", "h1g1"])
def test_a_bad_move_is_told_in_chinese(text: str) -> None:
    is_chinese(raised(lambda: RULES.parse(START, text)))


def test_a_move_of_two_readings_is_told_in_chinese() -> None:
    position = RULES.read("3k5/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w")
    assert is_chinese(raised(lambda: RULES.parse(position, "前兵进一"))) == "前兵进一：可指 e8e9 或 c8c9"


@pytest.mark.parametrize("text", ["soon", "0", "10+5x0", "99999999"])
def test_a_bad_clock_is_told_in_chinese(text: str) -> None:
    from qipan.clock import Control

    is_chinese(raised(lambda: Control.parse(text)))


@pytest.mark.parametrize("options", [{"rules": "odd"}, {"colour": "red"}, {"draw_moves": 7}])
def test_a_bad_option_is_told_in_chinese(options: dict[str, object]) -> None:
    is_chinese(raised(lambda: XIANGQI.info.settle(options)))


PGNS = [
    b"", b"{ open", b"}", b"[x]", b"1. h3e3 zzz", b"( h3e3 )", b"1. h3e3 ( )", b"1. h3e3 )", b"1. h3e3 ( h3d3",
    b'[Game "Go"]\n1. h3e3 *', b"1. h3e3 * h10g8", b"1. h3e3 ( h3d3 1-0 )", b"1. h3e3 " + b"( h3d3 " * 70, b'"',
]  # fmt: skip


@pytest.mark.parametrize("data", PGNS)
def test_a_bad_pgn_is_told_in_chinese(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "x.pgn"
    file.write_bytes(data)
    assert "x.pgn" in is_chinese(raised(lambda: list(transcripts(HOST, file))))


def test_a_game_with_an_illegal_move_is_told_in_chinese(tmp_path: Path) -> None:
    from qipan.files import sessions

    lines = ("1. h3e3 h3e3", "1. a1a9", '[FEN "9/9 w"]\n1. h3e3', '[Options "rules=odd"]\n1. h3e3')
    for number, line in enumerate(lines):
        file = tmp_path / f"{number}.pgn"
        file.write_text(line + " *\n", "utf-8")
        is_chinese(raised(lambda file=file: list(sessions(HOST, file))))  # type: ignore[misc]


def saved() -> bytes:
    session = Session(XIANGQI.info, RULES, XIANGQI.info.settle({}), rng=Random(0), now=lambda: 0.0)
    for text in ("h3e3", "h10g8", "h1g3"):
        session.play(RULES.parse(session.tip.position, text))
    return record.encode(session)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"state"', b'"sate"'), (b'"path":["h3","e3"]', b'"path":["h3","zz"]'), (b'"id":2', b'"id":1'),
        (b'"id":2', b'"id":"two"'), (b'"qipan": 1', b'"qipan": 2'), (b'"qipan": 1', b'"chess": 1'),
        (b'"path":["h3","e3"]', b'"path":["h3","h10"]'), (b'"tip":3', b'"tip":9'), (b'"red"', b'"blue"'),
        (b'"xiangqi"', b'"nochess"'), (b'["h1","g3"]', b'["h1","g3"'), (b'"rules":"standard"', b'"rules":"odd"'),
    ],
)  # fmt: skip
def test_a_bad_file_is_told_in_chinese(tmp_path: Path, old: bytes, new: bytes) -> None:
    from qipan.files import sessions

    file, data = tmp_path / "x.qipan", saved()
    assert old in data
    file.write_bytes(data.replace(old, new))
    assert "x.qipan" in is_chinese(raised(lambda: list(sessions(HOST, file))))


def test_a_file_cut_short_is_told_in_chinese() -> None:
    data = saved()
    _, fault = record.salvage(data[: data.index(b'["h1"')], "x.qipan")
    assert fault is not None
    assert is_chinese(fault).endswith("着已保留。")


def test_files_that_cannot_be_reached_are_told_in_chinese(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    is_chinese(raised(lambda: record.load(tmp_path / "none.qipan")))
    is_chinese(raised(lambda: record.save(tmp_path / "none" / "x.qipan", record.decode(saved()))))
    is_chinese(raised(lambda: list(transcripts(HOST, tmp_path / "x.doc"))))
    is_chinese(raised(lambda: save_file(HOST, tmp_path / "x.qipan", [])))
    is_chinese(raised(lambda: (tmp_path / "file" / "x").read_bytes()))
    is_chinese(unread(PermissionError(13, "Permission denied", "x")))


def test_a_bad_journal_is_told_in_chinese(tmp_path: Path) -> None:
    file = tmp_path / "x.journal"
    head = record.decode(saved())
    whole = record.encode(head).replace(b"\n", b"") + b"\n"
    for data in (b"torn", b"{}\n", b"[]\n", b'{"qipan": 9, "game": "x", "seats": []}\n'):
        file.write_bytes(data)
        is_chinese(raised(lambda: journal.peek(file)))
    file.write_bytes(whole + b"{}\n" + whole)
    (unfinished,) = journal.unfinished(tmp_path)
    assert unfinished.fault is not None
    is_chinese(unfinished.fault)
    open_elsewhere = journal.recover(file).journal
    is_chinese(raised(lambda: journal.recover(open_elsewhere.path)))
    open_elsewhere.close(keep=False)
    is_chinese(raised(lambda: journal.Journal.create(file.with_name("x.journal.damaged"), "x")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[table]", "[table"), ('id = "classic"', 'id = "../up"'), ('"violet"]', '"plaid"]'), ("0.026", "9.0"),
        ("[seats.nobody]", "[seats.somebody]"), ('id = "classic"', "ident = 3"),
        ('id = "classic"', 'id = "classic"\nodd = 1'), ("[table]", 'font = "../x.ttf"\n[table]'),
        ("[table]", 'font = "x.ttf"\n[table]'), ("[table]", 'images = {red_horse = "theme.png"}\n[table]'),
    ],
)  # fmt: skip
def test_a_bad_theme_is_told_in_chinese(tmp_path: Path, old: str, new: str) -> None:
    folder = tmp_path / "classic"
    shutil.copytree(ROOT / "themes" / "classic", folder)
    text = (folder / "theme.toml").read_text("utf-8")
    assert old in text
    (folder / "theme.toml").write_text(text.replace(old, new, 1), "utf-8")
    (folder / "theme.png").write_bytes(b"no picture")
    assert is_chinese(raised(lambda: theme.load(folder))).startswith("theme.toml")


@pytest.mark.parametrize("path", ["L 1 1", "M 1", "M 1 1 x", "M 99 1", "M 1 1 L 2 2 Z"])
def test_a_bad_pictogram_is_told_in_chinese(path: str) -> None:
    is_chinese(raised(lambda: read_path(path)))


MANIFEST = (ROOT / "tests" / "samples" / "nim" / "plugin.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("plugin.toml", "api = 1", "api = 9"), ("plugin.toml", "api = 1", "api = "),
        ("plugin.toml", 'id = "nim"', "id = 3"),
        ("plugin.toml", 'id = "nim"', 'id = "N I M"'), ("words.toml", "", "x"), ("__init__.py", "", "1 / 0\n"),
        ("__init__.py", "def games", "def gaems"), ("__init__.py", '"nim"', '"other"'),
    ],
)  # fmt: skip
def test_a_broken_plugin_is_told_in_chinese(tmp_path: Path, name: str, old: str, new: str) -> None:
    folder = tmp_path / "nim"
    shutil.copytree(ROOT / "tests" / "samples" / "nim", folder)
    file = folder / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new) if old else new + text, "utf-8")
    host = Host([Place("nim", "user", folder, "", "")], trusted=lambda *_: True)
    if not host.plugins[0].fault:
        is_chinese(raised(lambda: host.open("nim")))
    fault = host.plugins[0].fault
    assert fault is not None
    is_chinese(fault)


def test_other_faults_of_plugins_are_told_in_chinese(tmp_path: Path) -> None:
    nim = ROOT / "tests" / "samples" / "nim"
    host = Host([Place(name, "user", nim, "", "") for name in ("a", "b")])
    untrusted, twin = (plugin.fault for plugin in host.plugins)
    assert untrusted is not None
    assert twin is not None
    assert is_chinese(untrusted) == "尚未允许运行其代码"
    is_chinese(twin)
    (gone,) = Host([Place("x", "user", tmp_path / "none", "", "")]).plugins
    assert gone.fault is not None
    is_chinese(gone.fault)
    is_chinese(raised(lambda: host.open("chess")))
