"""The record column: the move list under its title, the slider and buttons to go through the game, the comment."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import TYPE_CHECKING, Any

from qipan.saved import MOST_TEXT
from qipan.tk import widgets
from qipan.tk.select import Popup
from qipan.tk.table import keys
from qipan.tk.table.moves import MoveList
from qipan.tree import Node
from qipan.values import Note

if TYPE_CHECKING:
    from qipan.tk.table.page import Table

_STEPS = (("first", "first"), ("back", "previous"), ("autoplay", "play"), ("forward", "next"), ("last", "last"))


class RecordHead(ttk.Frame):
    """The title of the list, and which notation it is written in."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        self._table = table
        px = table.app.style.px
        widgets.label(table.app, self, "table.moves", "Title.TLabel").pack(side="left", padx=px(16), pady=px(9))
        self.notation = widgets.button(table.app, self, style="Tool.TButton", command=self._choose)
        self.notation.configure(compound="right")
        widgets.set_icon(table.app, self.notation, "down")
        if len(table.styles) > 1:
            self.notation.pack(side="right", padx=px(8))

    def refresh(self) -> None:
        """Names the present notation."""
        self.notation.configure(text=self._named(self._table.notation))

    def _named(self, style: str) -> str:
        return self._table.speaker.text(f"style.{style}")

    def _choose(self) -> None:
        table = self._table

        def done(choice: str | None) -> None:
            popup.destroy()
            if choice is not None:
                table.deeds.set_notation(choice)

        choices = [(style, self._named(style)) for style in table.styles]
        popup = Popup(table.app, self.notation, choices, table.notation, done)


class Transport(ttk.Frame):
    """Slider, the five buttons, and the ply that is looked at."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        self._table = table
        app = table.app
        px = app.style.px
        self._line: list[Node] = []
        self.slider = widgets.slider(app, self, 0, 1, 0, self._slid)
        self.slider.pack(fill="x", padx=px(16), pady=(px(10), px(4)))
        row = ttk.Frame(self)
        row.pack(fill="x", padx=px(8), pady=(0, px(8)))
        self.buttons: dict[str, ttk.Button] = {}
        for command, icon in _STEPS:
            button = widgets.button(
                app, row, icon=icon, style="Tool.TButton", tip=f"table.{command}", keys=keys.label(command),
                command=lambda command=command: table.do(command),  # type: ignore[misc]
                why_not=lambda command=command: table.deeds.why_not(command),  # type: ignore[misc]
            )  # fmt: skip
            button.pack(side="left", expand=True)
            self.buttons[command] = button
        self.count = ttk.Label(row, style="Secondary.TLabel", anchor="e")
        self.count.pack(side="right", padx=(px(4), px(8)))

    def refresh(self) -> None:
        """Shows where in its line the node lies that is looked at."""
        table = self._table
        self._line = table.sitting.whole_line()
        at = table.sitting.node.ply
        end = len(self._line) - 1
        self.slider.configure(to=max(1, end), value=at)
        self.slider.state(["disabled" if end == 0 else "!disabled"])
        self.count.configure(text=f"{at} / {end}")
        for command, button in self.buttons.items():
            button.state(["!disabled" if table.can(command) else "disabled"])
        widgets.set_icon(table.app, self.buttons["autoplay"], "pause" if table.autoplaying else "play")

    def _slid(self, value: float) -> None:
        node = self._line[min(round(value), len(self._line) - 1)] if self._line else None
        if node is not None and node is not self._table.sitting.node:
            self._table.deeds.look_at(node, along=True)


class CommentBox(ttk.Frame):
    """What is said of the move that is looked at; it can be written at once. Folded: one line."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        self._table = table
        self._node: Node | None = None
        self._kept = ""
        app = table.app
        px = app.style.px
        head = ttk.Frame(self)
        head.pack(fill="x", padx=(px(16), px(8)), pady=(px(6), 0))
        self.title = ttk.Label(head, style="Bold.TLabel")
        self.title.pack(side="left")
        widgets.button(
            app, head, icon="comment", style="Tool.TButton", tip="key.comment", keys=keys.label("comment"),
            command=self.edit,
        ).pack(side="right")  # fmt: skip
        self.clear = widgets.button(
            app, head, icon="bin", style="Tool.TButton", tip="table.clear-marks",
            command=lambda: table.hand.marker.clear(),
        )  # fmt: skip
        self._frame = ttk.Frame(self, style="Field.TFrame", padding=px(2))
        self._frame.pack(fill="both", expand=True, padx=px(16), pady=(px(2), px(14)))
        self.field = tk.Text(
            self._frame, wrap="word", height=4, width=10, relief="flat", borderwidth=0, highlightthickness=0,
            padx=px(10), pady=px(6), font=app.style.font(14), undo=True, spacing3=px(2),
        )  # fmt: skip
        self.field.pack(fill="both", expand=True)
        self.field.bind("<FocusIn>", lambda event: self._frame.state(["focus"]))
        self.field.bind("<FocusOut>", self._left)
        self.field.bind("<Escape>", self._leave)
        self.field.bind("<Control-Return>", self._leave)
        self.field.bind("<Tab>", self._tab)
        self.bind("<Configure>", lambda event: self._show_title())
        app.on_theme(self._colour, self)
        self._colour()

    def _colour(self) -> None:
        style = self._table.app.style
        self.field.configure(
            background=style.raised, foreground=style.ink, insertbackground=style.ink,
            selectbackground=style.accent, selectforeground=style.on_accent,
        )  # fmt: skip

    def fold(self, on: bool) -> None:
        """One line in place of four, where the window is low."""
        self.field.configure(height=1 if on else 4)

    def edit(self) -> None:
        """Lets the comment be written."""
        self.field.focus_set()
        self.field.mark_set("insert", "end-1c")

    def refresh(self) -> None:
        """Shows the comment of the node that is looked at."""
        table = self._table
        node = table.sitting.node
        self._show_title()
        if not node.marks:
            self.clear.pack_forget()
        elif not self.clear.winfo_manager():
            self.clear.pack(side="right")
        if node is not self._node or node.comment != self._kept:
            self.keep()
            self._node, self._kept = node, node.comment
            self.field.delete("1.0", "end")
            self.field.insert("1.0", node.comment)
            self.field.edit_reset()

    def _show_title(self) -> None:
        table = self._table
        node, speaker = table.sitting.node, table.speaker
        if node.parent is None:
            title = speaker.text("table.comment-start")
        else:
            title = speaker.text("table.comment-on", f"{table.numbered(node)} {table.record.moves.text(node)}")
        room = self.winfo_width() - table.app.style.px(106 if node.marks else 70)
        self.title.configure(text=table.app.style.fit(title, room, 14, True) if room > 40 else title)

    def keep(self) -> None:
        """Enters in the record what was written."""
        node = self._node
        whole = self.field.get("1.0", "end-1c").strip()
        text = whole[:MOST_TEXT]  # what is beyond stays in the field, and is told
        if node is not None and text != self._kept:
            self._kept = text
            self._table.deeds.comment(node, text)
            if text != whole:
                self._table.sitting.refused = Note("comment-too-long", (MOST_TEXT,))
                self._table.refresh()

    def _left(self, event: tk.Event[Any]) -> None:
        self._frame.state(["!focus"])
        self.keep()

    def _leave(self, event: tk.Event[Any]) -> str:
        self._table.board.focus_set()
        return "break"

    def _tab(self, event: tk.Event[Any]) -> str:
        following = self.field.tk_focusNext()
        if following is not None:
            following.focus_set()
        return "break"


