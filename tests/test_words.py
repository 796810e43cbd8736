"""Two languages: every sentence is there in English and Chinese, with the same places, and every key used has one."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from qipan.words import LANGUAGES, Words

ROOT = Path(__file__).resolve().parents[1]
PLATFORM = ROOT / "platform" / "qipan"
TK = PLATFORM / "tk"

FILES = [PLATFORM / "words.toml", *sorted(TK.glob("words/*.toml")), *sorted((ROOT / "plugins").glob("*/words.toml"))]
MANIFESTS = [*sorted((ROOT / "plugins").glob("*/plugin.toml")), *sorted((ROOT / "themes").glob("*/theme.toml"))]
# Sentences that are rightly the same in both languages: names, signs and numbers.
SAME = {"English", "简体中文", "UCI", "ICCS", "FEN", "PGN", "Qipan", "50", "60", "10+5"}
WINDOW_WORDS = Words.load(PLATFORM / "words.toml", *sorted(TK.glob("words/*.toml")))


def places(sentence: str) -> set[str]:
    """The names of the places that are filled in."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_sentence_is_in_both_languages(file: Path) -> None:
    table = Words.load(file).table
    assert table
    for key, sentences in table.items():
        assert set(sentences) == set(LANGUAGES), key
        english, chinese = sentences["en"], sentences["zh"]
        assert english.strip(), key
        assert chinese.strip(), key
        bare = re.sub(r"\{\w*\}|[^\w]", "", english, flags=re.ASCII)
        assert english != chinese or english in SAME or not bare, f"{key}: {english!r} is not translated"
        if english == key:  # a fault: what a decoder or Python says in English is left out
            assert places(chinese) <= places(english), key
        else:
            assert places(english) == places(chinese), key


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("{1} takes {0}", "b takes a"),
        ("{0} and {2}", "a and {2}"),  # a file may tell less than a sentence has places for
        ("{0.__class__} {0:>999999999} {} {x} {", "{0.__class__} {0:>999999999} {} {x} {"),
    ],
)
def test_a_place_is_filled_or_left_and_nothing_else_is_done(sentence: str, told: str) -> None:
    words = Words({"key": {"en": sentence, "zh": sentence}})
    assert words.text("key", "en", "a", "b") == told


def test_no_key_of_the_windows_has_two_homes() -> None:
    homes: dict[str, list[str]] = {}
    for file in [PLATFORM / "words.toml", *sorted(TK.glob("words/*.toml"))]:
        for key in Words.load(file).table:
            homes.setdefault(key, []).append(file.name)
    assert {key: names for key, names in homes.items() if len(names) > 1} == {}


@pytest.mark.parametrize("file", MANIFESTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_manifests_name_things_in_both_languages(file: Path) -> None:
    def texts(data: object) -> Iterator[dict[str, str]]:
        if isinstance(data, dict):
            for key, value in data.items():
                if key in ("name", "blurb"):
                    yield value
                else:
                    yield from texts(value)
        elif isinstance(data, list):
            for item in data:
                yield from texts(item)

    found = list(texts(tomllib.loads(file.read_text("utf-8"))))
    assert found
    for text in found:
        assert set(text) == set(LANGUAGES)
        assert text["en"].strip()
        assert text["zh"].strip()
        assert text["en"] != text["zh"]


CALLS = {"t": 0, "texts": 1, "label": 2, "button": 2, "switch": 2}  # the place of the key among a call's arguments
NAMED = {"key", "tip"}


def keys_said(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The keys written down in calls that take one, with their lines."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        place = CALLS.get(name)
        if place is None:
            continue
        given = [node.args[place]] if len(node.args) > place else []
        given += [word.value for word in node.keywords if word.arg in NAMED]
        for value in given:
            for part in ast.walk(value):
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value:
                    yield part.lineno, part.value


def dotted(tree: ast.AST, heads: set[str]) -> Iterator[tuple[int, str]]:
    """The texts anywhere in the code that look like a key of the windows: a known head, a dot, and more."""
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in inside:
            continue
        if re.fullmatch(r"[a-z]+(\.[a-z0-9_-]+)+", node.value) and node.value.split(".")[0] in heads:
            yield node.lineno, node.value


def unsaid(tree: ast.AST, words: Words) -> list[tuple[int, str]]:
    """The keys in the code that have no sentence. A part of a made-up key ("mode.") is the start or end of some key."""
    heads = {key.split(".")[0] for key in words.table if "." in key}
    found = [(line, key) for line, key in dotted(tree, heads) if key not in words]
    for line, key in keys_said(tree):
        part = key.endswith(".") and any(known.startswith(key) for known in words.table)
        part = part or (key.startswith(".") and any(known.endswith(key) for known in words.table))
        if key not in words and not part:
            found.append((line, key))
    return sorted(set(found))


@pytest.mark.parametrize("file", sorted(TK.glob("*.py")), ids=lambda file: file.name)
def test_every_key_a_window_uses_has_its_sentence(file: Path) -> None:
    assert unsaid(ast.parse(file.read_text("utf-8")), WINDOW_WORDS) == []


def test_a_planted_key_is_found() -> None:
    words = Words({"table.won": {"en": "a", "zh": "b"}, "back": {"en": "a", "zh": "b"}})
    code = 'app.t("back")\napp.t("bakc")\nx = "table.lost"\nlabel(app, parent, "nope")\nt(f"table.{x}")\n'
    assert unsaid(ast.parse(code), words) == [(2, "bakc"), (3, "table.lost"), (4, "nope")]
