"""Choosing a file to open, or a name to save under, drawn like everything else and in the window's language."""

from __future__ import annotations

import os
import tkinter as tk
import unicodedata
from collections.abc import Callable, Collection
from pathlib import Path
from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk.scroll import Scrolled
from qipan.tk.select import Floating
from qipan.tk.widgets import Segments, button, entry

if TYPE_CHECKING:
    from qipan.tk.app import App

_SIZE = (640, 500)
_TOLD = 200  # characters of a typed place that are said again
_MOST = 500  # entries shown of one folder: a window can't be higher than 32767 pixels, and each takes its time


class FileBox(Floating):
    """``done`` gets the chosen file; Escape, Cancel or a click elsewhere chooses none.

    ``suffixes``: the endings shown at first, in small letters. ``name``: what is proposed to save under; None opens.
    """

    def __init__(
        self, app: App, title: str, suffixes: Collection[str], done: Callable[[Path], object], *,
        folder: Path | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(app, app.root)
        px = app.style.px
        self._suffixes, self._done, self._every = suffixes, done, False
        self.folder = folder or start_folder(app)
        self.inner.configure(padding=px(16))
        ttk.Label(self.inner, style="Raised.Title.TLabel", text=title).pack(anchor="w", pady=(0, px(8)))
        self.place_field = self._head()
        self.foot = ttk.Frame(self.inner, style="Raised.TFrame")
        self.foot.pack(side="bottom", fill="x", pady=(px(12), 0))
        self.name: ttk.Entry | None = None
        self._make_foot(name)
        self.fault = ttk.Label(self.inner, style="Raised.Red.TLabel")
        self.scrolled = Scrolled(app, self.inner, "Raised.")
        self.scrolled.pack(fill="both", expand=True, pady=(px(8), 0))
        self.rows: dict[str, ttk.Button] = {}
        self.go(self.folder)
        self.place(relx=0.5, rely=0.5, anchor="center", width=px(_SIZE[0]), height=px(_SIZE[1]))
        self.tkraise()
        self._first().focus_set()

    def _first(self) -> tk.Misc:
        """What has the keyboard at first: the name, the first entry, or the folder."""
        return self.name or self._first_row()

    def _first_row(self) -> tk.Misc:
        return next(iter(self.rows.values()), self.place_field)

    def _head(self) -> ttk.Entry:
        app, px = self.app, self.app.style.px
        head = ttk.Frame(self.inner, style="Raised.TFrame")
        head.pack(fill="x")
        up = button(app, head, icon="back", style="Raised.Icon.TButton", tip="file.up", command=self.up)
        up.pack(side="left", padx=(0, px(8)))
        field = entry(app, head, "Raised.TEntry")
        field.pack(side="left", fill="x", expand=True)
        field.bind("<Return>", lambda event: self.typed())
        self._leave(up, field)
        return field

    def _make_foot(self, name: str | None) -> None:
        app, px = self.app, self.app.style.px
        cancel = button(app, self.foot, "file.cancel", style="Raised.TButton", command=self.dismiss)
        if name is None:
            kinds = [("some", "open.games"), ("all", "open.all")]
            self.kinds = Segments(app, self.foot, kinds, "some", self._filter, ground="Raised.")
            self.kinds.pack(side="left")
            cancel.pack(side="right")
            self._leave(cancel, *self.kinds.buttons.values())
            return
        self.name = entry(app, self.foot, "Raised.TEntry")
        self.name.insert(0, name)
        self.name.selection_range(0, "end")
        self.save = button(app, self.foot, "file.save", style="Raised.Accent.TButton", command=self.chosen_name)
        self.save.pack(side="right")
        cancel.pack(side="right", padx=px(8))
        self.name.pack(side="left", fill="x", expand=True)
        self.name.bind("<Return>", lambda event: self.chosen_name())
        self.name.bind("<KeyRelease>", lambda event: self._unask())
        self._leave(cancel, self.save, self.name)

    def _leave(self, *parts: tk.Misc) -> None:
        for part in parts:
            part.bind("<Escape>", lambda event: self.dismiss())

    def _filter(self, kind: str) -> None:
        self._every = kind == "all"
        self.go(self.folder)

    # -- walking -------------------------------------------------------------------------------------------------
    def go(self, folder: Path) -> None:
        """Lists a folder; one that can't be read is told and left."""
        try:
            with os.scandir(folder) as entries:
                found = [(not _leads_to_folder(item), item.name) for item in entries if not item.name.startswith(".")]
        except OSError as fault:
            self._tell(self.app.t("file.unreadable", str(folder), fault.strerror or ""))
            return
        self._tell("")
        self.folder = folder
        self.place_field.delete(0, "end")
        self.place_field.insert(0, str(folder))
        for row in self.rows.values():
            row.destroy()
        shown = [(late, name) for late, name in sorted(found, key=lambda item: (item[0], item[1].casefold()))
                 if not late or self._every or Path(name).suffix.lower() in self._suffixes]  # fmt: skip
        self.rows = {name: self._row(name, late) for late, name in shown[:_MOST]}
        if not shown:
            self._tell(self.app.t("file.none"), "Secondary")
        elif len(shown) > _MOST:
            self._tell(self.app.t("file.more", _MOST, len(shown)), "Secondary")
        self.scrolled.top()

    def _row(self, name: str, is_file: bool) -> ttk.Button:
        app = self.app
        row = ttk.Button(
            self.scrolled.inner, style="Raised.Option.TButton", compound="left",
            image=app.style.icon("library" if is_file else "open"), text="  " + app.style.fit(name, app.style.px(540)),
            command=lambda: self._pick(name, is_file),
        )  # fmt: skip
        row.pack(fill="x")
        row.bind("<Return>", lambda event: row.invoke())
        row.bind("<Down>", lambda event: self._walk(name, 1))
        row.bind("<Up>", lambda event: self._walk(name, -1))
        row.bind("<BackSpace>", lambda event: self.up())
        self._leave(row)
        return row

    def _walk(self, name: str, by: int) -> str:
        names = list(self.rows)
        self.rows[names[(names.index(name) + by) % len(names)]].focus_set()
        return "break"

    def up(self) -> None:
        """Goes to the folder above."""
        self.go(self.folder.parent)
        self._first_row().focus_set()

    def typed(self) -> None:
        """Goes to the typed folder, or chooses the typed file."""
        text = self.place_field.get()
        try:
            place = Path(text).expanduser()
            folder, file = place.is_dir(), place.is_file()
        except (OSError, RuntimeError) as fault:  # too long a name; nobody's home
            self._tell(self.app.t("file.unreadable", text[:_TOLD], str(getattr(fault, "strerror", None) or fault)))
            return
        if folder:
            self.go(place)
        elif self.name is None and file:
            self._finish(place)
        else:
            self._tell(self.app.t("file.missing", str(place)[:_TOLD]))

    def _pick(self, name: str, is_file: bool) -> None:
        if not is_file:
            self.go(self.folder / name)
            self._first_row().focus_set()
        elif self.name is None:
            self._finish(self.folder / name)
        else:
            self.name.delete(0, "end")
            self.name.insert(0, name)
            self._unask()

    # -- choosing ------------------------------------------------------------------------------------------------
    def chosen_name(self) -> None:
        """Saves under the written name; asks once more where there is a file of it."""
        assert self.name is not None
        name = self.name.get().strip()
        if not _is_name(name):
            self._tell(self.app.t("file.bad-name"))
            return
        file = self.folder / name
        if not file.suffix:
            file = file.with_suffix(next(iter(self._suffixes), ""))
        try:
            there = file.exists()
        except OSError as fault:  # too long a name
            self._tell(f"{self.app.t('file.bad-name')} ({fault.strerror})")
            return
        if there and str(self.save.cget("style")) == "Raised.Accent.TButton":
            self.app.texts(self.save, "file.replace")
            self.save.configure(style="Raised.Danger.TButton")
            self._tell(self.app.t("file.exists", file.name))
            return
        self._finish(file)

    def _unask(self) -> None:
        if str(self.save.cget("style")) != "Raised.Accent.TButton":
            self.save.configure(style="Raised.Accent.TButton")
            self.app.texts(self.save, "file.save")
            self._tell("")

    def _tell(self, text: str, kind: str = "Red") -> None:
        wrap = self.app.style.px(_SIZE[0] - 40)
        self.fault.configure(text=text, wraplength=wrap, style=f"Raised.{kind}.TLabel")
        if text:
            self.fault.pack(side="bottom", anchor="w", pady=(self.app.style.px(8), 0), after=self.foot)
        else:
            self.fault.pack_forget()

    def _finish(self, file: Path) -> None:
        self.dismiss()
        self._done(file)


def _leads_to_folder(item: os.DirEntry[str]) -> bool:
    """True for a folder, or a link to one; a link that leads round in a circle leads to none."""
    try:
        return item.is_dir()
    except OSError:
        return False


def _is_name(name: str) -> bool:
    """True for what can name a file in a folder and be written in a settings file."""
    plain = not any(unicodedata.category(character) in ("Cc", "Cs") for character in name)
    return plain and bool(name) and name != ".." and Path(name).name == name


def start_folder(app: App) -> Path:
    """Where one last opened or saved a file, else the user's home."""
    for name in app.settings.recent:
        if Path(name).parent.is_dir():
            return Path(name).parent
    return Path.home()
