"""The launcher's middle: search and tags, unfinished games, recent files, and a card for every game."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from pathlib import Path
from tkinter import ttk
from typing import TYPE_CHECKING, Any

from qipan.host import PluginBroken, Status
from qipan.tk.fields import HintField
from qipan.tk.launcher.cards import FOOT, PICTURE, RIM, BrokenCard, FileRow, GameCard, Tile, UnfinishedRow
from qipan.tk.launcher.thumbs import Pictures
from qipan.tk.scroll import Scrolled
from qipan.tk.widgets import button, label, walk_keys

if TYPE_CHECKING:
    from qipan.catalogue import GameInfo
    from qipan.host import Plugin
    from qipan.journal import Unfinished
    from qipan.tk.launcher.page import Launcher
    from qipan.words import Words

MARGIN, GAP, WIDEST = 20, 14, 260
_RECENT = 6


class Gallery(ttk.Frame):
    """Shows what fits the search and the chosen tag; ``launcher`` is told what is pressed."""

    def __init__(self, launcher: Launcher) -> None:
        app = launcher.app
        super().__init__(launcher, style="Bg.TFrame")
        self.launcher, self.app, self.tag = launcher, app, ""
        self.cards: dict[str, Tile] = {}
        self.rows: list[UnfinishedRow] = []
        self.files: list[FileRow] = []
        self.pictures: Pictures = launcher.pictures
        self._words: dict[str, Words] = {}
        self._columns = 0
        self._make_head()
        self.scrolled = Scrolled(app, self, "Bg.")
        self.scrolled.pack(fill="both", expand=True)
        self.body = self.scrolled.inner
        self.body.bind("<Configure>", self._resized, add="+")
        app.on_language(self.refill, self)
        self.refill()

    # -- search and tags -----------------------------------------------------------------------------------------
    def _make_head(self) -> None:
        app, px = self.app, self.app.style.px
        head = ttk.Frame(self, style="Bg.TFrame", padding=(px(MARGIN), px(16), px(MARGIN), px(12)))
        head.pack(fill="x")
        self.title = label(app, head, "games", "Bg.Page.TLabel")
        self.title.pack(side="left")
        self.field = HintField(app, head, "search", "search.hint", clear=self.clear_search, ground="Bg.")
        self.field.configure(width=px(256))
        self.field.pack(side="right")
        self.search = self.field.entry
        self.search.bind("<Escape>", lambda event: self.clear_search())
        self.search.bind("<Down>", lambda event: self.focus_first())
        self.search.bind("<Return>", lambda event: self.focus_first())
        self.query = self.field.value
        self.field.follow(lambda: self.refill(chips=False))
        self.chips = ttk.Frame(self, style="Bg.TFrame", padding=(px(MARGIN), 0, px(MARGIN), px(4)))
        self.chips.pack(fill="x")
        self._chosen_tag = tk.StringVar(self)

    def clear_search(self) -> None:
        """Shows everything again."""
        self.query.set("")
        self._chosen_tag.set("")
        self.tag = ""
        self.refill()

    def _make_chips(self) -> None:
        for old in self.chips.winfo_children():
            old.destroy()
        keys = sorted({len(info.seats) for info in self._games()})
        names = [("", self.app.t("tag.all")), *((f"#{n}", self.players(n)) for n in keys)]
        for tag in sorted({tag for info in self._games() for tag in info.tags}):
            names.append((tag, self._tag(tag)))
        for value, text in names:
            chip = ttk.Radiobutton(
                self.chips, style="Bg.Chip.Toolbutton", text=text, value=value, variable=self._chosen_tag,
                command=lambda value=value: self._choose_tag(value),  # type: ignore[misc]
            )  # fmt: skip
            chip.pack(side="left", padx=(0, self.app.style.px(8)))
            walk_keys(chip)

    def _choose_tag(self, tag: str) -> None:
        self.tag = tag
        self.refill(chips=False)

    # -- what there is -------------------------------------------------------------------------------------------
    def _games(self) -> list[GameInfo]:
        """The games whose plugin fares well."""
        host = self.app.host
        return [info for info in host.games.values() if host.owner(info.id).status is Status.OK]

    def _broken(self) -> list[Plugin]:
        return [plugin for plugin in self.app.host.plugins if plugin.status is not Status.OK]

    def players(self, seats: int) -> str:
        """How many play, in words."""
        return self.app.t("players", seats)

    def _tag(self, tag: str) -> str:
        for info in self._games():
            if tag in info.tags:
                text = self.game_word(info, f"tag.{tag}")
                if text != f"tag.{tag}":
                    return text
        return self.app.t(f"tag.{tag}") if f"tag.{tag}" in self.app.words else tag

    def game_word(self, info: GameInfo, key: str) -> str:
        """A sentence of a game's own words; the key where they have none or can't be read."""
        if info.id not in self._words:
            try:
                self._words[info.id] = self.app.host.words(info.id)
            except PluginBroken:  # its card says so from now on
                return key
        return self._words[info.id].text(key, self.app.language)

    def forget_words(self) -> None:
        """Reads the games' own words again when next asked."""
        self._words.clear()

    def tags(self, info: GameInfo) -> str:
        """The line of a game's card."""
        return " · ".join([self.players(len(info.seats)), *(self._tag(tag) for tag in info.tags)])

    def _fits(self, texts: Sequence[str]) -> bool:
        words = self.query.get().casefold().split()
        whole = " ".join(texts).casefold()
        return all(word in whole for word in words)

    def _wanted(self, info: GameInfo) -> bool:
        if self.tag.startswith("#") and len(info.seats) != int(self.tag[1:]):
            return False
        if self.tag and not self.tag.startswith("#") and self.tag not in info.tags:
            return False
        tags = [*info.tags, *(self._tag(tag) for tag in info.tags), self.players(len(info.seats))]
        return self._fits([info.id, info.name.en, info.name.zh, *tags])

    # -- filling -------------------------------------------------------------------------------------------------
    def refill(self, chips: bool = True) -> None:
        """Makes the cards and rows anew for the search, the tag, the place and the language."""
        if chips:
            self._make_chips()
        self.pictures.forget()
        for old in self.body.winfo_children():
            old.destroy()
        self.cards, self.rows, self.files = {}, [], []
        self._columns = 0
        place, quiet = self.launcher.place_name, not self.query.get() and not self.tag
        self.app.texts(self.title, "continue" if place == "continue" else "games")
        if quiet:
            self._fill_unfinished(self.launcher.unfinished)
        if place != "continue":
            self._fill_games()
        if quiet:
            self._fill_recent()
        if place == "continue" and not self.launcher.unfinished and not self.files:
            self._empty("unfinished.none", "unfinished.none.more")
        self.scrolled.top()
        self._lay(self.body.winfo_width())

    def _section(self, key: str, more: str) -> None:
        px = self.app.style.px
        row = ttk.Frame(self.body, style="Bg.TFrame", padding=(px(MARGIN), px(12), px(MARGIN), px(8)))
        row.pack(fill="x")
        label(self.app, row, key, "Bg.Bold.TLabel").pack(side="left")
        ttk.Label(row, style="Bg.Caption.TLabel", text=more).pack(side="left", padx=(px(8), 0))

    def _fill_unfinished(self, games: Sequence[Unfinished]) -> None:
        if not games:
            return
        px = self.app.style.px
        self._section("unfinished", self.app.t("unfinished.paused"))
        shown = games if self.launcher.place_name == "continue" else games[:2]
        self._unfinished = ttk.Frame(self.body, style="Bg.TFrame", padding=(px(MARGIN), 0, px(MARGIN), 0))
        self._unfinished.pack(fill="x")
        for game in shown:
            self.rows.append(
                UnfinishedRow(
                    self.app, self._unfinished, game, self.app.host.games.get(game.game), self.pictures,
                    lambda game=game: self.launcher.resume(game), lambda game=game: self.launcher.discard(game),  # type: ignore[misc]
                )
            )  # fmt: skip

    def _fill_recent(self) -> None:
        known = [Path(name) for name in self.app.settings.recent]
        files = [file for file in known if file.is_file()][:_RECENT]
        if not files:
            return
        px = self.app.style.px
        self._section("recent", "")
        holder = ttk.Frame(self.body, style="Bg.TFrame", padding=(px(MARGIN - 4), 0, px(MARGIN - 4), 0))
        holder.pack(fill="x")
        for file in files:
            row = FileRow(self.app, holder, file, lambda file=file: self.launcher.open_file(file))  # type: ignore[misc]
            row.pack(fill="x")
            self.files.append(row)

    def _fill_games(self) -> None:
        px = self.app.style.px
        games = [info for info in self._games() if self._wanted(info)]
        broken = [
            p for p in self._broken() if not self.tag and self._fits([p.id, p.manifest.name.en if p.manifest else ""])
        ]
        if not games and not broken:
            if self.query.get() or self.tag:
                self._empty("search.nothing", "search.clear", self.query.get(), command=self.clear_search)
            else:
                self._empty("games.none", "games.none.more", str(self.app.paths.plugins))
            return
        self._section("installed", self.app.t("installed.one" if len(games) == 1 else "installed.count", len(games)))
        self.grid_frame = ttk.Frame(
            self.body, style="Bg.TFrame", padding=(px(MARGIN - RIM), 0, px(MARGIN - RIM), px(16))
        )
        self.grid_frame.pack(fill="x")
        for info in games:
            self.cards[info.id] = GameCard(
                self.app,
                self.grid_frame,
                info,
                self.tags,
                self.pictures,
                lambda name=info.id: self.launcher.choose(name),  # type: ignore[misc]
            )
        for plugin in broken:
            self.cards[f"!{plugin.id}"] = BrokenCard(
                self.app,
                self.grid_frame,
                plugin,
                lambda name=plugin.id: self.launcher.choose(f"!{name}"),  # type: ignore[misc]
            )
        for name, card in self.cards.items():
            self._bind_card(name, card)
        self.choose(self.launcher.chosen)

    def _bind_card(self, name: str, card: Tile) -> None:
        for key, step in (("<Left>", -1), ("<Right>", 1)):
            card.bind(key, lambda event, step=step: self._walk(card, step))  # type: ignore[misc]
        card.bind("<Up>", lambda event: self._walk(card, -max(1, self._columns)))
        card.bind("<Down>", lambda event: self._walk(card, max(1, self._columns)))
        card.bind("<Double-Button-1>", lambda event: self.launcher.start(name))
        card.bind("<Return>", lambda event: self.launcher.enter(name))

    def _walk(self, card: Tile, step: int) -> str:
        cards = list(self.cards.values())
        to = cards.index(card) + step
        if 0 <= to < len(cards):
            cards[to].focus_set()
        return "break"

    def _empty(self, key: str, more: str, *args: str, command: Callable[[], object] | None = None) -> None:
        px = self.app.style.px
        box = ttk.Frame(self.body, style="Bg.TFrame", padding=(0, px(96), 0, 0))
        box.pack(fill="x")
        ttk.Label(box, style="Bg.Empty.TLabel", text=self.app.t(key, *args), justify="center").pack()
        if command:
            button(self.app, box, more, style="Bg.TButton", command=command).pack(pady=(px(12), 0))
        else:
            ttk.Label(box, style="Bg.Empty.TLabel", text=self.app.t(more, *args), justify="center").pack(
                pady=(px(4), 0)
            )

    # -- laying out ----------------------------------------------------------------------------------------------
    def _resized(self, event: tk.Event[Any]) -> None:
        if event.widget is self.body:
            self._lay(event.width)

    def _lay(self, width: int) -> None:
        """As many cards across as fit, at least 220 wide, at most 260."""
        px = self.app.style.px
        if width < px(200):
            return
        room = width - 2 * px(MARGIN)
        across = max(1, (room + px(GAP)) // px(PICTURE[0] + GAP))
        card = min(px(WIDEST), (room - (across - 1) * px(GAP)) // across)
        tall = round(card * PICTURE[1] / PICTURE[0]) + px(FOOT)
        gap = px(GAP) - 2 * px(RIM)
        for number, tile in enumerate(self.cards.values()):
            tile.configure(width=card + 2 * px(RIM), height=tall + 2 * px(RIM))
            tile.grid(row=number // across, column=number % across, padx=(0, gap), pady=(0, gap))
        self._columns = across
        for number, row in enumerate(self.rows):
            pair = 2 if len(self.rows) > 1 or across > 3 else 1
            half = px(GAP) // 2 if pair == 2 else 0
            left, right = (0, half) if number % 2 == 0 else (half, 0)
            row.grid(row=number // pair, column=number % pair, sticky="we", pady=(0, px(8)), padx=(left, right))
            self._unfinished.columnconfigure(number % pair, weight=1, uniform="unfinished")

    def choose(self, name: str) -> None:
        """Marks the card of a game (or "!plugin")."""
        for key, card in self.cards.items():
            card.choose(key == name)

    def focus_first(self) -> str:
        """Moves the focus to the chosen card, or the first one."""
        card = self.cards.get(self.launcher.chosen) or next(iter(self.cards.values()), None)
        if card is not None:
            card.focus_set()
        return "break"
