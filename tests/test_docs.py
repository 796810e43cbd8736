"""The pages are true: their samples run, their links lead somewhere, and keys, hooks, laws and options are all told."""

from __future__ import annotations

import io
import itertools
import json
import re
import shlex
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from test_layers import RINGS

from qipan import catalogue, hookspecs, laws, places, record, theme
from qipan.cli import COMMANDS, main
from qipan.cli.rules_service import Service
from qipan.host import Host, Opened
from qipan.rules import Ruleset
from qipan.testing import check, open_plugin
from qipan.words import Words

ROOT = Path(__file__).resolve().parents[1]
AUTHOR = ROOT / "docs" / "author"
PLAYER = ROOT / "docs" / "player"
GAMES = sorted(folder.parent for folder in (ROOT / "plugins").glob("*/plugin.toml"))
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "plugins").glob("*/*.md")]
)
PAIRS = [(page, PLAYER / "zh" / page.name) for page in sorted((PLAYER / "en").glob("*.md"))]
PAIRS += [(folder / "rules.en.md", folder / "rules.zh.md") for folder in GAMES]
PICTURE_LIMIT = 250_000  # bytes
GAME = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 车一平二 马2进3 4. 兵七进一 卒7进1 5. 车二进六 炮8平9 *\n"


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text(page: Path) -> str:
    return page.read_text("utf-8")


class Block(NamedTuple):
    """A fenced block: the words after its fence, its line, its text."""

    words: tuple[str, ...]
    line: int
    body: str


def blocks(page: Path, *words: str) -> list[Block]:
    """The fenced blocks whose words begin so."""
    found, whole = [], text(page)
    for match in re.finditer(r"^```([^\n]*)\n(.*?)^```$", whole, re.MULTILINE | re.DOTALL):
        block = Block(tuple(match[1].split()), whole[: match.start()].count("\n") + 2, match[2])
        if block.words[: len(words)] == words:
            found.append(block)
    return found


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return re.sub(r"^```[^\n]*\n.*?^```$", "", text(page), flags=re.MULTILINE | re.DOTALL)


def code(page: Path) -> set[str]:
    """All that stands between backquotes outside the fenced blocks."""
    return set(re.findall(r"`([^`\n]+)`", prose(page)))


def headings(page: Path) -> list[tuple[int, str]]:
    return [(len(marks), title) for marks, title in re.findall(r"^(#+) (.+)$", prose(page), re.MULTILINE)]


def rows(page: Path, head: str) -> list[list[str]]:
    """The rows of the table that has this head, each cell without its backquotes."""
    lines = iter(text(page).splitlines())
    assert any(line == head for line in lines), f"{name(page)} has no table {head}"
    body = itertools.takewhile(lambda line: line.startswith("|"), itertools.islice(lines, 1, None))
    return [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in body]


def anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


# -- links and pictures ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    lost = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, part = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        inside = target.is_relative_to(ROOT) and target.is_file()
        if not inside or (part and part not in {anchor(title) for _, title in headings(target)}):
            lost.append(link)
    assert lost == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages_name_no_address_and_no_machine(page: Path) -> None:
    assert re.findall(r"\w+://\S+|/(?:home|root|Users|work|tmp)/\S*", text(page)) == []


def test_pictures_are_shown_and_small() -> None:
    pictures = set((ROOT / "docs" / "pictures").iterdir())
    shown = {
        (page.parent / link).resolve() for page in PAGES for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text(page))
    }
    assert pictures == shown
    assert {picture.name: size for picture in pictures if (size := picture.stat().st_size) > PICTURE_LIMIT} == {}


# -- two languages -----------------------------------------------------------------------------------------------
def test_every_page_for_players_is_there_in_both_languages() -> None:
    assert {page.name for page in (PLAYER / "en").iterdir()} == {page.name for page in (PLAYER / "zh").iterdir()}
    assert [name(page) for pair in PAIRS for page in pair if not page.is_file()] == []


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: name(pair[0]))
def test_both_languages_have_the_same_shape(pair: tuple[Path, Path]) -> None:
    english, chinese = pair
    assert [level for level, _ in headings(english)] == [level for level, _ in headings(chinese)]
    assert [block[::2] for block in blocks(english)] == [block[::2] for block in blocks(chinese)]
    for page, most in ((english, 0.02), (chinese, 1.0)):
        whole = prose(page)
        assert len(re.findall("[\u4e00-\u9fff]", whole)) <= most * len(whole) or "rules" in page.name
    assert len(re.findall("[\u4e00-\u9fff]", prose(chinese))) > 100


