"""What lies in the gallery: a card for each game or broken plugin, a row for each unfinished game or recent file."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import ttk
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageTk

from qipan.tk.elements import Box, rounded
from qipan.tk.launcher.thumbs import Pictures, Shot
from qipan.tk.pad import Pad
from qipan.tk.tokens import Tokens
from qipan.tk.widgets import button

if TYPE_CHECKING:
    from qipan.catalogue import GameInfo
    from qipan.host import Plugin
    from qipan.journal import Unfinished
    from qipan.tk.app import App

RIM = 4  # around a card, for the ring of the keyboard's focus
PICTURE = (220, 132)
FOOT = 54
ROW = (76, 85)  # an unfinished game: its height and its picture's width


def hatch(tokens: Tokens, width: int, height: int, scale: float) -> Image.Image:
    """The soft-red stripes of something broken."""
    over = 2
    image = Image.new("RGB", (width * over, height * over), tokens.red_soft)
    draw = ImageDraw.Draw(image)
    step = 22 * scale * over
    stripe = tuple(round(a + (b - a) * 0.13) for a, b in zip(_rgb(tokens.red_soft), _rgb(tokens.red), strict=True))
    for number in range(-2, int((width + height) * over / step) + 2):
        x = number * step
        draw.line((x, -9, x - height * over - 9, height * over), fill=stripe, width=round(step / 2 * 0.71))
    return image.reduce(over)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[n : n + 2], 16) for n in (1, 3, 5))


class Tile(Pad):
    """A card: a picture above, a name and another text beside it, one line below."""

    def __init__(self, app: App, parent: tk.Misc, command: Callable[[], object]) -> None:
        super().__init__(app, parent, 1, 1, command, ground="bg")
        self._photo: ImageTk.PhotoImage | None = None

    def paint(self, width: int, height: int) -> None:
        """Box, picture, texts."""
        style, px = self.app.style, self.app.style.px
        rim = px(RIM)
        inside = (width - 2 * rim, height - 2 * rim)
        if inside[0] < px(40) or inside[1] < px(40):
            return
        if self.focused:
            self.create_image(0, 0, image=style.box(width, height, 12, Box(line="accent", width=2)), anchor="nw")
        edge = 3 if self.chosen else 1
        fill = "raised+6" if self.hover and not self.chosen else "raised"
        box = Box(fill, "accent" if self.chosen else "line", edge)
        self.create_image(rim, rim, image=style.box(*inside, 10, box), anchor="nw")
        top = height - 2 * rim - px(FOOT)
        self._picture(rim + px(edge), inside[0] - 2 * px(edge), top - px(edge), 10 - edge)
        self._texts(rim + px(13), rim + top, inside[0] - px(26))

    def _texts(self, x: int, y: int, room: int) -> None:
        style, px = self.app.style, self.app.style.px
        name, other, line, tone = self.texts()
        name = style.fit(name, room, 15, True)
        self.create_text(x, y + px(18), text=name, anchor="w", fill=style.ink, font=style.font(15, True))
        used = style.measure(name, 15, True) + px(8)
        if other and room - used > px(24):
            other = style.fit(other, room - used, 14)
            self.create_text(x + used, y + px(18), text=other, anchor="w", fill=style.ink3, font=style.font(14))
        line = style.fit(line, room, 12)
        self.create_text(x, y + px(38), text=line, anchor="w", fill=style.tokens.colour(tone), font=style.font(12))

    def texts(self) -> tuple[str, str, str, str]:
        """The name, the text beside it, the line below, and the token of that line's colour."""
        raise NotImplementedError

    def _picture(self, at: int, width: int, height: int, radius: float) -> None:
        raise NotImplementedError


