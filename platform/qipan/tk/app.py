"""The application: one window, its pages, its settings and style; what goes wrong is logged and shown in place."""

from __future__ import annotations

import contextlib
import logging
import signal
import time
import tkinter as tk
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from tkinter import ttk
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, runtime_checkable

from qipan import settings as settings_file
from qipan.host import Host, Opened
from qipan.paths import Paths, user_paths
from qipan.settings import Settings
from qipan.tk import scroll, system
from qipan.tk.launcher.thumbs import Pictures
from qipan.tk.logo import logo
from qipan.tk.style import Style, screen_scale
from qipan.tk.table.keys import unbind
from qipan.tk.teller import Teller
from qipan.tk.tokens import MODES, Mode
from qipan.values import Fault
from qipan.words import Words

if TYPE_CHECKING:
    from qipan.audio.player import Player
    from qipan.session import Session
    from qipan.tk.select import Floating

log = logging.getLogger("qipan.tk")

_BREATH = 300  # ms
_SAVE_AFTER = 800  # ms from a change of the settings to their file
LEAST = (900, 640)  # the smallest window, design pixels


class Start(NamedTuple):
    """What the window opens with: nothing (the launcher), a game, or a file."""

    game: str = ""
    file: Path | None = None
    options: Mapping[str, str] = {}
    theme: str = ""
    position: str = ""


@runtime_checkable
class Keyed(Protocol):
    """A page with accelerators of its own."""

    def bind_keys(self) -> None:
        """Binds them on the window, once the page before it is gone."""


class Watcher(NamedTuple):
    """What is called after a change, as long as its owner lives."""

    fn: Callable[[], object]
    owner: tk.Misc | None

    def alive(self) -> bool:
        """False once the owner was destroyed."""
        return self.owner is None or bool(self.owner.winfo_exists())


