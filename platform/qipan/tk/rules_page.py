"""The rules of a game over whatever page is open: one column to read, in the window's language."""

from __future__ import annotations

import tkinter as tk
from bisect import bisect_right
from tkinter import ttk
from typing import TYPE_CHECKING, Any

from qipan import pages
from qipan.tk.select import Floating
from qipan.tk.settings_page import LANGUAGES
from qipan.tk.widgets import Segments, button, hairline, label

if TYPE_CHECKING:
    from qipan.catalogue import GameInfo
    from qipan.pages import Block, Run
    from qipan.tk.app import App

_COLUMN = 580  # design pixels: about 75 letters, or 41 Chinese characters, a line
_INDENT = 18
_HEADINGS = {1: (20, 0, 12), 2: (16, 20, 8), 3: (14, 12, 6)}  # by level: the size, and the room above and below


class RulesPage(Floating):
    """Wheel and keys scroll it, Esc or F2 closes it; the keys of the page below are not heard."""

    def __init__(self, app: App, info: GameInfo) -> None:
        super().__init__(app, app.root)
        self._game = info
        self.configure(padding=0)
        self.inner.configure(style="TFrame")
        px = app.style.px
        bar = ttk.Frame(self.inner, padding=(px(8), px(6)))
        bar.pack(fill="x")
        self.back = button(app, bar, icon="back", style="Tool.TButton", tip="back", keys="Esc", command=self.dismiss)
        self.back.pack(side="left")
        label(app, bar, "rules", "Title.TLabel").pack(side="left", padx=px(8))
        self._name = ttk.Label(bar, style="Other.TLabel")
        self._name.pack(side="left")
        self.languages = Segments(app, bar, LANGUAGES, app.language, app.set_language, words=False)
        self.languages.pack(side="right", padx=(0, px(8)))
        hairline(app, self.inner).pack(fill="x")
        self.text = tk.Text(
            self.inner, wrap="none", borderwidth=0, highlightthickness=0, cursor="arrow", state="disabled",
            takefocus=True, width=1, height=1,
        )  # fmt: skip
        self.text.pack(fill="both", expand=True)
        self._grip = ttk.Scrollbar(self.inner, style="Vertical.TScrollbar", command=self.text.yview)
        self.text.configure(yscrollcommand=self._moved)
        self.text.bind("<Configure>", self._resized)
        self._column = px(_COLUMN)
        self._starts: list[int] = []  # the line on which each block begins
        self._bind_keys()
        app.on_theme(self._colour, self)
        app.on_language(self._fill, self)
        self._colour()
        self._fill()
        self.place(x=0, y=0, relwidth=1, relheight=1)
        self.tkraise()
        self.text.focus_set()

    # -- keys ----------------------------------------------------------------------------------------------------
    def _bind_keys(self) -> None:
        ring: list[Any] = [self.text, self.back, *self.languages.buttons.values()]
        for number, part in enumerate(ring):
            part.bindtags((str(part), part.winfo_class(), "all"))
            after, before = ring[(number + 1) % len(ring)], ring[number - 1]
            part.bind("<Tab>", lambda event, to=after: _go(to))
            for sequence in ("<Shift-Tab>", *(["<ISO_Left_Tab>"] if self._x11() else [])):
                part.bind(sequence, lambda event, to=before: _go(to))
            for sequence in ("<Escape>", "<F2>"):
                part.bind(sequence, lambda event: self.dismiss())
            part.bind("<F1>", lambda event: self.app.open_help())
            part.bind("<Control-q>", lambda event: self.app.close())
            for sequence, count, what in (
                ("<Up>", -3, "lines"), ("<Down>", 3, "lines"), ("<Prior>", -1, "pages"), ("<Next>", 1, "pages"),
            ):  # fmt: skip
                part.bind(sequence, lambda event, by=(count, what): self._scroll(*by))
            part.bind("<Home>", lambda event: self._scroll(0, "top"))
            part.bind("<End>", lambda event: self._scroll(0, "end"))
        self.text.bind("<space>", lambda event: self._scroll(1, "pages"))
        self.text.bind("<Shift-space>", lambda event: self._scroll(-1, "pages"))

    def _x11(self) -> bool:
        return str(self.tk.call("tk", "windowingsystem")) == "x11"

    def _scroll(self, count: int, what: str) -> str:
        match what:
            case "pages":
                self.text.yview_scroll(count, "pages")
            case "lines":
                self.text.yview_scroll(count * self.app.style.px(20), "pixels")
            case _:
                self.text.yview_moveto(0 if what == "top" else 1)
        return "break"

    # -- what is shown -------------------------------------------------------------------------------------------
    def _moved(self, first: float, last: float) -> None:
        px = self.app.style.px
        self._grip.set(float(first), float(last))
        if float(first) <= 0 and float(last) >= 1:
            self._grip.place_forget()
        else:
            top = self.text.winfo_y() + px(2)
            self._grip.place(relx=1, x=-px(2), y=top, relheight=1, height=-top - px(2), width=px(8), anchor="ne")

    def _resized(self, event: tk.Event[Any]) -> None:
        px = self.app.style.px
        column = min(px(_COLUMN), event.width - px(48))
        self.text.configure(padx=(event.width - column) // 2)
        if column != self._column:
            self._column = column
            self._fill()

    def _colour(self) -> None:
        style, px, text = self.app.style, self.app.style.px, self.text
        text.configure(
            background=style.surface, foreground=style.ink, font=style.font(14), selectbackground=style.accent,
            selectforeground=style.on_accent, inactiveselectbackground=style.accent_soft,
        )  # fmt: skip
        for level in (1, 2, 3):
            size, above, below = _HEADINGS[level]
            text.tag_configure(f"heading{level}", font=style.font(size, True), spacing1=px(above), spacing3=px(below))
            left, right = px(_INDENT * (level - 1)), px(_INDENT * level)
            text.tag_configure(f"item{level}", lmargin1=left, tabs=(right,), spacing3=px(4))
            text.tag_configure(f"more{level}", lmargin1=right)
        text.tag_configure("last", spacing3=px(12))
        text.tag_configure("follows", spacing1=0)
        text.tag_configure("goes-on", spacing3=px(3))
        text.tag_configure("first", spacing1=px(28))
        text.tag_configure("foot", spacing3=px(48))
        text.tag_configure("code", font=style.font(13, family="mono"))
        text.tag_raise("sel")

    def _fill(self) -> None:
        app, text = self.app, self.text
        self.languages.set(app.language)
        self._name.configure(text=self._game.name.text(app.language))
        top = self.top()
        self._starts.clear()
        text.configure(state="normal")
        text.delete("1.0", "end")
        blocks = self._blocks()
        for block, following in zip(blocks, [*blocks[1:], None], strict=True):
            self._starts.append(int(text.index("end-1c").split(".")[0]))
            self._insert(block, last=following is None or (block.kind, following.kind) != ("item", "item"))
        text.delete("end-2c", "end")  # the empty line after the last
        text.tag_add("first", "1.0", "1.end")
        text.tag_add("foot", "end-1l linestart", "end")
        text.configure(state="disabled")
        if top < len(self._starts):
            text.yview(f"{self._starts[top]}.0")

    def top(self) -> int:
        """The number of the first block that is seen; it stays when the language changes."""
        return max(0, bisect_right(self._starts, int(self.text.index("@0,0").split(".")[0])) - 1)

    def _insert(self, block: Block, *, last: bool) -> None:
        style, item = self.app.style, block.kind == "item"
        size, bold = (_HEADINGS[block.level][0], True) if block.kind == "heading" else (14, False)

        def measure(run: Run) -> int:
            return style.measure(run.text, 13, family="mono") if run.code else style.measure(run.text, size, bold)

        name = [] if block.kind == "text" else [f"{block.kind}{block.level}"]
        room = self._column - (style.px(_INDENT * block.level) if item else 0)
        lines = pages.lines(block.runs, room, measure)
        for number, line in enumerate(lines):
            tags = [*name, *(["last"] if last and block.kind != "heading" else [])]
            tags += ["follows", *([f"more{block.level}"] if item else [])] if number else []
            tags += ["goes-on"] if number + 1 < len(lines) else []
            if item and not number:
                self.text.insert("end", f"{block.mark}\t", tags)
            for run in line:
                self.text.insert("end", run.text, [*tags, "code"] if run.code else tags)
            self.text.insert("end", "\n", tags)

    def _blocks(self) -> tuple[Block, ...]:
        file = pages.find(self._game.folder, self.app.language)
        try:
            return pages.read(file) if file is not None else ()
        except (OSError, ValueError) as fault:
            assert file is not None
            return pages.parse(self.app.t("rules.unreadable", file.name, str(fault)))


def has_rules(info: GameInfo) -> bool:
    """True for a game whose plugin has a page of rules."""
    return pages.find(info.folder, "en") is not None


def show_rules(app: App, info: GameInfo) -> None:
    """Shows the page of a game that has one, or takes it away."""
    if isinstance(app.popup, RulesPage):
        app.popup.dismiss()
    elif has_rules(info):
        RulesPage(app, info)


def _go(widget: tk.Misc) -> str:
    widget.focus_set()
    return "break"