class GameCard(Tile):
    """An installed game with a crop of its board."""

    def __init__(
        self, app: App, parent: tk.Misc, info: GameInfo, tags: Callable[[GameInfo], str], pictures: Pictures,
        command: Callable[[], object],
    ) -> None:  # fmt: skip
        super().__init__(app, parent, command)
        self.game, self._tags, self._pictures = info, tags, pictures
        self._image: Image.Image | None = None
        self._shot: Shot | None = None

    def texts(self) -> tuple[str, str, str, str]:
        """The game in both scripts, and its tags."""
        language = self.app.language
        other = self.game.name.text("en" if language == "zh" else "zh")
        return self.game.name.text(language), other, self._tags(self.game), "ink2"

    def _picture(self, at: int, width: int, height: int, radius: float) -> None:
        style = self.app.style
        shot = Shot(self.game.id, self.app.settings.theme, width, height)
        if self._shot is None or shot[1:] != self._shot[1:]:
            self._shot, self._image = shot, self._image if self._fits(shot) else None
            self._pictures.ask(shot, lambda image: self._arrived(shot, image))
        image = self._image or Image.new("RGB", (width, height), style.bg)
        self._photo = ImageTk.PhotoImage(rounded(image, radius * style.scale, corners="top"), master=self)
        self.create_image(at, at, image=self._photo, anchor="nw")

    def _fits(self, shot: Shot) -> bool:
        return self._image is not None and self._image.size == (shot.width, shot.height)

    def _arrived(self, shot: Shot, image: Image.Image) -> None:
        if shot == self._shot and self.winfo_exists():
            self._image = image
            self.redraw()


