"""The launcher's right side: one game with a live preview, its theme, seats, clock and options, and its start."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import TYPE_CHECKING, Any

from PIL import Image, ImageTk

from qipan.clock import Control
from qipan.tk.elements import Box, rounded
from qipan.tk.fields import HintField
from qipan.tk.launcher.thumbs import Shot
from qipan.tk.pad import Pad
from qipan.tk.rules_page import has_rules, show_rules
from qipan.tk.scroll import Scrolled
from qipan.tk.select import Select
from qipan.tk.times import control_text
from qipan.tk.widgets import FaultBox, button, entry, label, switch
from qipan.values import Fault

if TYPE_CHECKING:
    from qipan.catalogue import GameInfo, OptionSpec
    from qipan.theme import Theme
    from qipan.tk.launcher.page import Launcher

PREVIEW = (351, 252)
CLOCKS = ("none", "5", "5+3", "10+5", "15+10", "30+3x30", "30/move")
_CUSTOM = "custom"
_CAPTION, _SWATCH, _TOLD = 84, 42, 300


class GamePanel(ttk.Frame):
    """Everything chosen here is remembered for its game."""

    def __init__(self, launcher: Launcher, parent: tk.Misc, game: GameInfo) -> None:
        super().__init__(parent)
        self.launcher, self.app, self.game = launcher, launcher.app, game
        self.kept = self.app.settings.game(game.id)
        self.options: dict[str, str | int | bool] = {}
        self._settle()
        self.preview = ttk.Label(self, anchor="nw")
        self.preview.pack(fill="x")
        self._shown: ImageTk.PhotoImage | None = None
        self._size = (0, 0)
        self._fault: FaultBox | None = None
        px = self.app.style.px
        self.foot = ttk.Frame(self, padding=(px(16), px(12), px(16), px(16)))
        self.foot.pack(side="bottom", fill="x")
        self._make_foot()
        self.scrolled = Scrolled(self.app, self)
        self.scrolled.pack(fill="both", expand=True)
        self.form = self.scrolled.inner
        self.form.configure(padding=(px(16), px(12), px(16), px(4)))
        self._row = 0
        self.fields: dict[str, Any] = {}
        self._make_form()
        self.bind("<Configure>", self._resized, add="+")
        self.app.on_theme(self.ask_preview, self)

    def _settle(self) -> None:
        """The remembered options, those that are still declared; the defaults for the rest."""
        for spec in self.game.options:
            try:
                self.options[spec.id] = spec.accept(self.kept.options.get(spec.id, spec.default))
            except Fault:
                self.options[spec.id] = spec.default

    # -- the picture ---------------------------------------------------------------------------------------------
    def _resized(self, event: tk.Event[Any]) -> None:
        px = self.app.style.px
        size = (event.width, round(event.width * PREVIEW[1] / PREVIEW[0]))
        tall = self.winfo_height()
        if tall < px(720):  # low windows: the form keeps its room
            size = (size[0], max(px(120), size[1] - (px(720) - tall)))
        if event.widget is self and size != self._size and size[0] > 1:
            self._size = size
            self.ask_preview()

    def ask_preview(self) -> None:
        """Has the board drawn in the chosen theme."""
        if self._size[0]:
            if self._shown is None or (self._shown.width(), self._shown.height()) != self._size:
                self._show(Image.new("RGB", self._size, self.app.style.bg))
            shot = Shot(self.game.id, self.app.settings.theme, *self._size)
            self.launcher.pictures.ask(shot, lambda image: self._arrived(shot, image))

    def _arrived(self, shot: Shot, image: Image.Image) -> None:
        if self.winfo_exists() and shot.theme == self.app.settings.theme and (shot.width, shot.height) == self._size:
            self._show(image)

    def _show(self, image: Image.Image) -> None:
        self._shown = ImageTk.PhotoImage(image, master=self)
        self.preview.configure(image=self._shown)

    # -- the form ------------------------------------------------------------------------------------------------
    def _make_form(self) -> None:
        app, px = self.app, self.app.style.px
        form, language = self.form, app.language
        form.columnconfigure(0, minsize=px(_CAPTION + 12))
        form.columnconfigure(1, weight=1)
        title = ttk.Frame(form)
        title.grid(row=0, column=0, columnspan=2, sticky="we")
        ttk.Label(title, style="Page.TLabel", text=self.game.name.text(language)).pack(side="left")
        other = self.game.name.text("en" if language == "zh" else "zh")
        ttk.Label(title, style="Other.TLabel", text=other).pack(side="left", padx=(px(10), 0))
        blurb = ttk.Label(form, style="Secondary.TLabel", text=self.game.blurb.text(language))
        blurb.grid(row=1, column=0, columnspan=2, sticky="we", pady=(px(2), px(10)))
        form.bind("<Configure>", lambda event: blurb.configure(wraplength=max(60, event.width - px(32))), add="+")
        self._swatches()
        self._row = 3
        for number, seat in enumerate(self.game.seats):
            self._seat(number, self.launcher.gallery.game_word(self.game, f"seat.{seat}"))
        self._clock()
        for spec in self.game.options:
            self._option(spec)
        self.more = ttk.Frame(form)
        self.more.grid(row=99, column=0, columnspan=2, sticky="we")

    def _swatches(self) -> None:
        px = self.app.style.px
        row = ttk.Frame(self.form)
        row.grid(row=2, column=0, columnspan=2, sticky="we", pady=(0, px(10)))
        self.swatches: dict[str, Swatch] = {}
        row.columnconfigure(tuple(range(6)), weight=1, uniform="swatch")
        for number, (name, theme) in enumerate(self.launcher.pictures.themes().items()):
            swatch = Swatch(self, row, theme, lambda name=name: self._choose_theme(name))  # type: ignore[misc]
            swatch.grid(row=number // 6, column=number % 6)
            swatch.choose(name == self.launcher.pictures.theme().id)
            self.swatches[name] = swatch
        for name, fault in self.launcher.pictures.broken_themes().items():
            told = ttk.Label(row, style="Red.TLabel", text=f"{name}: {self.app.say(fault)}", wraplength=px(_TOLD))
            told.grid(column=0, columnspan=6, sticky="w", pady=(px(6), 0))

    def _choose_theme(self, name: str) -> None:
        self.app.set_theme(name)
        for key, swatch in self.swatches.items():
            swatch.choose(key == name)

    def _caption(self, text: str) -> int:
        px, row = self.app.style.px, self._row
        self._row += 1
        caption = ttk.Label(self.form, style="Caption.TLabel", text=text, wraplength=px(_CAPTION + 8))
        caption.grid(row=row, column=0, sticky="w", pady=px(4))
        return row

    def _put(self, name: str, field: tk.Misc, row: int) -> None:
        field.grid(row=row, column=1, sticky="we", pady=self.app.style.px(4))  # type: ignore[attr-defined]
        self.fields[name] = field

    def _seat(self, number: int, name: str) -> None:
        row = self._caption(name)
        text = self.kept.seats[number] if number < len(self.kept.seats) else ""
        field = HintField(self.app, self.form, "person", "seat.hint", text=text)
        field.follow(self._keep_names)
        field.entry.bind("<Return>", lambda event: self.start())
        self._put(f"seat.{number}", field, row)

    def names(self) -> list[str]:
        """Who sits where; "" for a seat without a name."""
        return [self.fields[f"seat.{number}"].value.get().strip()[:60] for number in range(len(self.game.seats))]

    def _keep_names(self) -> None:
        if self.names() != self.kept.seats:
            self.kept.seats = self.names()
            self.app.save_soon()

    def _clock(self) -> None:
        row = self._caption(self.app.t("clock"))
        known = [*CLOCKS, *([self.kept.clock] if self._own_clock() else [])]
        choices = [(text, control_text(self.app.t, Control.parse(text))) for text in known]
        choices.append((_CUSTOM, self.app.t("clock.custom")))
        self._put(
            "clock",
            Select(self.app, self.form, choices, self.kept.clock or "none", self._choose_clock, icon="clock"),
            row,
        )
        self._own = entry(self.app, self.form)
        self._own.bind("<KeyRelease>", lambda event: self._custom_clock())
        self._own_hint = label(self.app, self.form, "clock.hint", "Label.TLabel")
        self._own_at = self._row
        self._row += 2

    def _own_clock(self) -> bool:
        try:
            return bool(self.kept.clock) and Control.parse(self.kept.clock).text() not in CLOCKS
        except Fault:
            self.kept.clock = ""
            return False

    def _choose_clock(self, text: str) -> None:
        if text == _CUSTOM:
            self._own.grid(row=self._own_at, column=1, sticky="we", pady=self.app.style.px(4))
            self._own_hint.grid(row=self._own_at + 1, column=1, sticky="w")
            self._own.focus_set()
            self._custom_clock()
            return
        self._own.grid_remove()
        self._own_hint.grid_remove()
        self.kept.clock = "" if text == "none" else text
        self.app.save_soon()

    def _custom_clock(self) -> None:
        try:
            self.kept.clock = Control.parse(self._own.get()).text() if self._own.get().strip() else ""
            self._own.state(["!invalid"])
            self.app.save_soon()
        except Fault:
            self._own.state(["invalid"])

    def _option(self, spec: OptionSpec) -> None:
        def word(key: str) -> str:
            return self.launcher.gallery.game_word(self.game, key)

        name, value = f"option.{spec.id}", self.options[spec.id]
        row = self._caption(word(name))
        if spec.kind == "choice":
            choices = [(choice, word(f"{name}.{choice}")) for choice in spec.choices]
            self._put(name, Select(self.app, self.form, choices, str(value), lambda got: self._keep(spec, got)), row)
        elif spec.kind == "flag":
            self._put(name, switch(self.app, self.form, "", bool(value), lambda on: self._keep(spec, on)), row)
        elif spec.max - spec.min <= 100:
            choices = [(str(number), str(number)) for number in range(spec.min, spec.max + 1)]
            self._put(name, Select(self.app, self.form, choices, str(value), lambda got: self._keep(spec, got)), row)
        else:
            field = entry(self.app, self.form)
            field.insert(0, str(value))
            field.bind("<KeyRelease>", lambda event: self._number(spec, field))
            self._put(name, field, row)

    def _number(self, spec: OptionSpec, field: ttk.Entry) -> None:
        try:
            self._keep(spec, field.get())
            field.state(["!invalid"])
        except Fault:
            field.state(["invalid"])

    def _keep(self, spec: OptionSpec, value: object) -> None:
        self.options[spec.id] = spec.accept(value)
        self.kept.options = {
            each.id: self.options[each.id] for each in self.game.options if self.options[each.id] != each.default
        }
        self.app.save_soon()

    # -- the foot ------------------------------------------------------------------------------------------------
    def _make_foot(self) -> None:
        app, px = self.app, self.app.style.px
        self.go = button(app, self.foot, "start", style="Primary.TButton", command=self.start)
        self.go.pack(side="right", fill="x", expand=True)
        if has_rules(self.game):
            self.rules = button(app, self.foot, icon="help", style="Large.TButton", tip="rules", keys="F2",
                                command=lambda: show_rules(app, self.game))  # fmt: skip
            self.rules.pack(side="left", padx=(0, px(8)))
        self.opener = button(app, self.foot, "more", style="Large.TButton", command=self.toggle_more)
        self.opener.pack(side="left", padx=(0, px(8)))
        self.position: ttk.Entry | None = None

    def toggle_more(self) -> None:
        """Shows or hides the field for a position's text."""
        app, px = self.app, self.app.style.px
        if self.position is not None:
            for child in self.more.winfo_children():
                child.destroy()
            self.more.configure(height=1)
            self.position, self._fault = None, None
            return
        label(app, self.more, "position", "Caption.TLabel").pack(anchor="w", pady=(px(8), px(4)))
        self.position = entry(app, self.more)
        self.position.pack(fill="x")
        self.position.bind("<Return>", lambda event: self.start())
        label(app, self.more, "position.hint", "Label.TLabel").pack(anchor="w", pady=(px(4), px(8)))
        self.position.focus_set()
        self.update_idletasks()
        self.scrolled.see(self.more)

    def start(self) -> None:
        """Begins the game; what is wrong is said here, in place."""
        self._keep_names()
        if self._own.winfo_ismapped() and self._own.instate(["invalid"]):
            self._own.focus_set()
            return
        text = self.position.get().strip() if self.position is not None else ""
        self.launcher.begin(self.game.id, self.options, self.names(), self.kept.clock, text, self.complain)

    def complain(self, title: str, text: str, actions: list[tuple[str, Callable[[], object]]]) -> None:
        """Shows a fault above the foot."""
        px = self.app.style.px
        if self._fault is not None:
            self._fault.destroy()
        self._fault = FaultBox(self.app, self, title, text, actions)
        self._fault.pack(side="bottom", fill="x", padx=px(16), pady=(px(8), 0), after=self.foot)
        if self.position is not None:
            self.position.state(["invalid"])
            self.update_idletasks()
            self.scrolled.see(self.more)