# -- keys, options, rules pages ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("language", "head"), [("en", "| key | what it does |"), ("zh", "| 按键 | 作用 |")])
def test_the_keys_told_are_the_keys_bound(language: str, head: str) -> None:
    from qipan.tk.launcher.page import Launcher
    from qipan.tk.table.keys import KEYS

    words = Words.load(*(ROOT / "platform" / "qipan" / "tk" / "words").glob("*.toml"))
    table = [[key.label, words.text(f"key.{key.command}", language)] for key in KEYS]
    launcher = [[keys, words.text(word, language)] for keys, word in Launcher.shortcuts]
    assert rows(PLAYER / language / "table.md", head) == table
    assert rows(PLAYER / language / "launcher.md", head) == launcher


@pytest.mark.parametrize("page", [page for folder in GAMES for page in sorted(folder.glob("rules.*.md"))], ids=name)
def test_rules_pages_name_every_option(page: Path) -> None:
    told = code(page)
    wanted = set()
    for game in catalogue.read_manifest(page.parent).games:
        for option in game.options:
            wanted |= {option.id, *option.choices}
    assert wanted - told == set()


@pytest.fixture(scope="module")
def xiangqi() -> Opened:
    return Host(places.built_in()).open("xiangqi")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_notations_shown_are_one_move_each(xiangqi: Opened, language: str) -> None:
    rules = xiangqi.rules()
    position, shown = rules.initial(Random(0)), 0
    for line in text(ROOT / "plugins" / "xiangqi" / f"rules.{language}.md").splitlines():
        texts = re.findall("`([^`]+)`", line)
        for fen in (text for text in texts if text.count("/") == 9):
            position = rules.read(fen)
        if line.startswith("- ") and "` = `" in line:
            assert len({rules.parse(position, text) for text in texts}) == 1, line
            exact = {rules.say(position, rules.parse(position, texts[0]), style) for style in rules.styles}
            assert len(exact & set(texts)) >= 3, f"{line}: the program writes {exact}"
            shown += 1
    assert shown >= 6


# -- commands ----------------------------------------------------------------------------------------------------
def test_commands_told_are_there() -> None:
    import bootstrap

    for page in PAGES:
        for verb in re.findall(r"tools/run (\w+)", text(page)):
            assert verb in bootstrap.VERBS, f"{name(page)}: tools/run {verb}"
        for word in re.findall(r"(?:run |`|^)qipan ([a-z]+)\b", text(page), re.MULTILINE):
            assert word in COMMANDS, f"{name(page)}: qipan {word}"
    for language in ("en", "zh"):
        told = {words[1] for cell in code(PLAYER / language / "commands.md") if (words := [*cell.split(), ""])[1]}
        assert set(COMMANDS) <= told
    first = text(ROOT / "README.md")[:400]
    assert "./tools/run play" in first
    assert "./tools/run test" in first


def test_the_command_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QIPAN_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(GAME, "utf-8")
    ran = 0
    for line in blocks(PLAYER / "en" / "commands.md", "sh")[0].body.splitlines():
        given, _, command = line.rpartition(" | ")
        words = shlex.split(command)
        if words[1] == "play":
            continue  # it opens a window
        request = given.removeprefix("echo ").strip("'").encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(request)))
        assert words[0] == "qipan"
        assert (main(words[1:]), capsys.readouterr().err) == (0, ""), line
        ran += 1
    assert ran >= 5
    assert (tmp_path / "one.png").stat().st_size > 10_000


# -- the author's pages ------------------------------------------------------------------------------------------
SAMPLES = [(page, block) for page in PAGES for block in blocks(page, "python", "test") if len(block.words) == 2]


@pytest.mark.parametrize(("page", "block"), SAMPLES, ids=[f"{name(page)}:{block.line}" for page, block in SAMPLES])
def test_samples_run(page: Path, block: Block) -> None:
    assert "assert " in block.body
    exec(compile("\n" * (block.line - 1) + block.body, str(page), "exec"), {"__name__": "sample"})