class BrokenCard(Tile):
    """A plugin that can't be used: what is wrong with it in one line."""

    def __init__(self, app: App, parent: tk.Misc, plugin: Plugin, command: Callable[[], object]) -> None:
        super().__init__(app, parent, command)
        self.plugin = plugin

    def texts(self) -> tuple[str, str, str, str]:
        """The plugin, its version, its fault."""
        manifest = self.plugin.manifest
        name = manifest.name.text(self.app.language) if manifest else self.plugin.id
        return name, manifest.version if manifest else "", one_fault(self.app, self.plugin), "red"

    def _picture(self, at: int, width: int, height: int, radius: float) -> None:
        style = self.app.style
        image = rounded(hatch(style.tokens, width, height, style.scale), radius * style.scale, corners="top")
        self._photo = ImageTk.PhotoImage(image, master=self)
        self.create_image(at, at, image=self._photo, anchor="nw")
        self.create_image(at + width // 2, at + height // 2, image=style.icon("plugin", "red", 28))


def one_fault(app: App, plugin: Plugin) -> str:
    """A plugin's fault in one line; "" where it has none."""
    text = "" if plugin.fault is None else app.say(plugin.fault)
    return text if "." in text.partition(":")[0] else text[:1].upper() + text[1:]  # a file's name stays as it is


class UnfinishedRow(ttk.Frame):
    """A game that waits: its picture, who plays, how far it is; Resume, and a bin that asks once more."""

    def __init__(
        self, app: App, parent: tk.Misc, game: Unfinished, info: GameInfo | None, pictures: Pictures,
        resume: Callable[[], object], discard: Callable[[], object],
    ) -> None:  # fmt: skip
        px = app.style.px
        super().__init__(parent, style="Bg.Card.TFrame", padding=px(1), height=px(ROW[0]))
        self.app, self.game, self.rules, self._pictures = app, game, info, pictures
        self._resume, self._discard = resume, discard
        self.pack_propagate(False)
        self.picture = ttk.Label(self, style="Raised.TLabel")
        self.picture.pack(side="left")
        self.side = ttk.Frame(self, style="Raised.TFrame")
        self.side.pack(side="right", padx=(px(8), px(11)))
        self.middle = ttk.Frame(self, style="Raised.TFrame")
        self.middle.pack(side="left", fill="x", expand=True, padx=(px(12), 0))
        self._labels = [
            ttk.Label(self.middle, style=f"Raised.{kind}.TLabel", width=1)
            for kind in ("Bold", "Secondary", "Secondary")
        ]  # fmt: skip
        for part in self._labels:
            part.pack(fill="x")
        self._buttons()
        self.middle.bind("<Configure>", lambda event: self.retext())
        app.on_language(self.retext, self)
        app.on_theme(self._ask, self)
        self._photo: ImageTk.PhotoImage | None = None
        self._ask()

    def _buttons(self) -> None:
        for old in self.side.winfo_children():
            old.destroy()
        app = self.app
        self.resume = button(app, self.side, "resume", style="Raised.Small.TButton", command=self._resume)
        self.resume.pack(fill="x")
        self.bin = button(app, self.side, icon="bin", style="Raised.Clear.TButton", tip="discard", command=self._sure)
        self.bin.pack(anchor="e", pady=(app.style.px(6), 0))

    def _sure(self) -> None:
        for old in self.side.winfo_children():
            old.destroy()
        self.sure = button(self.app, self.side, "discard", style="Raised.Small.Danger.TButton", command=self._discard)
        self.sure.pack(fill="x", pady=(0, self.app.style.px(4)))
        button(self.app, self.side, "keep", style="Raised.Small.TButton", command=self._buttons).pack(fill="x")
        self.sure.focus_set()

    def retext(self) -> None:
        """Writes its lines in the language, as wide as there is room."""
        app, language = self.app, self.app.language
        name = self.rules.name.text(language) if self.rules else self.game.game or self.game.path.name
        people = " – ".join(person for person in self.game.names if person)
        lines = (
            f"{name} · {people}" if people else name,
            app.t("unfinished.ply" if self.game.ply == 1 else "unfinished.plies", self.game.ply),
            time.strftime("%Y-%m-%d %H:%M", time.localtime(self.game.modified)),
        )
        room = max(app.style.px(40), self.middle.winfo_width())
        for number, (part, text) in enumerate(zip(self._labels, lines, strict=True)):
            part.configure(text=app.style.fit(text, room, 14 if not number else 13, not number))

    def _ask(self) -> None:
        px = self.app.style.px
        width, height = px(ROW[1]), px(ROW[0] - 2)
        if self.rules is not None:
            left = (str(self.game.path), self.game.modified)
            self._pictures.ask(Shot(self.rules.id, self.app.settings.theme, width, height, left), self._arrived)
        else:
            self._arrived(hatch(self.app.style.tokens, width, height, self.app.style.scale))

    def _arrived(self, image: Image.Image) -> None:
        if self.winfo_exists():
            cut = rounded(image, 9 * self.app.style.scale, corners="left")
            self._photo = ImageTk.PhotoImage(cut, master=self)
            self.picture.configure(image=self._photo)


class FileRow(Pad):
    """A recent file: its name, and the folder it lies in."""

    def __init__(self, app: App, parent: tk.Misc, file: Path, command: Callable[[], object]) -> None:
        super().__init__(app, parent, 1, app.style.px(36), command, ground="bg")
        self.file = file

    def paint(self, width: int, height: int) -> None:
        """One line: icon, name, folder."""
        style, px = self.app.style, self.app.style.px
        fill = "bg+12" if self.held else "bg+6" if self.hover else ""
        self.create_image(0, 0, image=style.box(width, height, 6, Box(fill, ring=self.focused)), anchor="nw")
        self.create_image(px(8), height // 2, image=style.icon("library", "ink2"), anchor="w")
        x, room = px(38), width - px(46)
        name = style.fit(self.file.name, room, 14)
        self.create_text(x, height // 2, text=name, anchor="w", fill=style.ink, font=style.font(14))
        x += style.measure(name, 14) + px(10)
        if width - x > px(60):
            folder = style.fit(str(self.file.parent), width - x - px(8), 12)
            self.create_text(x, height // 2, text=folder, anchor="w", fill=style.ink3, font=style.font(12))