class Record(ttk.Frame):
    """The whole column: head, list, transport, comment; the table may put plates and the status between them."""

    def __init__(self, parent: tk.Misc, table: Table) -> None:
        super().__init__(parent)
        self._table = table
        app = table.app
        self.above = ttk.Frame(self)
        self.head = RecordHead(self, table)
        self.head_line = widgets.hairline(app, self)
        self.moves = MoveList(self, table, self._menu)
        self.transport = Transport(self, table)
        self.comment = CommentBox(self, table)
        self.below = ttk.Frame(self)
        parts: tuple[tk.Misc, ...] = (
            self.above, self.head, self.head_line, self.moves, widgets.hairline(app, self), self.transport,
            widgets.hairline(app, self), self.comment, self.below,
        )  # fmt: skip
        for number, part in enumerate(parts):
            part.grid(row=number, column=0, sticky="nswe")  # type: ignore[attr-defined]
        self.columnconfigure(0, weight=1)
        self.rowconfigure(3, weight=1)

    def narrow(self, on: bool, low: bool) -> None:
        """The shape for a narrow window (no title, no slider), for a low one (the comment in one line)."""
        for part in (self.head, self.head_line):
            if on:
                part.grid_remove()
            else:
                part.grid()
        if on:
            self.transport.slider.pack_forget()
        elif not self.transport.slider.winfo_manager():
            first = self.transport.winfo_children()[1]
            px = self._table.app.style.px
            self.transport.slider.pack(fill="x", padx=px(16), pady=(px(10), px(4)), before=first)
        self.comment.fold(on or low)

    def refresh(self) -> None:
        """Shows the tree and the place in it that is looked at."""
        self.head.refresh()
        self.moves.refresh()
        self.transport.refresh()
        self.comment.refresh()

    def _menu(self, node: Node, event: tk.Event[Any]) -> None:
        table = self._table
        choices = [("go", table.speaker.text("table.go-there"))]
        if table.is_aside(node):
            choices += [
                ("promote", table.speaker.text("table.promote")), ("delete", table.speaker.text("table.delete")),
            ]  # fmt: skip

        def done(choice: str | None) -> None:
            popup.destroy()
            if choice == "go":
                table.deeds.look_at(node)
            elif choice == "promote":
                table.deeds.promote(node)
            elif choice == "delete":
                table.deeds.remove(node)

        popup = Popup(table.app, self.moves.canvas, choices, "", done)
        top = table.winfo_toplevel()
        popup.place(x=event.x_root - top.winfo_rootx(), y=event.y_root - top.winfo_rooty())
