"""The launcher's account of plugins: the list of all, and what is wrong with a broken one and how to be rid of it."""

from __future__ import annotations

import shutil
import tkinter as tk
from tkinter import ttk
from typing import TYPE_CHECKING

from PIL import ImageTk

from qipan.host import Plugin, Status
from qipan.tk.elements import Box
from qipan.tk.launcher.cards import hatch, one_fault
from qipan.tk.pad import Pad
from qipan.tk.scroll import Scrolled
from qipan.tk.widgets import button, label

if TYPE_CHECKING:
    from qipan.tk.launcher.page import Launcher

_HATCH = 120


class PluginPanel(ttk.Frame):
    """A plugin that can't be used: its fault, Python's own account, Try again, Allow or Remove."""

    def __init__(self, launcher: Launcher, parent: tk.Misc, plugin: Plugin) -> None:
        super().__init__(parent)
        self.launcher, self.app, self.plugin = launcher, launcher.app, plugin
        px = self.app.style.px
        self.picture = tk.Canvas(self, height=px(_HATCH), highlightthickness=0, borderwidth=0)
        self.picture.pack(fill="x")
        self.picture.bind("<Configure>", lambda event: self._draw())
        self._photo: ImageTk.PhotoImage | None = None
        self.app.on_theme(self._draw, self.picture)
        self._foot()
        body = ttk.Frame(self, padding=(px(16), px(12), px(16), 0))
        body.pack(fill="both", expand=True)
        manifest = plugin.manifest
        name = manifest.name.text(self.app.language) if manifest else plugin.id
        title = ttk.Frame(body)
        title.pack(fill="x")
        ttk.Label(title, style="Page.TLabel", text=name).pack(side="left")
        if manifest:
            ttk.Label(title, style="Other.TLabel", text=manifest.version).pack(side="left", padx=(px(10), 0))
        fault = ttk.Label(body, style="Red.TLabel", text=one_fault(self.app, plugin))
        fault.pack(fill="x", pady=(px(4), px(8)))
        place = ttk.Label(body, style="Label.TLabel", text=str(plugin.folder))
        place.pack(fill="x", pady=(0, px(8)))
        body.bind(
            "<Configure>",
            lambda event: [part.configure(wraplength=max(60, event.width - px(32))) for part in (fault, place)],
        )
        self._text(body)

    def _draw(self) -> None:
        style = self.app.style
        width, height = max(2, self.picture.winfo_width()), style.px(_HATCH)
        self._photo = ImageTk.PhotoImage(hatch(style.tokens, width, height, style.scale), master=self)
        self.picture.delete("all")
        self.picture.create_image(0, 0, image=self._photo, anchor="nw")
        self.picture.create_image(width // 2, height // 2, image=style.icon("plugin", "red", 28))

    def _text(self, body: ttk.Frame) -> None:
        style, px = self.app.style, self.app.style.px
        told = self.plugin.trace or (self.app.t("plugin.trust") if self.untrusted else "")
        if not told:
            return
        frame = ttk.Frame(body, style="Field.TFrame", padding=px(2))
        frame.pack(fill="both", expand=True)
        mono = bool(self.plugin.trace)
        self.text = tk.Text(
            frame, height=4, width=10, wrap="word", borderwidth=0, highlightthickness=0, padx=px(8), pady=px(6),
            font=style.font(12, family="mono") if mono else style.font(13),
        )  # fmt: skip
        self.text.insert("1.0", told)
        self.text.configure(state="disabled")
        bar = ttk.Scrollbar(frame, style="Raised.Vertical.TScrollbar", command=self.text.yview)

        def moved(first: float, last: float) -> None:
            bar.set(first, last)
            if float(first) <= 0 and float(last) >= 1:
                bar.place_forget()
            else:
                bar.place(relx=1, x=-px(3), y=px(4), relheight=1, height=-px(8), width=px(8), anchor="ne")

        self.text.configure(yscrollcommand=moved)
        self.text.pack(side="left", fill="both", expand=True)
        self.app.on_theme(self._colour, self.text)
        self._colour()
        if mono:
            self.text.see("end")

    def _colour(self) -> None:
        style = self.app.style
        self.text.configure(
            background=style.raised, foreground=style.ink, selectbackground=style.accent,
            selectforeground=style.on_accent, inactiveselectbackground=style.accent_soft,
        )  # fmt: skip

    @property
    def untrusted(self) -> bool:
        """True where its code wasn't allowed yet."""
        return self.plugin.status is Status.UNTRUSTED

    def _foot(self) -> None:
        px = self.app.style.px
        self.foot = ttk.Frame(self, padding=(px(16), px(12), px(16), px(16)))
        self.foot.pack(side="bottom", fill="x")
        self._choices()

    def _choices(self) -> None:
        app, px = self.app, self.app.style.px
        for old in self.foot.winfo_children():
            old.destroy()
        row = ttk.Frame(self.foot)
        row.pack(fill="x")
        first, command = ("plugin.allow", self.allow) if self.untrusted else ("plugin.again", self.again)
        button(app, row, first, style="Primary.TButton", command=command).pack(side="right", fill="x", expand=True)
        button(app, row, icon="copy", style="Large.TButton", tip="app.copy-details", command=self.copy).pack(
            side="left", padx=(0, px(8)))  # fmt: skip
        if self.plugin.place.origin == "user":
            button(app, row, "plugin.remove", style="Large.Danger.TButton", command=self._sure).pack(
                side="left", padx=(0, px(8)))  # fmt: skip
        else:
            hint = ttk.Label(self.foot, style="Secondary.TLabel", text=app.t("plugin.how", self.plugin.place.remove))
            hint.pack(fill="x", pady=(0, px(8)), before=row)
            self.foot.bind("<Configure>", lambda event: hint.configure(wraplength=max(60, event.width - px(32))))

    def _sure(self) -> None:
        app, px = self.app, self.app.style.px
        for old in self.foot.winfo_children():
            old.destroy()
        text = ttk.Label(self.foot, text=app.t("plugin.sure", str(self.plugin.folder)), wraplength=px(312))
        text.pack(fill="x", pady=(0, px(8)))
        row = ttk.Frame(self.foot)
        row.pack(fill="x")
        keep = button(app, row, "keep", command=self._choices)
        keep.pack(side="right")
        button(app, row, "plugin.remove", style="Danger.TButton", command=self.remove).pack(
            side="right", padx=(0, px(8))
        )
        keep.focus_set()

    def copy(self) -> None:
        """Copies the account to the clipboard."""
        self.app.copy(self.plugin.trace or f"{self.plugin.id}: {self.plugin.fault}")

    def again(self) -> None:
        """Looks at the plugin afresh: its manifest, then its code."""
        self.app.host.retry(self.plugin)
        games = self.plugin.manifest.games if self.plugin.manifest else ()
        if self.plugin.status is Status.OK and games:
            self.launcher.try_open(games[0].id)
        sound = self.plugin.status is Status.OK and bool(games)
        self.launcher.changed(games[0].id if sound else f"!{self.plugin.id}")

    def allow(self) -> None:
        """Trusts this code of the plugin from now on."""
        self.app.settings.trusted[self.plugin.id] = self.plugin.sha256
        self.app.save_soon()
        self.again()

    def remove(self) -> None:
        """Deletes the folder of a plugin of the user's."""
        with self.app.telling():
            shutil.rmtree(self.plugin.folder)
        self.app.host.plugins.remove(self.plugin)
        self.launcher.changed("")


class PluginList(ttk.Frame):
    """Every plugin found, sound or not."""

    def __init__(self, launcher: Launcher) -> None:
        super().__init__(launcher, style="Bg.TFrame")
        self.launcher, self.app = launcher, launcher.app
        px = self.app.style.px
        head = ttk.Frame(self, style="Bg.TFrame", padding=(px(20), px(16), px(20), px(12)))
        head.pack(fill="x")
        label(self.app, head, "plugins", "Bg.Page.TLabel").pack(side="left")
        self.scrolled = Scrolled(self.app, self, "Bg.")
        self.scrolled.pack(fill="both", expand=True)
        self.scrolled.inner.configure(padding=(px(20), 0, px(20), px(16)))
        self.rows: dict[str, PluginRow] = {}
        self.app.on_language(self.refill, self)
        self.refill()

    def refill(self) -> None:
        """Lists them anew."""
        for old in self.scrolled.inner.winfo_children():
            old.destroy()
        self.rows = {}
        px = self.app.style.px
        if not self.app.host.plugins:
            text = self.app.t("games.none") + "\n" + self.app.t("games.none.more", str(self.app.paths.plugins))
            ttk.Label(self.scrolled.inner, style="Bg.Empty.TLabel", text=text, justify="center").pack(pady=px(96))
        for plugin in self.app.host.plugins:
            row = PluginRow(self.launcher, self.scrolled.inner, plugin)
            row.pack(fill="x", pady=(0, px(8)))
            self.rows[plugin.id] = row
        self.choose(self.launcher.chosen)

    def choose(self, name: str) -> None:
        """Marks the row of what the right side shows."""
        for row in self.rows.values():
            row.choose(row.name == name)


class PluginRow(Pad):
    """One plugin: its name, version, where it comes from, how it fares."""

    def __init__(self, launcher: Launcher, parent: tk.Misc, plugin: Plugin) -> None:
        games = plugin.manifest.games if plugin.manifest else ()
        sound = plugin.status is Status.OK and bool(games)
        self.name = games[0].id if sound else f"!{plugin.id}"
        self.plugin = plugin
        super().__init__(
            launcher.app, parent, 1, launcher.app.style.px(60), lambda: launcher.choose(self.name), ground="bg"
        )

    def paint(self, width: int, height: int) -> None:
        """A row like a card."""
        style, px, app = self.app.style, self.app.style.px, self.app
        sound = self.plugin.status is Status.OK
        fill = "raised+6" if self.hover else "raised"
        box = Box(fill, "accent" if self.chosen else "line", 2 if self.chosen else 1, ring=self.focused)
        self.create_image(0, 0, image=style.box(width, height, 10, box), anchor="nw")
        self.create_image(px(16), height // 2, image=style.icon("plugin", "ink2" if sound else "red"), anchor="w")
        manifest = self.plugin.manifest
        name = manifest.name.text(app.language) if manifest else self.plugin.id
        x, room = px(50), width - px(66)
        self.create_text(
            x, px(20), text=style.fit(name, room // 2, 15, True), anchor="w", fill=style.ink, font=style.font(15, True)
        )
        more = " · ".join(
            part for part in (manifest.version if manifest else "", app.t(f"origin.{self.plugin.place.origin}")) if part
        )
        self.create_text(width - px(16), px(20), text=more, anchor="e", fill=style.ink3, font=style.font(12))
        line = (manifest.blurb.text(app.language) if manifest else "") if sound else one_fault(app, self.plugin)
        self.create_text(x, px(41), text=style.fit(line, room, 13), anchor="w", fill=style.ink2 if sound else style.red,
                         font=style.font(13))  # fmt: skip
