"""How a window tells what went wrong: logged, and shown in place until it is closed; nothing vanishes."""

from __future__ import annotations

import contextlib
import logging
import tkinter as tk
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from tkinter import ttk
from typing import Any, cast

from qipan.acts import PluginFault
from qipan.host import PluginBroken
from qipan.tk.style import Style
from qipan.tk.widgets import FaultBox
from qipan.values import Fault

log = logging.getLogger("qipan.tk")


class Teller(ABC):
    """The half of the application that tells faults. ``faults``: the exceptions reported so far."""

    root: tk.Tk
    style: Style
    page: ttk.Frame | None

    def __init__(self) -> None:
        self.faults: list[BaseException] = []
        self._banner: FaultBox | None = None

    @abstractmethod
    def t(self, key: str, *args: str | int) -> str:
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
            self._show_banner(self.t("app.fault"), line, details)

    def tell(
        self, text: str, details: str = "", actions: Sequence[tuple[str, Callable[[], object]]] = ()
    ) -> None:
        """Shows a sentence about something that went wrong, until it is closed; ``actions``: (key, command)."""
        self._show_banner(text, "", details, actions)

    def plugin_failed(self, fault: PluginBroken | Fault) -> None:
        """A game could not be opened or drawn just now: the launcher shows its plugin as broken."""
        from qipan.tk.launcher import Launcher

        if isinstance(fault, PluginBroken) and isinstance(self.page, Launcher):
            log.warning("%s", fault)
            self.page.failed(fault)
        else:
            self.tell(str(fault), fault.trace if isinstance(fault, PluginBroken) else "")

    @contextlib.contextmanager
    def telling(self) -> Iterator[None]:
        """What fails inside in a way a player understands (Fault, PluginBroken, PluginFault, OSError) is told."""
        try:
            yield
        except PluginBroken as broken:
            self.tell(str(broken), broken.trace)
        except PluginFault as fault:
            self.tell(str(fault), fault.traceback)
        except (Fault, OSError) as fault:
            self.tell(str(fault))

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
        if self._banner is not None:
            self._banner.destroy()
            self._banner = None

    def copy(self, text: str) -> None:
        """Puts a text on the clipboard."""
        self.root.clipboard_clear()
        self.root.clipboard_append(text)
