"""Finds an installed font with Chinese characters at run time, a serif bold first; nothing is scanned on import."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

_PROBE = "帅兵炮車馬"
_INDEXES = 16  # fonts looked at in one collection

# File names in order of preference, in lower case; Windows and macOS names beside those of Linux packages.
_SERIF = (
    r"(noto|source ?han) ?serif(cjk)?(sc|cn)?-?bold",
    r"(noto|source ?han) ?serif(cjk)?(sc|cn)?-?(black|heavy)",
    r"(noto|source ?han) ?serif(cjk)?(sc|cn)?-?(semibold|medium)",
    r"(noto|source ?han) ?serif(cjk|sc|cn)",
    r"songti|stsong|stzhongs",
    r"simsun\.|nsimsun|simkai|kaiti",
    r"uming|ukai|mingliu",
)
_SANS = (
    r"(noto|source ?han) ?sans(cjk)?(sc|cn)?-?regular",
    r"(noto|source ?han) ?sans(cjk|sc|cn)",
    r"msyh\.|pingfang|hiragino ?sans ?gb|stheiti",
    r"wqy|droidsansfallback|simhei|deng\.",
)
_STYLES = ("Bold", "Black", "Heavy", "SemiBold", "Regular")


@dataclass(frozen=True)
class FoundFont:
    """An installed font: its file, its number in a collection, its family."""

    path: Path
    index: int
    family: str
    serif: bool
    _sizes: dict[int, ImageFont.FreeTypeFont] = field(default_factory=dict, compare=False, repr=False)
    _known: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)

    def at(self, size: int) -> ImageFont.FreeTypeFont:
        """The font at a size in pixels."""
        font = self._sizes.get(size)
        if font is None:
            font = self._sizes[size] = _open(self.path, size, self.index)
            if re.search(r"-vf\b|variable|\[wght", self.path.name.lower()):
                # one file of all weights opens at its thinnest
                font.set_variation_by_axes([700 if self.serif else 400])
        return font

    def has(self, text: str) -> bool:
        """True when the font draws every character of a text."""
        return all(self._has(char) for char in text)

    def _has(self, char: str) -> bool:
        if char not in self._known:
            font = self.at(32)
            blank, shape = font.getmask("\U0010fffe"), font.getmask(char)
            self._known[char] = bool(shape.getbbox()) and (shape.size != blank.size or bytes(shape) != bytes(blank))
        return self._known[char]


@lru_cache(maxsize=8)
def find_piece_font(extra: Path | None = None, *, serif: bool = True) -> FoundFont | None:
    """The best installed font for Chinese characters, or None; looked for once a process. ``extra`` (a theme's own)
    comes first if it can be read.

    ``serif``: False looks for a plain sans first, for numerals and labels.
    """
    if extra is not None and (own := _best(extra, serif)):
        return own
    files = list(_installed())
    for wanted, is_serif in ((_SERIF, True), (_SANS, False)) if serif else ((_SANS, False), (_SERIF, True)):
        for pattern in wanted:
            for file in files:
                if re.search(pattern, file.name.lower()) and (found := _best(file, is_serif)):
                    return found
    for file in _listed():
        if found := _best(file, serif):
            return found
    return None


def package_hint() -> str:
    """The name of the package that brings the characters, on this system."""
    match platform.system():
        case "Windows":
            return "Chinese (Simplified) Supplemental Fonts"
        case "Darwin":
            return "font-noto-serif-cjk-sc"
    for tool, package in (("dnf", "google-noto-serif-cjk-vf-fonts"), ("pacman", "noto-fonts-cjk")):
        if any((Path(folder) / tool).exists() for folder in ("/usr/bin", "/bin")):
            return package
    return "fonts-noto-cjk"


def _folders() -> tuple[Path, ...]:
    home = Path.home()
    match platform.system():
        case "Windows":
            local = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local"))
            return Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts", local / "Microsoft/Windows/Fonts"
        case "Darwin":
            return home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")
    data = Path(os.environ.get("XDG_DATA_HOME", home / ".local/share"))
    return data / "fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts")


def _installed() -> Iterator[Path]:
    for folder in _folders():
        for place, _, names in os.walk(folder):
            for name in sorted(names):
                if name.lower().endswith((".ttf", ".otf", ".ttc")):
                    yield Path(place) / name


def _listed() -> Iterator[Path]:
    """What fontconfig knows of Chinese fonts, for systems that keep them elsewhere."""
    try:
        told = subprocess.run(
            ["fc-list", ":lang=zh", "file"], capture_output=True, text=True, timeout=10, check=False
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return
    for line in sorted(told.splitlines()):
        yield Path(line.strip().rstrip(":"))


def _open(file: Path, size: int, index: int) -> ImageFont.FreeTypeFont:
    # not ImageFont.truetype: it would take another file of the same name where this one can't be read
    return ImageFont.FreeTypeFont(str(file), size, index, layout_engine=ImageFont.Layout.BASIC)


def _best(file: Path, serif: bool) -> FoundFont | None:
    """The simplified Chinese face of a file, the boldest of a serif, or None if it has no such characters."""
    faces: list[tuple[tuple[bool, int, int], str]] = []
    for index in range(_INDEXES):
        try:
            family, style = _open(file, 16, index).getname()
        except (OSError, ValueError):
            break
        rank = next((n for n, name in enumerate(_STYLES) if name == style), len(_STYLES)) if serif else 0
        simplified = "SC" in (family or "").split() or "SimSun" in (family or "")
        faces.append(((not simplified or "Mono" in (family or ""), rank, index), family or file.stem))
    for (_, _, index), family in sorted(faces):
        found = FoundFont(file, index, family, serif)
        if found.has(_PROBE):
            return found
    return None
