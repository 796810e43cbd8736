"""The launcher: rail, gallery and the chosen game side by side; narrow windows show the game over the gallery."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from pathlib import Path
from tkinter import ttk
from typing import TYPE_CHECKING, Any

from qipan import journal
from qipan.host import PluginBroken, Status
from qipan.tk import begin, parting
from qipan.tk.launcher.gallery import Gallery
from qipan.tk.launcher.panel import GamePanel
from qipan.tk.launcher.plugin import PluginList, PluginPanel
from qipan.tk.launcher.rail import NARROW, WIDE, WIDER, Rail
from qipan.tk.rules_page import show_rules
from qipan.tk.widgets import FaultBox, button, hairline
from qipan.values import Fault

if TYPE_CHECKING:
    from qipan.journal import Unfinished
    from qipan.tk.app import App

PANEL, PANEL_WIDE = 352, 400
_SLIM, _VAST = 1100, 1600  # window widths where the layout changes


class Launcher(ttk.Frame):
    """The page of all games. ``chosen``: a game's id, "!" and a plugin's id, or ""."""

    shortcuts = (
        ("Ctrl F", "keys.search"), ("\u2190 \u2191 \u2192 \u2193", "keys.walk"), ("Enter", "keys.choose"),
        ("Ctrl Enter", "keys.start"), ("Ctrl O", "keys.open"), ("M", "keys.mute"),
        ("Esc", "keys.back"), ("F2", "keys.rules"), ("F1", "keys.help"), ("Ctrl Q", "keys.quit"),
    )  # fmt: skip

    def __init__(self, parent: tk.Misc, app: App) -> None:
        super().__init__(parent, style="Bg.TFrame")
        self.app, self.place_name = app, "games"
        self.pictures = app.pictures
        parting.archive_left(app)
        self.unfinished: list[Unfinished] = self._find_unfinished()
        self.chosen = next(iter(app.settings.games), "") if app.settings.games else ""
        if self.chosen not in app.host.games:
            self.chosen = next(iter(app.host.games), "")
        self.slim, self.panel_open = False, False
        self.rail = Rail(app, self, self.go)
        self.panel_frame = ttk.Frame(self)
        self.panel: GamePanel | PluginPanel | None = None
        self.plugin_list: PluginList | None = None
        self.gallery = Gallery(self)
        self._rule = hairline(app, self, vertical=True)
        self._panel_rule = hairline(app, self, vertical=True)
        self._width = 0
        self._make_panel()
        self._counts()
        self._lay(round(app.settings.width))
        self.bind("<Configure>", self._resized)
        app.on_language(self._retext, self)
        self._no_characters()

    def bind_keys(self) -> None:
        """The page's accelerators."""
        self.app.bind_page(
            self,
            {
                "<Control-f>": lambda event: self.gallery.search.focus_set(),
                "<Control-o>": lambda event: self.go("open"),
                "<Control-Return>": lambda event: self.start(self.chosen),
                "<Escape>": lambda event: self.back(),
                "<m>": self._mute,
                "<F2>": lambda event: self._rules(),
            },
        )

    def _rules(self) -> None:
        if isinstance(self.panel, GamePanel):
            show_rules(self.app, self.panel.game)

    def _mute(self, event: tk.Event[Any]) -> None:
        if not isinstance(event.widget, tk.Entry | tk.Text):
            self.app.set_muted(not self.app.settings.muted)
            self.rail.show_sound()

    # -- what there is -------------------------------------------------------------------------------------------
    def _find_unfinished(self) -> list[Unfinished]:
        return journal.unfinished(self.app.paths.journals)

    def _counts(self) -> None:
        self.rail.rows["continue"].show(str(len(self.unfinished)) if self.unfinished else "")
        faults = sum(plugin.status not in (Status.OK, Status.UNTRUSTED) for plugin in self.app.host.plugins)
        word = "plugins.fault" if faults == 1 else "plugins.faults"
        self.rail.rows["plugins"].show(self.app.t(word, faults) if faults else "", bool(faults))
        self.rail.choose(self.place_name)

    def _no_characters(self) -> None:
        """Without a Chinese font: says which package brings one."""
        from qipan.fonts import find_piece_font, package_hint

        def look() -> None:
            if find_piece_font() is None:
                box = FaultBox(
                    self.app, self.gallery, self.app.t("fonts.none"), self.app.t("fonts.install", package_hint())
                )
                pad = self.app.style.px(20)
                box.pack(fill="x", padx=pad, pady=(0, self.app.style.px(8)), after=self.gallery.chips)

        self.after_idle(look)

    def changed(self, chosen: str) -> None:
        """Shows plugins and games as they are now."""
        self.chosen = chosen or next(iter(self.app.host.games), "")
        self.gallery.forget_words()
        self.gallery.refill()
        if self.plugin_list is not None:
            self.plugin_list.refill()
        self._counts()
        self._make_panel()

    def _retext(self) -> None:
        self._counts()
        self._make_panel()

    # -- places --------------------------------------------------------------------------------------------------
    def go(self, name: str) -> None:
        """Goes to a place of the rail."""
        if name == "settings":
            self.app.open_settings()
            return
        if name == "open":
            begin.ask_file(self.app)
            return
        self.place_name = name
        self.rail.choose(name)
        if name == "plugins" and self.plugin_list is None:
            self.plugin_list = PluginList(self)
        elif name != "plugins" and self.plugin_list is not None:
            self.plugin_list.destroy()
            self.plugin_list = None
        if name != "plugins":
            self.gallery.refill()
        self.panel_open = False
        self._lay(self._width, again=True)

    def choose(self, name: str) -> None:
        """Shows a game (or "!plugin") at the right; in a narrow window over the gallery."""
        fresh = name != self.chosen
        self.chosen, self.panel_open = name, True
        self.gallery.choose(name)
        if self.plugin_list is not None:
            self.plugin_list.choose(name)
        if fresh or self.panel is None:
            self._make_panel()
        if self.slim:
            self._lay(self._width, again=True)
            if self.panel is not None:
                self.panel.focus_set()

    def enter(self, name: str) -> str:
        """Return on a card: chooses it; on the chosen one: starts it."""
        if name == self.chosen and not self.slim:
            self.start(name)
        else:
            self.choose(name)
        return "break"

    def back(self) -> None:
        """From the game back to the gallery, in a narrow window."""
        if self.slim and self.panel_open:
            self.panel_open = False
            self._lay(self._width, again=True)
            self.gallery.focus_first()

    def _make_panel(self) -> None:
        for old in self.panel_frame.winfo_children():
            old.destroy()
        self.panel = None
        px = self.app.style.px
        if self.slim:
            bar = ttk.Frame(self.panel_frame, padding=px(4))
            bar.pack(fill="x")
            button(self.app, bar, "back", icon="back", style="Tool.TButton", command=self.back).pack(side="left")
        if self.chosen.startswith("!"):
            plugin = self._plugin(self.chosen[1:])
            if plugin is not None:
                self.panel = PluginPanel(self, self.panel_frame, plugin)
        elif self.chosen in self.app.host.games:
            owner = self.app.host.owner(self.chosen)
            if owner.status is Status.OK:
                self.panel = GamePanel(self, self.panel_frame, self.app.host.games[self.chosen])
            else:
                self.panel = PluginPanel(self, self.panel_frame, owner)
        if self.panel is not None:
            self.panel.pack(fill="both", expand=True)

    def _plugin(self, name: str) -> Any:
        found = [plugin for plugin in self.app.host.plugins if plugin.id == name]
        return next((plugin for plugin in found if plugin.status is not Status.OK), found[0] if found else None)

    # -- games ---------------------------------------------------------------------------------------------------
    def start(self, name: str) -> None:
        """Starts a game as its panel says."""
        if name and name in self.app.host.games:
            self.choose(name)
            if isinstance(self.panel, GamePanel):
                self.panel.start()

    def begin(
        self, game: str, options: Mapping[str, str | int | bool], names: list[str], clock: str, position: str,
        complain: Callable[[str, str, list[tuple[str, Callable[[], object]]]], object],
    ) -> None:  # fmt: skip
        """Opens the table; what is wrong goes to ``complain``, a plugin that breaks to its own panel."""
        kept = self.app.settings.games
        kept[game] = kept.pop(game)
        self.app.settings.games = dict([(game, kept[game]), *kept.items()])  # the last played is chosen next time
        try:
            begin.start_game(
                self.app, self.app.host.open(game), options=options, names=names, clock=clock, position=position
            )
        except Fault as fault:
            complain(self.app.t("start.refused"), self.app.say(fault, game), [])
        except PluginBroken as broken:
            self.failed(broken)

    def failed(self, broken: PluginBroken) -> None:
        """Shows a plugin that broke just now."""
        owner = next((plugin for plugin in self.app.host.plugins if plugin.id == broken.plugin_id), None)
        if owner is not None and owner.status is Status.OK:
            owner.fail(Status.BROKEN_HOOK, broken.fault, broken.trace)
        self.changed(f"!{broken.plugin_id}")

    def try_open(self, game: str) -> None:
        """Imports a game's plugin, so that a fault of its code shows."""
        try:
            self.app.host.open(game)
        except (PluginBroken, Fault) as fault:
            self.app.plugin_failed(fault)

    def resume(self, game: Unfinished) -> None:
        """Opens an unfinished game as it stood."""
        begin.resume(self.app, game)

    def discard(self, game: Unfinished) -> None:
        """Throws an unfinished game away."""
        with self.app.telling():
            game.path.unlink(missing_ok=True)
        self.unfinished = self._find_unfinished()
        self._counts()
        self.gallery.refill()

    def open_file(self, file: Path) -> None:
        """Opens a saved game."""
        begin.open_file(self.app, file)

    # -- laying out ----------------------------------------------------------------------------------------------
    def _resized(self, event: tk.Event[Any]) -> None:
        if event.widget is self:
            self._lay(round(event.width / self.app.style.scale))

    def _lay(self, width: int, again: bool = False) -> None:
        """``width``: of the page, in design pixels."""
        slim, vast = width < _SLIM, width >= _VAST
        if width == self._width and not again:
            return
        shape = (slim, vast)
        old = (self._width < _SLIM, self._width >= _VAST)
        first, self._width = not self._width, width
        if shape == old and not again and not first:
            return
        px = self.app.style.px
        if slim != self.slim:
            self.slim = slim
            self._make_panel()
        self.rail.set_narrow(slim)
        rail = NARROW if slim else WIDER if vast else WIDE
        panel = PANEL_WIDE if vast else PANEL
        line = max(1, px(1))
        middle = self.plugin_list if self.plugin_list is not None else self.gallery
        self.rail.place(x=0, y=0, width=px(rail), relheight=1)
        self._rule.place(x=px(rail) - line, y=0, width=line, relheight=1)
        right = 0 if slim else px(panel)
        middle.place(x=px(rail), y=0, relwidth=1, width=-px(rail) - right, relheight=1)
        if middle is not self.gallery:
            self.gallery.place_forget()
        if slim and not self.panel_open:
            self.panel_frame.place_forget()
            self._panel_rule.place_forget()
            return
        shown = px(panel) if not slim else min(px(PANEL + 48), round(width * self.app.style.scale) - px(rail))
        self.panel_frame.place(relx=1, x=0, y=0, width=shown - line, relheight=1, anchor="ne")
        self._panel_rule.place(relx=1, x=-(shown - line), y=0, width=line, relheight=1, anchor="ne")
        self.panel_frame.tkraise()
        self._panel_rule.tkraise()
