"""The bar over the table: back, the game and its options, what is kept, copying, sound, settings, help."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import TYPE_CHECKING

from qipan.tk import widgets
from qipan.tk.elements import Box
from qipan.tk.select import Popup
from qipan.tk.table import keys
from qipan.tk.table.actions import ACTIONS

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

_COPY = ("copy", "copy-game", "paste", "save", "save-as", "open")


class Bar(ttk.Frame):
    """48 high (44 in narrow windows, where the actions stand in it as icons)."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        self._table = table
        app = table.app
        px = app.style.px
        self.back = widgets.button(
            app, self, "table.back-to-games", icon="back", style="Tool.TButton", command=app.open_launcher
        )
        self.back.pack(side="left", padx=(px(12), px(8)), pady=px(6))
        self._mark = widgets.hairline(app, self, vertical=True)
        self._mark.pack(side="left", fill="y", pady=px(14))
        self.title = ttk.Label(self, style="Title.TLabel")
        self.title.pack(side="left", padx=(px(12), px(8)))
        self._tags = ttk.Frame(self)
        self._tags.pack(side="left")
        self._tag_texts: tuple[str, ...] = ()
        right = ttk.Frame(self)
        right.pack(side="right", padx=(0, px(12)))
        self.icons: dict[str, ttk.Button] = {}
        for command, icon, run in (
            ("copy-menu", "copy", self._copy_menu), ("mute", "sound", lambda: table.do("mute")),
            ("settings", "settings", lambda: table.do("settings")), ("rules", "library", lambda: table.do("rules")),
            ("help", "help", app.open_help),
        ):  # fmt: skip
            if command == "rules" and command not in table.deeds.commands:
                continue
            tip = {"mute": "key.mute", "rules": "rules"}.get(command, f"table.{command}")
            button = widgets.button(
                app, right, icon=icon, style="Tool.TButton", tip=tip, keys=keys.label(command), command=run
            )
            button.pack(side="left", padx=px(2))
            self.icons[command] = button
        self._kept = ttk.Label(self, style="Secondary.TLabel", compound="left")
        self._kept.pack(side="right", padx=px(12))
        self._actions = ttk.Frame(self)
        self.actions: dict[str, ttk.Button] = {}
        for action in ACTIONS:
            if action.bar:
                button = widgets.button(
                    app, self._actions, icon=action.icon, style="Tool.TButton", tip=f"table.{action.command}",
                    keys=keys.label(action.command), command=lambda name=action.command: table.do(name),  # type: ignore[misc]
                    why_not=lambda name=action.command: table.deeds.why_not(name),  # type: ignore[misc]
                )  # fmt: skip
                button.pack(side="left", padx=px(2))
                self.actions[action.command] = button
        self._divider = widgets.hairline(app, self._actions, vertical=True)
        self._divider.pack(side="left", fill="y", padx=px(8), pady=px(6))

    def narrow(self, on: bool) -> None:
        """Actions as icons in place of words and the mark of saving."""
        px = self._table.app.style.px
        if on:
            self._kept.pack_forget()
            self._mark.pack_forget()
            self.back.configure(compound="image")
            self._actions.pack(side="right")
        else:
            self._actions.pack_forget()
            self.back.configure(compound="left")
            self._mark.pack(side="left", fill="y", pady=px(14), before=self.title)
            self._kept.pack(side="right", padx=px(12))

    def refresh(self) -> None:
        """Shows what is so now."""
        table = self._table
        app, speaker = table.app, table.speaker
        self.title.configure(text=table.opened.info.name.text(app.language))
        tags = table.tags()
        if tags != self._tag_texts:
            self._tag_texts = tags
            for child in self._tags.winfo_children():
                child.destroy()
            for tag in tags:
                ttk.Label(self._tags, style="Tag.TLabel", text=tag).pack(side="left", padx=app.style.px(5))
        widgets.set_icon(app, self.icons["mute"], "mute" if app.settings.muted else "sound")
        word, style = table.kept()
        self._show_kept(speaker.text(word), style)
        for command, button in self.actions.items():
            button.state(["!disabled" if table.can(command) else "disabled"])
            button.state(["selected" if command == "look-back" and app.settings.look_back else "!selected"])

    def say(self, word: str) -> None:
        """Says a word for two seconds where the mark of saving stands."""
        self._show_kept(self._table.speaker.text(word), "Good.TLabel")
        self._table.later("say", 2000, self.refresh)

    def _show_kept(self, text: str, style: str) -> None:
        side = self._table.app.style.px(8)
        dot = self._table.app.style.box(side, side, 4, Box("warn" if style.startswith("Warn") else "good"))
        self._kept.configure(text=f" {text}", style=style, image=str(dot))

    def _copy_menu(self) -> None:
        table = self._table
        choices = [(command, table.speaker.text(f"table.{command}")) for command in _COPY]

        def done(choice: str | None) -> None:
            popup.destroy()
            if choice is not None:
                table.do(choice)

        popup = Popup(table.app, self.icons["copy-menu"], choices, "", done)
