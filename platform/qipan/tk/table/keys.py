"""The accelerators of the table, in one list: what is bound, and what Help shows."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Container, Iterable
from typing import Any, NamedTuple


class Key(NamedTuple):
    """One accelerator: the command it gives, the Tk sequences that give it, and how it is written for people."""

    command: str
    sequences: tuple[str, ...]
    label: str


KEYS: tuple[Key, ...] = (
    Key("walk", ("<Left>", "<Right>", "<Up>", "<Down>"), "\u2190 \u2191 \u2192 \u2193"),
    Key("touch", ("<Return>", "<KP_Enter>", "<space>"), "Enter / Space"),
    Key("put-back", ("<Escape>",), "Esc"),
    Key("take-back", ("<Control-z>",), "Ctrl Z"),
    Key("redo", ("<Control-y>", "<Control-Shift-Z>"), "Ctrl Y"),
    Key("look-back", ("<l>", "<L>"), "L"),
    Key("look-more", ("<plus>", "<equal>", "<KP_Add>"), "+"),
    Key("look-less", ("<minus>", "<KP_Subtract>"), "\u2212"),
    Key("flip", ("<f>", "<F>"), "F"),
    Key("type", ("<t>", "<T>", "<slash>"), "T"),
    Key("first", ("<Home>",), "Home"),
    Key("back", ("<Prior>",), "Page Up"),
    Key("forward", ("<Next>",), "Page Down"),
    Key("last", ("<End>",), "End"),
    Key("autoplay", ("<p>", "<P>"), "P"),
    Key("mark", ("<k>", "<K>"), "K"),
    Key("arrow", ("<a>", "<A>"), "A"),
    Key("comment", ("<e>", "<E>"), "E"),
    Key("copy", ("<Control-c>",), "Ctrl C"),
    Key("copy-game", ("<Control-Shift-C>",), "Ctrl Shift C"),
    Key("paste", ("<Control-v>",), "Ctrl V"),
    Key("save", ("<Control-s>",), "Ctrl S"),
    Key("save-as", ("<Control-Shift-S>",), "Ctrl Shift S"),
    Key("open", ("<Control-o>",), "Ctrl O"),
    Key("draw", ("<Control-d>",), "Ctrl D"),
    Key("resign", ("<Control-r>",), "Ctrl R"),
    Key("restart", ("<Control-n>",), "Ctrl N"),
    Key("pause", ("<Control-p>", "<Pause>"), "Ctrl P"),
    Key("mute", ("<m>", "<M>"), "M"),
    Key("rules", ("<F2>",), "F2"),
    Key("help", ("<F1>",), "F1"),
    Key("quit", ("<Control-q>",), "Ctrl Q"),
)

_IN_TEXTS = ("save", "save-as", "open", "rules")
_HELD = 0x4 | 0x8 | 0x20000  # Control, Alt, and Alt on Windows, in an event's state


def label(command: str) -> str:
    """How the key of a command is written; "" for a command without one."""
    return next((key.label for key in KEYS if key.command == command), "")


def bind_keys(root: tk.Tk, do: Callable[[str], object], commands: Container[str]) -> Callable[[], None]:
    """Binds the keys of these commands in the whole window; gives what takes the bindings back.

    While a text is edited only those work that have no meaning there; the board has its own for walking.
    """
    bound: list[tuple[str, str]] = []
    for key in KEYS:
        if key.command in commands and key.command != "put-back":
            for sequence in key.sequences:
                bound.append((sequence, root.bind(sequence, _handler(key, do), add="+")))
    escape = next(key for key in KEYS if key.command == "put-back")
    bound.append(("<Escape>", root.bind("<Escape>", _handler(escape, do), add="+")))
    return lambda: unbind(root, bound)


def _handler(key: Key, do: Callable[[str], object]) -> Callable[[tk.Event[Any]], str | None]:
    bare = not key.label.startswith("Ctrl")

    def handle(event: tk.Event[Any]) -> str | None:
        if isinstance(event.widget, tk.Entry | tk.Text) and key.command not in _IN_TEXTS:
            return None
        if bare and isinstance(event.state, int) and event.state & _HELD:
            return None  # Tk takes Ctrl+F for F where nothing is bound to it
        do(key.command)
        return "break"

    return handle


def unbind(root: tk.Tk, bound: Iterable[tuple[str, str]]) -> None:
    """Takes bindings back and leaves the others of their sequences; Tkinter's `unbind` doesn't before 3.13."""
    for sequence, name in bound:
        lines = str(root.tk.call("bind", ".", sequence)).split("\n")
        kept = [line for line in lines if name not in line]
        root.tk.call("bind", ".", sequence, "\n".join(kept).strip())
        root.deletecommand(name)
