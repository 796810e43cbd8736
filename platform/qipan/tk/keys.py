"""The accelerators of the table, in one list: what is bound, and what Help shows."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Container
from typing import Any, NamedTuple


class Key(NamedTuple):
    """One accelerator: the command it gives, the Tk sequences that give it, and how it is written for people.

    ``plain``: without Ctrl; such a key does nothing while a text is being edited.
    """

    command: str
    sequences: tuple[str, ...]
    label: str
    plain: bool = False


KEYS: tuple[Key, ...] = (
    Key("walk", ("<Left>", "<Right>", "<Up>", "<Down>"), "\u2190 \u2191 \u2192 \u2193", True),
    Key("touch", ("<Return>", "<KP_Enter>", "<space>"), "Enter / Space", True),
    Key("put-back", ("<Escape>",), "Esc"),
    Key("take-back", ("<Control-z>",), "Ctrl Z"),
    Key("redo", ("<Control-y>", "<Control-Shift-Z>"), "Ctrl Y"),
    Key("look-back", ("<l>", "<L>"), "L", True),
    Key("look-more", ("<plus>", "<equal>", "<KP_Add>"), "+", True),
    Key("look-less", ("<minus>", "<KP_Subtract>"), "\u2212", True),
    Key("flip", ("<f>", "<F>"), "F", True),
    Key("type", ("<t>", "<T>", "<slash>"), "T", True),
    Key("first", ("<Home>",), "Home", True),
    Key("back", ("<Prior>",), "Page Up", True),
    Key("forward", ("<Next>",), "Page Down", True),
    Key("last", ("<End>",), "End", True),
    Key("autoplay", ("<p>", "<P>"), "P", True),
    Key("comment", ("<e>", "<E>"), "E", True),
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
    Key("mute", ("<m>", "<M>"), "M", True),
    Key("help", ("<F1>",), "F1"),
    Key("quit", ("<Control-q>",), "Ctrl Q"),
)


def label(command: str) -> str:
    """How the key of a command is written; "" for a command without one."""
    return next((key.label for key in KEYS if key.command == command), "")


def bind_keys(root: tk.Tk, do: Callable[[str], object], commands: Container[str]) -> Callable[[], None]:
    """Binds the keys of these commands in the whole window; gives what takes the bindings back.

    While a text is edited only those with Ctrl work that no text needs itself; the board has its own for walking.
    """
    bound: list[tuple[str, str]] = []
    for key in KEYS:
        if key.command in commands and key.command != "put-back":
            for sequence in key.sequences:
                bound.append((sequence, root.bind(sequence, _handler(key, do), add="+")))
    escape = next(key for key in KEYS if key.command == "put-back")
    bound.append(("<Escape>", root.bind("<Escape>", _handler(escape, do), add="+")))

    def release() -> None:
        for sequence, name in bound:
            _unbind(root, sequence, name)

    return release


def _handler(key: Key, do: Callable[[str], object]) -> Callable[[tk.Event[Any]], str | None]:
    mine = key.command in ("copy", "paste", "take-back", "redo", "put-back")  # what a text field does itself

    def handle(event: tk.Event[Any]) -> str | None:
        if isinstance(event.widget, tk.Entry | tk.Text) and (key.plain or mine):
            return None
        do(key.command)
        return "break"

    return handle


def _unbind(root: tk.Tk, sequence: str, name: str) -> None:
    """Takes one binding back and leaves the others of its sequence; Tkinter's `unbind` doesn't before 3.13."""
    lines = str(root.tk.call("bind", ".", sequence)).split("\n")
    kept = [line for line in lines if name not in line]
    root.tk.call("bind", ".", sequence, "\n".join(kept).strip())
    root.deletecommand(name)