class App(Teller):
    """Everything the pages share. Time, randomness and sound are passed in, never fetched."""

    def __init__(
        self, start: Start = Start(), *, host: Host | None = None, paths: Paths | None = None,  # noqa: B008
        settings: Settings | None = None, player: Player | None = None,
        now: Callable[[], float] = time.monotonic, rng: Random | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.start, self.now, self.rng, self.player = start, now, rng or Random(), player
        self.paths = paths or user_paths()
        warning: Fault | None = None
        if settings is None:
            settings, warning = settings_file.load(self.paths.settings)
        self.settings = settings
        self._kept = settings.copy()  # as they were loaded or saved last
        self.host = host or Host.scan(self.paths.plugins, trusted=settings.trusts)
        self.words = self.host.platform_words.plus(
            Words.load(*sorted((Path(__file__).parent / "words").glob("*.toml")))
        )
        self.language = settings.language or system.language()
        system.be_sharp()
        self.root = tk.Tk(className="Qipan")
        self.root.report_callback_exception = self._raised
        scale = screen_scale(self.root) * settings.text_scale
        self.style = Style(self.root, self._wanted_mode(), scale, self.language)
        self._styles = {scale: self.style}
        self.pictures = Pictures(self)
        self.popup: Floating | None = None
        self.page: ttk.Frame | None = None
        self.ended = False
        self._language_fns: list[Watcher] = []
        self._theme_fns: list[Watcher] = []
        self._save_due = ""
        self._title: Callable[[], str] = str
        self._dress_window()
        self._bind_keys()
        if start.theme:
            self.settings.theme = start.theme
        if player is not None:
            player.set_volume(settings.volume)
            player.set_muted(settings.muted)
        if warning is not None:
            self.tell(self.say(warning))

    # -- the window ----------------------------------------------------------------------------------------------
    def _dress_window(self, resize: bool = True) -> None:
        root, px = self.root, self.style.px
        root.title("Qipan")
        tokens = MODES["light"]
        icons = [self.style.photo(("logo", size), lambda size=size: logo(size, tokens.accent, tokens.on_accent))  # type: ignore[misc]
                 for size in (64, 32)]  # fmt: skip
        root.iconphoto(True, *(str(icon) for icon in icons))
        if not resize:
            return
        width = min(px(self.settings.width), root.winfo_screenwidth())
        height = min(px(self.settings.height), root.winfo_screenheight())
        root.geometry(f"{width}x{height}")
        root.minsize(min(px(LEAST[0]), width), min(px(LEAST[1]), height))
        root.grid_propagate(False)  # or a page that asks for little would wait for a resize to be laid out
        root.columnconfigure(0, weight=1)
        root.rowconfigure(1, weight=1)
        if self.settings.maximised:
            self._zoom()
        root.protocol("WM_DELETE_WINDOW", self.close)
        root.bind("<Configure>", self._resized, add="+")
        self._colour_root()
        self.on_theme(self._colour_root)

    def _colour_root(self) -> None:
        self.root.configure(background=self.style.bg)

    def _bind_keys(self) -> None:
        scroll.watch(self.root)
        self.root.bind_all("<Button-1>", self._clicked, add="+")
        self.root.bind("<F1>", lambda event: self.open_help())
        self.root.bind("<Control-q>", lambda event: self.close())
        if self.root.tk.call("tk", "windowingsystem") == "x11":  # there Tk has it go to the line's start, as in Emacs
            self.root.event_delete("<<LineStart>>", "<Control-a>", "<Control-Lock-A>")
            self.root.event_add("<<SelectAll>>", "<Control-a>", "<Control-Lock-A>")

    def _clicked(self, event: tk.Event[Any]) -> None:
        if self.popup is not None:
            self.popup.pressed(event.widget)

    def _resized(self, event: tk.Event[Any]) -> None:
        if event.widget is not self.root or self.page is None:
            return
        self.settings.maximised = self._zoomed()
        if not self.settings.maximised:
            self.settings.width = max(1, round(event.width / self.style.scale))
            self.settings.height = max(1, round(event.height / self.style.scale))
        self.save_soon()

    def _zoomed(self) -> bool:
        """True while the window fills the screen."""
        if self.root.tk.call("tk", "windowingsystem") == "x11":
            return bool(self.root.tk.getboolean(self.root.tk.call("wm", "attributes", ".", "-zoomed")))
        return str(self.root.state()) == "zoomed"

    def _zoom(self) -> None:
        if self.root.tk.call("tk", "windowingsystem") == "x11":
            self.root.tk.call("wm", "attributes", ".", "-zoomed", True)
        else:
            self.root.state("zoomed")

    def run(self) -> int:
        """Shows what was asked for and lives until the window closes; gives the exit code."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.close())
        self._breathe()
        self.open_first()
        self.root.mainloop()
        return 0

    def _breathe(self) -> None:
        """Lets Python run now and then while Tk waits, or a signal (Ctrl C in the terminal) would wait as well."""
        self.root.after(_BREATH, self._breathe)

    def close(self) -> None:
        """Leaves the page, saves the settings and ends; games go on from their journals next time."""
        if self.ended:
            return
        self.ended = True
        try:
            self._leave_page()
        finally:
            try:
                self.save()
            finally:
                self.root.destroy()

    # -- words ---------------------------------------------------------------------------------------------------
    def t(self, key: str, *args: str | int | Fault) -> str:
        """The sentence of a key in the window's language."""
        return self.words.text(key, self.language, *args)

    def texts(self, widget: tk.Misc, key: str, *args: str | int) -> None:
        """Sets a widget's text now and whenever the language changes; a later call replaces an earlier one."""
        fresh = not hasattr(widget, "qipan_text")
        cast(Any, widget).qipan_text = (key, args)

        def fill() -> None:
            word, places = cast(Any, widget).qipan_text
            cast(Any, widget).configure(text=self.t(word, *places))

        fill()
        if fresh:
            self.on_language(fill, widget)

    def on_language(self, fn: Callable[[], object], owner: tk.Misc | None = None) -> None:
        """Calls ``fn`` after each change of the language, as long as ``owner`` lives."""
        self._keep(self._language_fns, fn, owner)

    def on_theme(self, fn: Callable[[], object], owner: tk.Misc | None = None) -> None:
        """Calls ``fn`` after each change of the mode or of the board's theme, as long as ``owner`` lives."""
        self._keep(self._theme_fns, fn, owner)

    def _keep(self, fns: list[Watcher], fn: Callable[[], object], owner: tk.Misc | None) -> None:
        fns[:] = [watcher for watcher in fns if watcher.alive()]
        fns.append(Watcher(fn, owner))

    def set_language(self, language: str) -> None:
        """Switches every text of the window."""
        self.language = self.settings.language = cast(Any, language)
        self.style.set_language(language)
        self._call(self._language_fns)
        self._entitle()
        self.save_soon()

    # -- looks ---------------------------------------------------------------------------------------------------
    def _wanted_mode(self) -> Mode:
        return system.mode() if self.settings.mode == "system" else self.settings.mode

    def set_mode(self, mode: str) -> None:
        """Switches to "light", "dark" or what the "system" has."""
        self.settings.mode = cast(Any, mode)
        self.style.set_mode(self._wanted_mode())
        self._call(self._theme_fns)
        self.save_soon()

    def set_theme(self, theme: str) -> None:
        """Switches the theme of the boards."""
        self.settings.theme = theme
        self._call(self._theme_fns)
        self.save_soon()

    def set_text_scale(self, scale: float) -> None:
        """Makes everything larger or smaller: the style is made anew, and with it the page."""
        self.settings.text_scale = scale
        factor = screen_scale(self.root) * scale
        if factor not in self._styles:  # a style is kept: its pictures belong to the theme of that scale
            self._styles[factor] = Style(self.root, self.style.mode, factor, self.language)
        style = self._styles[factor]
        style.use(self.style.mode, self.language)
        self.style = style
        self._dress_window(resize=False)
        self.save_soon()
        self.open_settings()

    def _call(self, fns: list[Watcher]) -> None:
        for watcher in list(fns):
            if watcher.alive():
                watcher.fn()

    # -- sound ---------------------------------------------------------------------------------------------------
    def set_volume(self, volume: float) -> None:
        """The loudness of cues, 0 to 1."""
        self.settings.volume = min(1.0, max(0.0, volume))
        if self.player is not None:
            self.player.set_volume(self.settings.volume)
        self.save_soon()

    def set_muted(self, muted: bool) -> None:
        """Silences cues, or lets them sound again."""
        self.settings.muted = muted
        if self.player is not None:
            self.player.set_muted(muted)
        self.save_soon()

    # -- settings ------------------------------------------------------------------------------------------------
    def save_soon(self) -> None:
        """Saves the settings once changes have come to rest."""
        if self._save_due:
            self.root.after_cancel(self._save_due)
        self._save_due = self.root.after(_SAVE_AFTER, self.save)

    def save(self) -> None:
        """Saves the settings now; a disk that refuses is told in the window."""
        if self._save_due:
            self.root.after_cancel(self._save_due)
            self._save_due = ""
        try:
            self._kept = settings_file.save_changes(self.paths.settings, self.settings, self._kept)
        except OSError as fault:
            self.tell(self.t("app.unsaved", str(self.paths.settings), fault.strerror or str(fault)))

    # -- pages ---------------------------------------------------------------------------------------------------
    def show(self, page: ttk.Frame, title: Callable[[], str] = str) -> None:
        """Puts a page in place of the present one, which is destroyed; ``title`` is asked in every language."""
        if self.popup is not None:
            self.popup.dismiss()
        old, self.page = self.page, page
        page.grid(row=1, column=0, sticky="nswe")
        if old is not None:
            old.destroy()
        if isinstance(page, Keyed):
            page.bind_keys()
        self._title = title
        self._entitle()

    def _entitle(self) -> None:
        title = self._title()
        self.root.title(f"{title} · Qipan" if title else "Qipan")

    def bind_page(self, page: ttk.Frame, keys: Mapping[str, Callable[[tk.Event[Any]], object]]) -> None:
        """Gives a page accelerators: Tk sequences that count while it is the open one, and are gone when it is."""
        bound: list[tuple[str, str]] = []
        # A binding holds the page and all its pictures.
        page.bind("<Destroy>", lambda event: unbind(self.root, bound))
        for sequence, command in keys.items():

            def pressed(event: tk.Event[Any], sequence: str = sequence, command: Any = command) -> object:
                if self.page is not page:
                    return None
                if sequence == "<Escape>" and self.popup is not None:
                    return self.popup.dismiss()
                return command(event)

            bound.append((sequence, self.root.bind(sequence, pressed)))

    def open_first(self) -> None:
        """Opens what the start asks for; a fault of it is told on the launcher."""
        from qipan.tk import begin

        self.open_launcher()
        start = self.start
        if start.file is not None:
            begin.open_file(self, start.file)
        elif start.game:
            with self.telling():
                opened = self.host.open(start.game)
                begin.start_game(self, opened, options=start.options, position=start.position)

    def open_launcher(self) -> None:
        """The gallery of games."""
        from qipan.tk.launcher.page import Launcher

        self._leave_page()  # a table's game is among the unfinished ones once the table has let it go
        self.show(Launcher(self.root, self))

    def _leave_page(self) -> None:
        if self.page is not None:
            page, self.page = self.page, None
            page.destroy()

    def open_table(self, session: Session, opened: Opened, *, filed: bool = False) -> None:
        """The table of one game; ``filed``: it is in a file as it stands, so that it needn't be kept."""
        from qipan.tk.table.page import Table

        self.show(Table(self.root, self, session, opened, filed=filed), lambda: opened.info.name.text(self.language))

    def open_settings(self) -> None:
        """The page of all settings; its Back leads where one came from the launcher."""
        from qipan.tk.settings_page import SettingsPage

        self.show(SettingsPage(self.root, self), lambda: self.t("settings"))

    def open_help(self) -> None:
        """The list of keys over the page."""
        from qipan.tk.help import Help

        Help.toggle(self)


def run(start: Start) -> int:
    """Opens the window and gives the exit code when it closes. Raises tk.TclError where there is no display."""
    from qipan.audio.player import Player

    paths = user_paths()
    with contextlib.suppress(OSError):  # without a log file the messages go to stderr alone
        paths.log.parent.mkdir(parents=True, exist_ok=True)
        logging.getLogger("qipan").addHandler(logging.FileHandler(paths.log, encoding="utf-8", delay=True))
    player = Player(log=log.warning)
    try:
        return App(start, paths=paths, player=player).run()
    finally:
        player.close()
