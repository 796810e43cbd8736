"""TOML files: what is read has the declared content; all else is a fault that names the file, and soon."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from qipan.toml_file import read_toml
from qipan.values import Fault

MOST = 1 << 18


def test_a_good_file_is_its_content(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('a.b."c d" = 1.5\n[x.y]\nz = "..........................................."\n', "utf-8")
    assert read_toml(file, MOST, dict[str, object]) == {
        "a": {"b": {"c d": 1.5}}, "x": {"y": {"z": "..........................................."}},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"a = ", "end of document"),
        (b"a = 1\na = 2\nb = 3", "line 2"),
        (b"\xff = 1", "utf-8"),
        (b"a = 'text'", "Expected `float`"),
        (b"a = nan", "nan is no finite number"),
        (b"a = -inf", "-inf is no finite number"),
        (b"a = 1e999", "1e999 is no finite number"),
        (b"a = " + b"[" * 5000, ""),
        (b"#" * (MOST + 1), f"larger than {MOST} bytes"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, data: bytes, why: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(data)
    with pytest.raises(Fault, match=r"^bad\.toml: .") as found:
        read_toml(file, MOST, dict[str, float])
    assert why in str(found.value)


@pytest.mark.parametrize("part", ["a.", 'a . "b.c" .', "'x y'\t."])
def test_a_key_of_countless_parts_is_refused_at_once(tmp_path: Path, part: str) -> None:
    file = tmp_path / "deep.toml"
    for before in ("", "[", "x = { "):
        file.write_text(before + part * ((MOST - 100) // len(part)) + "z = 1\n", "utf-8")
        begun = time.process_time()
        with pytest.raises(Fault, match=r"deep\.toml: .*a key of more than 16 parts"):
            read_toml(file, MOST, dict[str, object])
        assert time.process_time() - begun < 1


@pytest.mark.parametrize("text", ["a" * 250_000, "'" * 250_000, "a." * 15 + "a " * 100_000, " " * 250_000])
def test_the_search_for_such_keys_is_quick(tmp_path: Path, text: str) -> None:
    file = tmp_path / "long.toml"
    file.write_text(f"#{text}\n", "utf-8")
    begun = time.process_time()
    assert read_toml(file, MOST, dict[str, object]) == {}
    assert time.process_time() - begun < 1


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    for name, why in (("pipe.toml", "no plain file"), ("none.toml", "No such file")):
        with pytest.raises(Fault, match=f"{name}: {why}"):
            read_toml(tmp_path / name, MOST, dict[str, object])
