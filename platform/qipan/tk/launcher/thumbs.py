"""Pictures of games for cards, previews and swatches, by the real renderer; made one after another in idle moments."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from qipan import __version__, journal, record, themes
from qipan.acts import PluginFault
from qipan.host import PluginBroken, Status
from qipan.layout import Layout
from qipan.theme import Theme, find
from qipan.tk.launcher.picture_store import PictureStore, newest
from qipan.values import Fault

if TYPE_CHECKING:
    from qipan.catalogue import GameInfo
    from qipan.host import Opened
    from qipan.rules import Ruleset
    from qipan.tk.app import App
    from qipan.values import Position

log = logging.getLogger("qipan.tk")

_SMALLER = 0.66  # the cell of an unfinished game's small picture, of a card's
_DEAL = 7  # the seed of a thumbnail's start, so that a card looks the same every day


class Shot(NamedTuple):
    """What a picture is of: a game (or one that was left), a theme, and its size in screen pixels."""

    game: str
    theme: str
    width: int
    height: int
    left: tuple[str, float] = ("", 0.0)  # the journal of an unfinished game, and when it was touched


class Pictures:
    """Asks for pictures with `ask`; each is made once and kept."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._made: dict[tuple[Shot, bool, bool], Image.Image] = {}
        self._jobs: deque[tuple[Shot, Callable[[Image.Image], object]]] = deque()
        self._due = ""
        self._themes: dict[str, Theme | Fault] | None = None
        self._store = PictureStore(app.paths.log.with_name("pictures"))

    def themes(self) -> dict[str, Theme]:
        """The boards' themes that can be used, by id."""
        return {name: theme for name, theme in self._found_themes().items() if isinstance(theme, Theme)}

    def broken_themes(self) -> dict[str, Fault]:
        """What is wrong with the others, by their folders' names."""
        return {name: theme for name, theme in self._found_themes().items() if isinstance(theme, Fault)}

    def _found_themes(self) -> dict[str, Theme | Fault]:
        if self._themes is None:
            self._themes = find([*(Path(place) for place in themes.__path__), self.app.paths.themes])
        return self._themes

    def theme(self) -> Theme:
        """The chosen theme, or the first one. Raises Fault where there is none."""
        known = self.themes()
        if not known:
            raise Fault("no theme of the boards can be read")
        return known.get(self.app.settings.theme) or next(iter(known.values()))

    def ask(self, shot: Shot, ready: Callable[[Image.Image], object]) -> None:
        """Calls ``ready`` with the picture: at once, or in an idle moment; never if it can't be made."""
        if (known := self._made.get(self._key(shot))) is not None:
            ready(known)
            return
        self._jobs.append((shot, ready))
        if not self._due:
            self._due = self.app.root.after(15, self._work)

    def _key(self, shot: Shot) -> tuple[Shot, bool, bool]:
        return shot, self.app.settings.pictograms, self.app.settings.coordinates

    @property
    def waiting(self) -> int:
        """How many pictures are still to be made."""
        return len(self._jobs)

    def forget(self) -> None:
        """Drops what is waiting: the page that wanted it is gone."""
        self._jobs.clear()

    def _work(self) -> None:
        self._due = ""
        if not self._jobs:
            return
        shot, ready = self._jobs.popleft()
        try:
            key = self._key(shot)
            if key not in self._made:
                self._made[key] = self._kept(shot)
            ready(self._made[key])
        except (PluginBroken, Fault, PluginFault, OSError) as fault:
            if not shot.left[0] and isinstance(fault, PluginBroken | Fault):
                self.app.plugin_failed(fault)
            else:
                log.warning("no picture of %s: %s", shot, fault)  # resuming the game says what is wrong
        finally:
            if self._jobs:
                self._due = self.app.root.after(1, self._work)

    def _kept(self, shot: Shot) -> Image.Image:
        """The picture of an earlier start, where nothing it was made from has changed since."""
        theme = self.themes().get(shot.theme) or self.theme()
        plugin = self.app.host.owner(shot.game)
        stamp = newest((Path(__file__).parents[2] / "paint", theme.folder, plugin.folder))
        key = repr((self._key(shot), stamp, self.app.style.scale, str(plugin.folder), __version__))
        size = (shot.width, shot.height)
        image = self._store.get(key, size) if plugin.status is Status.OK else None
        if image is None:
            image = self.make(shot)
            self._store.put(key, image)
        return image

    def make(self, shot: Shot) -> Image.Image:
        """The picture now. Raises PluginBroken, Fault."""
        opened = self.app.host.open(shot.game)
        look, unit = opened.info.thumbnail, self.app.style.scale
        if shot.left[0]:
            rules, position, centre = self._left(opened, Path(shot.left[0]))
            cell = look.cell * _SMALLER
        else:
            rules, centre, cell = opened.rules(), look.centre, float(look.cell)
            with opened.fence("its thumbnail"):
                position = rules.read(look.position) if look.position else rules.initial(Random(_DEAL))
        with opened.fence("view"):
            view = rules.view(position, 0)
        layout = Layout.crop(rules.board, shot.width, shot.height, cell=round(cell * unit), centre=centre, unit=unit)
        return self.draw(shot.theme, rules, opened.info, layout, view)

    def _left(self, opened: Opened, path: Path) -> tuple[Ruleset, Position, tuple[float, float] | None]:
        """The rules and last position of an unfinished game, and where its last move went."""
        saved = journal.peek(path)
        rules = opened.rules(saved.options)
        with opened.fence("rules", Fault, PluginFault):
            session = record.open_session(saved, opened.info, rules, rng=Random(_DEAL), now=self.app.now)
        move = session.tip.move
        site = rules.board.sites[move.path[-1]] if move is not None and move.path else None
        return rules, session.tip.position, (site.x, site.y) if site else opened.info.thumbnail.centre

    def draw(self, theme_id: str, rules: Ruleset, info: GameInfo, layout: Layout, view: Position) -> Image.Image:
        """A position on a board, laid out."""
        from qipan.paint import game_painter
        from qipan.scene import draw

        painter = game_painter(
            self.themes().get(theme_id) or self.theme(), layout, info, rules,
            pictograms=self.app.settings.pictograms, numerals=self.app.settings.coordinates,
        )  # fmt: skip
        return painter.picture(draw(rules.board, view, seats=rules.seats, pieces=info.pieces))
