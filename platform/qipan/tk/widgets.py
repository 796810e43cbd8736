"""Small widgets every page uses: buttons with icons and tooltips, switches, segments, chips, sliders, fault boxes."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from qipan.tk.app import App

_ICON_COLOUR = {"Primary": "on_accent", "Accent": "on_accent", "Danger": "red", "Link": "accent"}
_TIP_DELAY = 500


def button(
    app: App, parent: tk.Misc, key: str = "", *, icon: str = "", style: str = "TButton", tip: str = "", keys: str = "",
    command: Callable[[], object] | None = None, why_not: Callable[[], str] = str,
) -> ttk.Button:  # fmt: skip
    """A button with a text (a key of the words) and an icon; an icon alone has a tooltip that names its keys.

    ``why_not``: the key of what the tooltip says while the button can't be pressed.
    """
    made = ttk.Button(parent, style=style, command=command or (lambda: None), compound="left" if key else "image")
    if icon:
        set_icon(app, made, icon)
    if key:
        app.texts(made, key)
    if tip:
        Tip(app, made, tip, keys, why_not)
    made.bind("<Return>", lambda event: made.invoke())
    return made


def set_icon(app: App, widget: ttk.Button | ttk.Radiobutton, icon: str) -> None:
    """Gives a button an icon in the colours its style has in each state."""
    family = str(widget.cget("style")).replace("Bg.", "").replace("Raised.", "").split(".")[0]
    colour = _ICON_COLOUR.get(family, "ink2")
    chosen = "on_accent" if family in ("Chip", "Segment") else "accent"
    images = (
        app.style.icon(icon, colour),
        "disabled", app.style.icon(icon, "control"),
        "selected", app.style.icon(icon, chosen),
    )  # fmt: skip
    widget.configure(image=cast(Any, images))


def label(app: App, parent: tk.Misc, key: str = "", style: str = "TLabel", **options: Any) -> ttk.Label:
    """A text that follows the language; ``key`` "" leaves the text to the caller."""
    made = ttk.Label(parent, style=style, **options)
    if key:
        app.texts(made, key)
    return made


def hairline(app: App, parent: tk.Misc, vertical: bool = False) -> ttk.Frame:
    """A line one pixel thick."""
    thickness = max(1, app.style.px(1))
    return (
        ttk.Frame(parent, style="Line.TFrame", width=thickness, height=thickness)
        if vertical
        else ttk.Frame(parent, style="Line.TFrame", height=thickness)
    )


def entry(app: App, parent: tk.Misc, style: str = "TEntry", width: int = 8) -> ttk.Entry:
    """A field for one line of text."""
    return ttk.Entry(parent, style=style, font=app.style.font(14), width=width)


def switch(
    app: App, parent: tk.Misc, key: str, value: bool, command: Callable[[bool], object], ground: str = ""
) -> ttk.Checkbutton:
    """A text with a switch at its right end."""
    made = ttk.Checkbutton(parent, style=f"{ground}Switch.TCheckbutton")
    made.state(["!alternate", "selected" if value else "!selected"])
    made.configure(command=lambda: command(made.instate(["selected"])))
    if key:
        app.texts(made, key)
    made.bind("<Return>", lambda event: made.invoke())
    return made


def slider(
    app: App, parent: tk.Misc, low: float, high: float, value: float, command: Callable[[float], object],
    ground: str = "",
) -> ttk.Scale:  # fmt: skip
    """A horizontal slider; a click anywhere on it goes there."""
    made = ttk.Scale(
        parent, from_=low, to=high, value=value, takefocus=True, style=f"{ground}Horizontal.TScale",
        command=lambda text: command(float(text)),
    )  # fmt: skip

    def go(event: tk.Event[Any]) -> str:
        made.focus_set()
        if made.instate(["!disabled"]):
            half = app.style.px(8)
            low, high = float(made.cget("from")), float(made.cget("to"))
            part = (event.x - half) / max(1, made.winfo_width() - 2 * half)
            made.set(low + (high - low) * min(1.0, max(0.0, part)))
        return "break"

    made.bind("<Button-1>", go)
    made.bind("<B1-Motion>", go)
    return made


class Segments(ttk.Frame):
    """A segmented control: one of a few values; ``set`` shows a value without calling the command."""

    def __init__(
        self, app: App, parent: tk.Misc, choices: Sequence[tuple[str, str]], value: str,
        command: Callable[[str], object], *, ground: str = "", words: bool = True,
    ) -> None:  # fmt: skip
        """``choices``: (value, key of its text); with ``words`` False the texts stand for themselves."""
        super().__init__(parent, style=f"{ground}Group.TFrame", padding=app.style.px(2))
        self.value = tk.StringVar(self, value)
        self.buttons: dict[str, ttk.Radiobutton] = {}
        for column, (choice, key) in enumerate(choices):
            made = ttk.Radiobutton(
                self, style="Raised.Segment.Toolbutton", variable=self.value, value=choice, text=key,
                command=lambda: command(self.value.get()),
            )  # fmt: skip
            if words:
                app.texts(made, key)
            made.grid(row=0, column=column, sticky="nswe")
            self.columnconfigure(column, weight=1, uniform="segment")
            walk_keys(made)
            self.buttons[choice] = made

    def set(self, value: str) -> None:
        """Shows a value as the chosen one."""
        self.value.set(value)


def walk_keys(widget: ttk.Radiobutton | ttk.Button) -> None:
    """Return presses the button; Left and Right walk to its neighbours."""
    widget.bind("<Return>", lambda event: widget.invoke())
    widget.bind("<Right>", lambda event: _step(event.widget, 1))
    widget.bind("<Left>", lambda event: _step(event.widget, -1))


def _step(widget: tk.Misc, by: int) -> str:
    row = [child for child in widget.master.winfo_children() if child.winfo_ismapped()] if widget.master else []
    if widget in row:
        row[(row.index(widget) + by) % len(row)].focus_set()
    return "break"


class Tip:
    """A tooltip: a text (a key of the words) and the keys doing the same, shown while the pointer rests.

    ``why_not`` gives the key of a second line: why the widget can't be used now; "" where it can.
    """

    def __init__(
        self, app: App, widget: tk.Misc, key: str, keys: str = "", why_not: Callable[[], str] = str
    ) -> None:
        self.app, self.widget, self.key, self.keys, self.why_not = app, widget, key, keys, why_not
        self.shown: ttk.Label | None = None
        self._due = ""
        for sequence in ("<Enter>", "<FocusIn>"):
            widget.bind(sequence, self._wait, add="+")
        for sequence in ("<Leave>", "<FocusOut>", "<Button-1>", "<Destroy>", "<Unmap>"):
            widget.bind(sequence, self.hide, add="+")

    def _wait(self, event: tk.Event[Any]) -> None:
        self.hide()
        self._due = self.widget.after(_TIP_DELAY, self.show)

    @property
    def text(self) -> str:
        """What is to be said now."""
        named = self.app.t(self.key) if self.key else ""
        reason = self.why_not()
        lines = (f"{named}   {self.keys}" if self.keys else named, self.app.t(reason) if reason else "")
        return "\n".join(line for line in lines if line)

    def show(self) -> None:
        """Shows the tip now, below its widget where there is room."""
        self._due = ""
        text = self.text
        if not text:
            return
        top = self.widget.winfo_toplevel()
        tip = ttk.Label(top, style="Tip.TLabel", text=text)
        gap = self.app.style.px(6)
        width, height = tip.winfo_reqwidth(), tip.winfo_reqheight()
        x = self.widget.winfo_rootx() - top.winfo_rootx() + (self.widget.winfo_width() - width) // 2
        y = self.widget.winfo_rooty() - top.winfo_rooty() + self.widget.winfo_height() + gap
        if y + height > top.winfo_height():
            y -= self.widget.winfo_height() + height + 2 * gap
        tip.place(x=max(gap, min(x, top.winfo_width() - width - gap)), y=y)
        self.shown = tip

    def hide(self, event: tk.Event[Any] | None = None) -> None:
        """Takes the tip away."""
        if self._due:
            self.widget.after_cancel(self._due)
            self._due = ""
        if self.shown is not None:
            self.shown.destroy()
            self.shown = None


class FaultBox(ttk.Frame):
    """An error that stays in place: soft red, a warning sign, a title, a sentence, and what can be done."""

    def __init__(
        self, app: App, parent: tk.Misc, title: str, text: str = "",
        actions: Sequence[tuple[str, Callable[[], object]]] = (), *, ground: str = "", wrap: int = 0,
    ) -> None:  # fmt: skip
        """``title`` and ``text`` are texts, not keys; ``actions``: (key, command); ``wrap``: design pixels."""
        px = app.style.px
        super().__init__(parent, style=f"{ground}Fault.TFrame", padding=(px(12), px(10)))
        ttk.Label(self, style="Fault.TLabel", image=app.style.icon("warning", "red")).grid(row=0, column=0, sticky="n")
        self.title = ttk.Label(self, style="FaultTitle.TLabel", text=title)
        self.title.grid(row=0, column=1, sticky="w", padx=(px(8), 0))
        self.text = ttk.Label(self, style="FaultText.TLabel", text=text)
        if text:
            self.text.grid(row=1, column=1, sticky="w", padx=(px(8), 0), pady=(px(2), 0))
        self.columnconfigure(1, weight=1)
        self.bind("<Configure>", lambda event: self._wrap(px(wrap) if wrap else event.width, px(52)))
        if actions:
            row = ttk.Frame(self, style="FaultInside.TFrame")
            row.grid(row=2, column=1, sticky="w", padx=(px(8), 0), pady=(px(8), 0))
            for key, command in actions:
                made = button(app, row, key, style="Fault.Small.TButton", command=command)
                made.pack(side="left", padx=(0, px(8)))

    def _wrap(self, width: int, margin: int) -> None:
        for part in (self.title, self.text):
            part.configure(wraplength=max(60, width - margin))