@pytest.fixture(scope="module")
def tutorial(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """The game of the tutorial, its files as the page has them."""
    folder = tmp_path_factory.mktemp("plugins") / "noughts"
    folder.mkdir()
    files = [block for block in blocks(AUTHOR / "plugin.md") if block.words[1:2] == ("test",) and len(block.words) == 3]
    assert {block.words[2] for block in files} == {"plugin.toml", "words.toml", "__init__.py"}
    for block in files:
        (folder / block.words[2]).write_text(block.body, "utf-8")
    (opened,) = open_plugin(folder)
    return opened


def test_the_tutorial_makes_a_game_that_keeps_the_laws(tutorial: Opened) -> None:
    report = check(tutorial, games=6)
    assert report.plies >= 6 * 5
    rules = tutorial.rules()
    line = [rules.initial(Random(0))]
    for move in ("a3", "a1", "b3", "b1", "c3"):
        line.append(rules.apply(line[-1], rules.parse(line[-1], move)).position)
    outcome = rules.outcome(line[-1])
    assert outcome is not None
    assert tutorial.sentence(outcome.reason) == "Cross has three in a row"
    loss = tutorial.rules({"misere": True}).outcome(line[-1])
    assert loss is not None
    assert loss.winners == (1,)
    (position,) = blocks(AUTHOR / "formats.md", "text", "test", "position")
    assert rules.write(rules.read(position.body.strip())) == position.body.strip()


def test_the_game_file_shown_is_read_and_written_so(xiangqi: Opened) -> None:
    (block,) = blocks(AUTHOR / "formats.md", "json", "test", "qipan")
    saved = record.decode(block.body.encode())
    assert record.encode(saved).decode() == block.body
    session = record.open_session(saved, xiangqi.info, xiangqi.rules(), rng=Random(0), now=lambda: 0.0)
    assert (session.tip.ply, session.offer, session.tip.comment) == (3, 0, "quick")
    assert [child.played for child in session.root.children[0].children] == [True, False]


def test_the_rules_service_answers_as_shown(xiangqi: Opened) -> None:
    (block,) = blocks(AUTHOR / "formats.md", "text", "test", "rules")
    service, lines = Service(xiangqi), block.body.splitlines()
    assert len(lines) >= 10
    for asked, answered in zip(lines[::2], lines[1::2], strict=True):
        assert (asked[:2], answered[:2]) == ("> ", "< ")
        assert json.loads(service.answer(asked[2:].encode())) == json.loads(answered[2:])


def test_every_hook_method_and_key_is_told() -> None:
    told = text(AUTHOR / "plugin.md")
    hooks = [hook for hook in vars(hookspecs) if getattr(getattr(hookspecs, hook), "qipan_spec", None) is not None]
    assert len(hooks) >= 3
    wanted = [f"- `{hook}()`" for hook in hooks]
    assert [hook for hook in wanted if hook not in told] == []
    methods = [method for method in vars(Ruleset) if not method.startswith("_") and callable(getattr(Ruleset, method))]
    assert [method for method in methods if not re.search(rf"`{method}\b", told)] == []
    shapes = (catalogue.Manifest, catalogue.GameInfo, catalogue.OptionSpec, catalogue.PieceLook, catalogue.Thumbnail)
    fields = {field for shape in shapes for field in shape.__struct_fields__} - {"folder"}
    assert [field for field in sorted(fields) if not re.search(rf"[`.\[]{field}[`\]]", told)] == []


def test_every_key_of_a_theme_is_told() -> None:
    told = text(AUTHOR / "theme.md")
    shapes = (theme.Theme, theme.Table, theme.Slab, theme.Ink, theme.LineLook, theme.Tone)
    fields = {field for shape in shapes for field in shape.__struct_fields__} - {"folder"}
    assert [field for field in sorted(fields) if not re.search(rf"[`\[]{field}[`\].]", told)] == []


def test_the_laws_and_rings_told_are_those_there_are() -> None:
    page = AUTHOR / "design.md"
    known = {law: holds.__doc__ for law, holds in (*laws.MOMENT_LAWS.items(), *laws.GAME_LAWS.items())}
    section = text(page).split("## The laws\n")[1].split("\n## ")[0]
    told = dict(re.findall(r"^- `([\w-]+)`: (.+)$", section, re.MULTILINE))
    assert told.pop(laws.PLAYS)
    assert told == known
    assert [[ring, re.findall(r"\w+", names)] for ring, names in rows(page, "| ring | modules |")] == [
        [str(ring), names.split()] for ring, names in RINGS.items()
    ]
    assert text(page).count("\n") <= 220
