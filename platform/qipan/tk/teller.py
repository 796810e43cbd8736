"""How a window tells what went wrong: logged, and shown in place until it is closed; nothing vanishes."""

from __future__ import annotations

import contextlib
import logging
import tkinter as tk
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from tkinter import ttk
from typing import Any, TypeAlias, cast

from qipan.acts import PluginFault
from qipan.host import Host, PluginBroken
from qipan.misread import unread
from qipan.tk.style import Style
from qipan.tk.widgets import FaultBox
from qipan.values import Fault
from qipan.words import Words

log = logging.getLogger("qipan.tk")


Failure: TypeAlias = "Fault | PluginBroken | PluginFault | OSError"  # what fails in a way a player understands


def sentence(fault: Failure) -> Fault:
    """What is told of a failure."""
    if isinstance(fault, PluginBroken | PluginFault):
        return fault.told
    return unread(fault) if isinstance(fault, OSError) else fault


class Teller(ABC):
    """The half of the application that tells faults. ``faults``: the exceptions reported so far."""

    root: tk.Tk
    style: Style
    page: ttk.Frame | None
    host: Host
    words: Words
    language: str

    def __init__(self) -> None:
        self.faults: list[BaseException] = []
        self._banner: FaultBox | None = None
        self._reported = ""  # the fault that the banner shows

    @abstractmethod
    def t(self, key: str, *args: str | int | Fault) -> str:
        """The sentence of a key in the window's language."""

    def _raised(self, kind: type[BaseException], fault: BaseException, trace: Any) -> None:
        self.report(fault)

    def report(self, fault: BaseException) -> None:
        """Logs an exception and shows it in the window, with its details to copy."""
        self.faults.append(fault)
        details = "".join(traceback.format_exception(fault))
        log.error("in the window: %s", details)
        with contextlib.suppress(tk.TclError):  # the window itself may be going
            line = "".join(traceback.format_exception_only(fault)).strip().splitlines()[-1]
            if line == self._reported:  # shown anew, what fails whenever the page is laid out would fail for ever
                return
            self._show_banner(self.t("app.fault"), line, details)
            self._reported = line

    def tell(
        self, text: str, details: str = "", actions: Sequence[tuple[str, Callable[[], object]]] = ()
    ) -> None:
        """Shows a sentence about something that went wrong, until it is closed; ``actions``: (key, command)."""
        self._show_banner(text, "", details, actions)

    def plugin_failed(self, fault: PluginBroken | Fault) -> None:
        """A game could not be opened or drawn just now: the launcher shows its plugin as broken."""
        from qipan.tk.launcher.page import Launcher

        if isinstance(fault, PluginBroken) and isinstance(self.page, Launcher):
            log.warning("%s", fault)
            self.page.failed(fault)
        else:
            self._told(fault)

    @contextlib.contextmanager
    def telling(self, game: str = "") -> Iterator[None]:
        """What fails inside in a way a player understands (Fault, PluginBroken, PluginFault, OSError) is told.

        ``game``: the one whose words tell it.
        """
        try:
            yield
        except (PluginBroken, PluginFault, Fault, OSError) as fault:
            self._told(fault, game)

    def _told(self, fault: Failure, game: str = "") -> None:
        log.warning("%s", fault)
        trace = fault.trace if isinstance(fault, PluginBroken) else ""
        self.tell(self.say(sentence(fault), game), fault.traceback if isinstance(fault, PluginFault) else trace)

    def say(self, fault: Fault, game: str = "") -> str:
        """A fault in the window's language: in the words of a game where it is known, of any game where it isn't."""
        words = self.words
        for known in (*self.host.games, *({game} & self.host.games.keys())):
            with contextlib.suppress(PluginBroken):  # its words can't be read, and its card says so
                words = words.plus(self.host.words(known))
        return words.say(fault, self.language)

    def _show_banner(
        self, title: str, text: str, details: str, more: Sequence[tuple[str, Callable[[], object]]] = ()
    ) -> None:
        self.clear_banner()
        actions = list(more)
        if details:
            actions.append(("app.copy-details", lambda: self.copy(details)))
        actions.append(("app.close", self.clear_banner))
        pad = self.style.px(8)
        self._banner = FaultBox(cast(Any, self), self.root, title, text, actions, ground="Bg.")
        self._banner.grid(row=0, column=0, sticky="we", padx=pad, pady=pad)

    def clear_banner(self) -> None:
        """Takes the told fault away."""
        self._reported = ""
        if self._banner is not None:
            self._banner.destroy()
            self._banner = None

    def copy(self, text: str) -> None:
        """Puts a text on the clipboard."""
        self.root.clipboard_clear()
        self.root.clipboard_append(text)