class Swatch(Pad):
    """A theme: its board, a piece of each side, its name."""

    def __init__(self, panel: GamePanel, parent: tk.Misc, theme: Theme, command: Callable[[], object]) -> None:
        px = panel.app.style.px
        super().__init__(panel.app, parent, px(52), px(64), command)
        self.theme = theme
        self._photo: ImageTk.PhotoImage | None = None

    def paint(self, width: int, height: int) -> None:
        """The chosen one has an accent edge and a bold name."""
        style, px = self.app.style, self.app.style.px
        side = px(_SWATCH)
        x = (width - side) // 2
        if self.chosen or self.focused or self.hover:
            colour = "accent" if self.chosen or self.focused else "control"
            self.create_image(x, 0, image=style.box(side, side, 8, Box(line=colour, width=2)), anchor="nw")
        inner = side - 2 * px(3)
        self._photo = ImageTk.PhotoImage(rounded(swatch(self.theme, inner), 5 * style.scale), master=self)
        self.create_image(x + px(3), px(3), image=self._photo, anchor="nw")
        if self.focused:
            self.create_image(x - px(3), -px(3), anchor="nw",
                              image=style.box(side + px(6), side + px(6), 10, Box(line="accent", width=1)))  # fmt: skip
        name = style.fit(self.theme.name.text(self.app.language), width, 12, self.chosen)
        fill = style.accent if self.chosen else style.ink2
        self.create_text(width // 2, side + px(11), text=name, fill=fill, font=style.font(12, self.chosen))


def swatch(theme: Theme, side: int) -> Image.Image:
    """A corner of the theme's board, with a red and a black piece."""
    from PIL import ImageDraw

    over = 4
    big = side * over
    image = Image.new("RGB", (big, big), theme.board.light)
    draw = ImageDraw.Draw(image)
    unit = big / 36
    for at in (13, 26):
        draw.line((at * unit, 0, at * unit, big), fill=theme.ink.line, width=round(1.1 * unit))
        draw.line((0, at * unit, big, at * unit), fill=theme.ink.line, width=round(1.1 * unit))
    tones = theme.tones(["red", "black"])
    for seat, x, y in (("red", 12, 25.5), ("black", 25.5, 11)):
        tone = tones[seat]
        for radius, colour in ((9.6, tone.edge), (9.0, tone.rim[-1]), (8.0, tone.face[0])):
            draw.ellipse(tuple(v * unit for v in (x - radius, y - radius, x + radius, y + radius)), fill=colour)
        draw.ellipse(
            tuple(v * unit for v in (x - 5.6, y - 5.6, x + 5.6, y + 5.6)), outline=tone.glyph, width=round(1.2 * unit)
        )
    return image.reduce(over)
