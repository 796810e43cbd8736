"""The rules for players as data: blocks, joined and broken lines, bounds, and no way out of the folder."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from qipan import pages
from qipan.pages import Block, Run

ROOT = Path(__file__).parents[1]


def width(run: Run) -> int:
    """Ten a Chinese character, five a letter, six a letter of code."""
    return sum(10 if ord(char) > 0x2E80 else 6 if run.code else 5 for char in run.text)


def broken(text: str, room: int) -> list[str]:
    (block,) = pages.parse(text)
    return ["".join(run.text for run in line) for line in pages.lines(block.runs, room, width)]


def test_headings_paragraphs_lists_and_code() -> None:
    text = "# A game\n\nTwo lines\nmake one.\n- an item\n  that goes on\n  - `deep` in\n1. first\n## More\n#none\n"
    assert pages.parse(text) == (
        Block("heading", (Run("A game"),), 1),
        Block("text", (Run("Two lines make one."),)),
        Block("item", (Run("an item that goes on"),), 1, "•"),
        Block("item", (Run("deep", True), Run(" in")), 2, "•"),
        Block("item", (Run("first"),), 1, "1."),
        Block("heading", (Run("More"),), 2),
        Block("text", (Run("#none"),)),
    )


def test_a_link_is_its_text_and_signs_that_mean_nothing_stand() -> None:
    (block,) = pages.parse("See [the rules](rules.zh.md), `[a](b)` and `half\x07\u202e <b>")
    assert block.runs == (Run("See the rules, "), Run("[a](b)", True), Run(" and `half <b>"))


@pytest.mark.parametrize(
    ("lines", "one"),
    [(["a", "b"], "a b"), (["走完", "之后"], "走完之后"), (["走", "60 步"], "走 60 步"),
     (["ICCS；", "use"], "ICCS；use"), (["a", "（b"], "a（b")],
)  # fmt: skip
def test_lines_are_joined_as_the_script_asks(lines: list[str], one: str) -> None:
    assert pages.joined(lines) == one
    assert pages.parse("\n".join(lines)) == (Block("text", (Run(one),)),)


def test_lines_break_at_spaces_and_between_characters() -> None:
    assert broken("one two three", 35) == ["one two", "three"]
    assert broken("一二三四五六", 30) == ["一二三", "四五六"]
    assert broken("一二三。四五", 30) == ["一二", "三。四", "五"]
    assert broken("一二（三四）", 30) == ["一二", "（三", "四）"]
    assert broken("可改为 50 步", 40) == ["可改为", "50 步"]
    assert broken("用 `draw_moves` 可改", 70) == ["用", "draw_moves", "可改"]
    assert broken("abcdefgh", 15) == ["abc", "def", "gh"]
    assert broken("`x y z`", 18) == ["x y", "z"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("room", [60, 200, 580])
def test_every_page_is_shown_whole(language: str, room: int) -> None:
    file = ROOT / "plugins" / "xiangqi" / f"rules.{language}.md"
    for block in pages.read(file):
        lines = pages.lines(block.runs, room, width)
        for line in lines:
            assert sum(map(width, line)) <= room
        told = re.sub(" ", "", "".join(run.text for line in lines for run in line))
        assert told == re.sub(" ", "", "".join(run.text for run in block.runs))


def test_both_languages_have_the_same_blocks() -> None:
    english, chinese = (pages.read(ROOT / "plugins" / "xiangqi" / f"rules.{tongue}.md") for tongue in ("en", "zh"))
    assert [block[:1] + block[2:] for block in english] == [block[:1] + block[2:] for block in chinese]
    assert len(english) > 50


def test_pages_are_found_in_their_folder_alone(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    assert pages.find(folder, "en") is None
    (tmp_path / "secret.md").write_text("# secret", "utf-8")
    (folder / "rules.en.md").symlink_to(tmp_path / "secret.md")
    assert pages.find(folder, "en") is None
    (folder / "rules.zh.md").write_text("\ufeff# 规则", "utf-8")
    assert pages.find(folder, "en") == folder / "rules.zh.md"
    assert pages.read(folder / "rules.zh.md") == (Block("heading", (Run("规则"),), 1),)


@pytest.mark.parametrize("data", [b"\xff\xfe#", b"x" * (200 << 10)])
def test_what_is_no_page_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "rules.en.md").write_bytes(data)
    with pytest.raises(ValueError, match=r"larger|decode"):
        pages.read(tmp_path / "rules.en.md")


@pytest.mark.parametrize("part", ["[", "[a](", "`", "# ", "- ", "a ", "一", "a\n", "x"])
def test_a_hostile_page_is_read_in_bounded_time(part: str) -> None:
    began = time.process_time()
    for block in pages.parse(part * (100_000 // len(part))):
        pages.lines(block.runs, 500, width)
    assert time.process_time() - began < 5
