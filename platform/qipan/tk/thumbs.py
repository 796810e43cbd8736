"""Pictures of games for cards, previews and swatches, by the real renderer; made one after another in idle moments."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from PIL import Image

from qipan import __version__, themes
from qipan.host import PluginBroken, Status
from qipan.layout import Layout
from qipan.theme import Theme, find
from qipan.tk.picture_store import PictureStore, newest
from qipan.values import Fault

if TYPE_CHECKING:
    from qipan.catalogue import PieceLook
    from qipan.paint import Painter
    from qipan.rules import Ruleset
    from qipan.tk.app import App
    from qipan.values import Position

_DEAL = 7  # the seed of a thumbnail's start, so that a card looks the same every day


class Shot(NamedTuple):
    """What a picture is of: a game, a theme, a size in screen pixels, and the rules' options where they matter."""

    game: str
    theme: str
    width: int
    height: int
    options: tuple[tuple[str, str | int | bool], ...] = ()


class Pictures:
    """Asks for pictures with `ask`; each is made once and kept."""

    def __init__(self, app: App) -> None:
        self.app = app
        self._made: dict[Shot, Image.Image] = {}
        self._painters: dict[str, Painter] = {}
        self._jobs: deque[tuple[Shot, Callable[[Image.Image], object]]] = deque()
        self._due = ""
        self._themes: dict[str, Theme] | None = None
        self._store = PictureStore(app.paths.log.with_name("pictures"))

    def themes(self) -> dict[str, Theme]:
        """The boards' themes that can be used, by id."""
        if self._themes is None:
            places = [Path(place) for place in themes.__path__]
            found = find([*places, self.app.paths.themes])
            self._themes = {name: theme for name, theme in found.items() if isinstance(theme, Theme)}
        return self._themes

    def theme(self) -> Theme:
        """The chosen theme, or the first one. Raises Fault where there is none."""
        known = self.themes()
        if not known:
            raise Fault("no theme of the boards can be read")
        return known.get(self.app.settings.theme) or next(iter(known.values()))

    def ask(self, shot: Shot, ready: Callable[[Image.Image], object]) -> None:
        """Calls ``ready`` with the picture: at once, or in an idle moment; never if it can't be made."""
        if shot in self._made:
            ready(self._made[shot])
            return
        self._jobs.append((shot, ready))
        if not self._due:
            self._due = self.app.root.after(15, self._work)

    def forget(self) -> None:
        """Drops what is waiting: the page that wanted it is gone."""
        self._jobs.clear()

    def _work(self) -> None:
        self._due = ""
        if not self._jobs:
            return
        shot, ready = self._jobs.popleft()
        try:
            if shot not in self._made:
                self._made[shot] = self._kept(shot)
            ready(self._made[shot])
        except (PluginBroken, Fault) as fault:
            self.app.plugin_failed(fault)
        finally:
            if self._jobs:
                self._due = self.app.root.after(1, self._work)

    def _kept(self, shot: Shot) -> Image.Image:
        """The picture of an earlier start, where nothing it was made from has changed since."""
        theme = self.themes().get(shot.theme) or self.theme()
        plugin = self.app.host.owner(shot.game)
        stamp = newest((Path(__file__).parents[1] / "paint", theme.folder, plugin.folder))
        key = repr((shot, stamp, self.app.style.scale, self.app.settings.pictograms, str(plugin.folder), __version__))
        size = (shot.width, shot.height)
        image = self._store.get(key, size) if plugin.status is Status.OK else None
        if image is None:
            image = self.make(shot)
            self._store.put(key, image)
        return image

    def make(self, shot: Shot) -> Image.Image:
        """The picture now. Raises PluginBroken, Fault."""
        opened = self.app.host.open(shot.game)
        look = opened.info.thumbnail
        rules = opened.rules(dict(shot.options))
        with opened.fence("its thumbnail"):
            plain = not shot.options and look.position
            position = rules.read(look.position) if plain else rules.initial(Random(_DEAL))
            view = rules.view(position, 0)
        unit = self.app.style.scale
        layout = Layout.crop(
            rules.board, shot.width, shot.height, cell=round(look.cell * unit), centre=look.centre, unit=unit
        )
        return self.draw(shot.theme, rules, opened.info.pieces, layout, view, self.app.host.pictures(shot.game))

    def draw(
        self,
        theme_id: str,
        rules: Ruleset,
        pieces: Mapping[str, PieceLook],
        layout: Layout,
        view: Position,
        file: Path | None,
    ) -> Image.Image:
        """A position on a board, laid out."""
        from qipan.fonts import find_piece_font
        from qipan.paint import Painter
        from qipan.pictures import read_pictures
        from qipan.scene import draw

        theme = self.themes().get(theme_id) or self.theme()
        painter = Painter(
            theme, layout, seats=[seat.name for seat in rules.seats], pieces=pieces,
            pictures=read_pictures(file) if file else None, font=find_piece_font(theme.font_file),
            sans=find_piece_font(serif=False), pictograms=self.app.settings.pictograms,
        )  # fmt: skip
        return painter.picture(draw(rules.board, view, seats=rules.seats, pieces=pieces))
