"""Themes: classic holds every bar; a broken, greedy or straying theme is named and refused."""

from __future__ import annotations

import shutil
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

import qipan.themes
from qipan import theme
from qipan.pictures import read_path, read_pictures
from qipan.values import Fault

CLASSIC = next(Path(folder) / "classic" for folder in qipan.themes.__path__ if (Path(folder) / "classic").is_dir())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of classic to spoil."""
    return Path(shutil.copytree(CLASSIC, tmp_path / "themes" / "mine"))


def spoil(folder: Path, old: str, new: str) -> None:
    file = folder / "theme.toml"
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def with_image(folder: Path, name: str) -> None:
    file = folder / "theme.toml"
    file.write_text(file.read_text("utf-8") + f'\n[images]\nred_horse = "{name}"\n', "utf-8")


def test_classic_passes_every_bar() -> None:
    classic = theme.load(CLASSIC)
    assert (classic.id, classic.name.en) == ("classic", "Classic")
    assert theme.contrast_faults(classic, ("red", "black")) == []
    assert theme.contrast_faults(classic, ("white", "black")) == []


def test_contrast_faults_are_named(folder: Path) -> None:
    spoil(folder, 'glyph = "#AE1F18"', 'glyph = "#EFE3C6"')
    spoil(folder, 'target = "#1F6B52"', 'target = "#E6D8B5"')
    faults = theme.contrast_faults(theme.load(folder))
    assert any(fault.startswith("seats.red: glyph on face") for fault in faults)
    assert any(fault.startswith("ink.target on the board: contrast 1.") for fault in faults)


def test_seats_too_alike_are_named(folder: Path) -> None:
    faults = theme.contrast_faults(theme.load(folder), ("blue", "teal"))
    assert faults == [faults[0]]
    assert "blue" in faults[0]
    assert "teal" in faults[0]


def test_contrast_of_black_and_white() -> None:
    assert theme.contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert theme.contrast("#767676", "#FFFFFF") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("seats", [("red", "black"), ("white", "black"), ("north", "east", "south", "west"), "abcdef"])
def test_every_seat_has_a_tone_of_its_own(seats: tuple[str, ...]) -> None:
    tones = theme.load(CLASSIC).tones(seats)
    assert set(tones) == {*seats, "nobody"}
    assert len({tone.face for tone in tones.values()}) == len(seats) + 1


def test_unknown_line_kinds_fall_back() -> None:
    classic = theme.load(CLASSIC)
    assert classic.line("moat") == classic.line("line")
    assert classic.line("rail") != classic.line("line")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('colour = "#B4BFC4"', 'colour = "blue"', "table.colour"),
        ('colour = "#B4BFC4"', 'colour = "#B4BFC4"\nsparkle = true', "sparkle"),
        ("width = 0.026", "width = 9.0", "lines"),
        ('texture = "paper"', 'texture = "lava"', "board.texture"),
        ('id = "classic"', 'id = "../up"', "id"),
        ('"violet"]', '"plaid"]', "plaid"),
        ("[seats.nobody]", "[seats.somebody]", "nobody"),
        ("[table]", "[table", "line"),
    ],
)
def test_a_wrong_theme_is_refused_by_place(folder: Path, old: str, new: str, named: str) -> None:
    spoil(folder, old, new)
    with pytest.raises(Fault, match=r"theme\.toml") as fault:
        theme.load(folder)
    assert named in str(fault.value)


@pytest.mark.parametrize("colour", ["blue", "#FFF", "#B4BFC4FF", "B4BFC4", "#B4BFCG"])
def test_a_wrong_colour_is_told_how_to_be_written(folder: Path, colour: str) -> None:
    spoil(folder, 'colour = "#B4BFC4"', f'colour = "{colour}"')
    with pytest.raises(Fault) as fault:
        theme.load(folder)
    assert str(fault.value) == "theme.toml: table.colour: a colour is written #RRGGBB"


def test_a_huge_theme_file_is_refused(folder: Path) -> None:
    (folder / "theme.toml").write_bytes(b"#" * (theme.TOML_LIMIT + 1))
    with pytest.raises(Fault, match="larger than"):
        theme.load(folder)


def test_bytes_that_are_no_text_are_refused(folder: Path) -> None:
    (folder / "theme.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Fault, match=r"theme\.toml"):
        theme.load(folder)


def test_find_lists_the_broken_beside_the_good(folder: Path, tmp_path: Path) -> None:
    spoil(folder, "width = 0.026", 'width = "wide"')
    found = theme.find([tmp_path / "themes", CLASSIC.parent, tmp_path / "missing"])
    assert isinstance(found["mine"], Fault)
    assert isinstance(found["classic"], theme.Theme)


# -- files of a theme --------------------------------------------------------------------------------------------
def test_images_come_at_two_sizes(folder: Path) -> None:
    Image.new("RGBA", (50, 50), "red").save(folder / "h.png")
    with_image(folder, "h.png")
    assert theme.load(folder).image("red_horse", sharp=True) == folder / "h.png"
    Image.new("RGBA", (100, 100), "red").save(folder / "h@2x.png")
    mine = theme.load(folder)
    assert mine.image("red_horse") == folder / "h.png"
    assert mine.image("red_horse", sharp=True) == folder / "h@2x.png"
    assert mine.image("black_horse") is None


@pytest.mark.parametrize("name", ["../h.png", "/tmp/h.png", "sub/h.png", "h.svg", "..", "C:h.png", "missing.png"])
def test_an_image_elsewhere_is_refused(folder: Path, name: str) -> None:
    Image.new("RGBA", (5, 5)).save(folder.parent / "h.png")
    with_image(folder, name)
    with pytest.raises(Fault, match=r"images\.red_horse"):
        theme.load(folder)


def test_a_link_that_leads_out_is_refused(folder: Path, tmp_path: Path) -> None:
    Image.new("RGBA", (5, 5)).save(tmp_path / "secret.png")
    (folder / "h.png").symlink_to(tmp_path / "secret.png")
    with_image(folder, "h.png")
    with pytest.raises(Fault, match="leads out"):
        theme.load(folder)


def test_a_decompression_bomb_is_refused_unread(folder: Path) -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 6, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100_000)) + chunk(b"IEND", b"")
    (folder / "h.png").write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    with_image(folder, "h.png")
    with pytest.raises(Fault, match=r"images\.red_horse"):
        theme.load(folder)


def test_large_or_foreign_images_are_refused(folder: Path) -> None:
    with_image(folder, "h.png")
    Image.new("L", (theme.PIXEL_LIMIT + 1, 4)).save(folder / "h.png")
    with pytest.raises(Fault, match="pixels"):
        theme.load(folder)
    Image.new("RGB", (4, 4)).save(folder / "h.png", format="GIF")
    with pytest.raises(Fault, match="not a PNG"):
        theme.load(folder)
    Image.effect_noise((64, 64), 50).save(folder / "h.png")
    (folder / "h.png").write_bytes((folder / "h.png").read_bytes()[:900])  # cut short
    with pytest.raises(Fault, match="not a PNG"):
        theme.load(folder)
    (folder / "h.png").write_bytes(b"\0" * (theme.FILE_LIMIT + 1))
    with pytest.raises(Fault, match="at most"):
        theme.load(folder)


@pytest.mark.parametrize("data", [b"", b"no font", b"\x00\x01\x00\x00" + b"\xff" * 400])
def test_a_font_that_is_none_is_named(folder: Path, data: bytes) -> None:
    spoil(folder, 'id = "classic"', 'id = "classic"\nfont = "x.ttf"')
    (folder / "x.ttf").write_bytes(data)
    with pytest.raises(Fault, match=r"theme\.toml: font: 'x\.ttf' is not a font"):
        theme.load(folder)


def test_a_font_is_a_plain_file_beside_it(folder: Path) -> None:
    spoil(folder, 'id = "classic"', 'id = "classic"\nfont = "/usr/share/fonts/x.ttf"')
    with pytest.raises(Fault, match="font"):
        theme.load(folder)


# -- pictograms --------------------------------------------------------------------------------------------------
def test_a_path_of_curves_and_holes() -> None:
    picture = read_path("M2 2 L22 2 L22 22 L2 22 Z M8 12 Q12 4 16 12 C16 18 8 18 8 12 Z")
    assert len(picture.outlines) == 2
    assert picture.outlines[0] == ((2, 2), (22, 2), (22, 22), (2, 22))
    assert picture.outlines[1][-1] == pytest.approx((8, 12))
    assert min(y for _, y in picture.outlines[1]) == pytest.approx(8)


@pytest.mark.parametrize(
    "text", ["M1 1 L2", "L1 1 L2 2 L3 3", "M1 1 H4 L2 2", "M0 0 L1 1", "M1 1 L99999 1 L2 2", "x", "M- 1"]
)
def test_a_wrong_path_is_refused(text: str) -> None:
    with pytest.raises(Fault):
        read_path(text)


def test_a_wrong_picture_is_named(tmp_path: Path) -> None:
    file = tmp_path / "pictures.toml"
    assert read_pictures(file) == {}
    file.write_text('[horse]\npath = "M1 1 L2 2 L3"\n')
    with pytest.raises(Fault, match="horse"):
        read_pictures(file)
    file.write_text('[horse]\npath = "M1 1 L2 2 L3 1 Z"\nrun = "rm"\n')
    with pytest.raises(Fault, match="run"):
        read_pictures(file)
