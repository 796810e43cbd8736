"""The table as a picture: shapes become canvas items keyed by layer and key, and only what differs is changed."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from PIL import Image, ImageTk

from qipan.geometry import Point
from qipan.layout import Layout
from qipan.paint import Drawn, Painter
from qipan.scene import PULSE, Layer, Path, Shape, Sprite
from qipan.tk.table import animate
from qipan.tk.table.animate import Animator, Plan, Track, along, ease

_SETTLE = 80  # ms without a resize before the board is baked anew
_CACHE = 1024  # photo images kept beside those that are shown
_FACINGS = 6  # painters of one size kept
_STILL = 6  # the frame of a lifted piece that doesn't pulse: radius .52 cell
_FADES = 4  # baked frames of a capture

Key = tuple[Layer, Hashable]


class Photo(NamedTuple):
    """A picture Tk can show, and where its top left lies from the place of its shape (pixels)."""

    image: ImageTk.PhotoImage
    dx: int
    dy: int


class _Item:
    """One canvas item: the shape it shows (None: it must be drawn again) and its picture, kept alive here."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.shape: Sprite | Path | None = None
        self.photo: Photo | None = None


class BoardCanvas(tk.Canvas):
    """Shows shapes on a baked board that follows the widget's size. ``paint(layout)`` makes the painter of a size.

    ``on_layout`` is called after every new bake, and after a piece was put down: everything is to be shown again.
    """

    def __init__(
        self,
        parent: tk.Misc,
        paint: Callable[[Layout], Painter],
        fit: Callable[[int, int], Layout],
        now: Callable[[], float],
        on_layout: Callable[[], None],
    ) -> None:
        super().__init__(parent, highlightthickness=0, borderwidth=0, takefocus=True)
        self.paint, self._fit, self._on_layout = paint, fit, on_layout
        self._painter: Painter | None = None
        self._painters: dict[Layout, Painter] = {}
        self._layout: Layout | None = None
        self._items: dict[Key, _Item] = {}
        self._photos: dict[Hashable, Photo] = {}
        self._baked: Image.Image | None = None
        self._ground_photo: ImageTk.PhotoImage | None = None
        self._ground = self.create_image(0, 0, anchor="nw")
        self._tops = {layer: self.create_text(0, 0, text="", state="hidden") for layer in Layer}
        self._resize_job = self._pulse_job = ""
        self._pulsing = True
        self._beating: tuple[Key, ...] = ()
        self._step = 0
        self._dragged: tuple[float, float] | None = None
        self.motion = Animator(self, now)
        self.bind("<Configure>", self._resized)

    # -- size ----------------------------------------------------------------------------------------------------
    @property
    def layout(self) -> Layout | None:
        """The transform from cells to pixels; None until the widget has a size."""
        return self._layout

    def renew(self) -> None:
        """Bakes the board for the present size, theme and facing, and shows everything anew."""
        self._cancel("_resize_job")
        self.motion.finish()
        width, height = self.winfo_width(), self.winfo_height()
        if width < 8 or height < 8:
            return
        self._layout = self._fit(width, height)
        self._painter = self._painter_of(self._layout)
        self._photos.clear()
        self._baked = self._painter.bake()
        self._set_ground(self._baked)
        self._beating = ()
        shapes = [item.shape for item in self._items.values() if item.shape is not None]
        for item in self._items.values():
            item.shape = None
        self.show(shapes)
        self._on_layout()

    def repaint(self, paint: Callable[[Layout], Painter]) -> None:
        """Paints everything anew in other looks."""
        self.paint = paint
        self._painters.clear()
        self.renew()

    def _painter_of(self, layout: Layout) -> Painter:
        """The painter of a layout; those of one size are kept, so that a board once turned turns again at once."""
        for other in [other for other in self._painters if other.size != layout.size or other.cell != layout.cell]:
            del self._painters[other]
        if layout not in self._painters:
            if len(self._painters) >= _FACINGS:
                del self._painters[next(iter(self._painters))]
            self._painters[layout] = self.paint(layout)
        return self._painters[layout]

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if self._layout is None or self._baked is None:
            self.renew()
            return
        if (event.width, event.height) == self._baked.size:
            return
        if event.width > 7 and event.height > 7:
            self._set_ground(self._baked.resize((event.width, event.height), Image.Resampling.BOX))
        self._cancel("_resize_job")
        self._resize_job = self.after(_SETTLE, self.renew)

    def _set_ground(self, image: Image.Image) -> None:
        self._ground_photo = ImageTk.PhotoImage(image, master=self)
        self.itemconfigure(self._ground, image=self._ground_photo)

    def ground_size(self) -> tuple[int, int]:
        """The pixels of the picture under everything."""
        photo = self._ground_photo
        return (photo.width(), photo.height()) if photo is not None else (0, 0)

    # -- shapes --------------------------------------------------------------------------------------------------
    def show(self, shapes: Iterable[Shape]) -> None:
        """Makes the items equal to the shapes: new ones made, gone ones deleted, others changed where they differ."""
        if self._layout is None:
            return
        wanted = {(shape.layer, shape.key): shape for shape in shapes if isinstance(shape, Sprite | Path)}
        for key in [key for key in self._items if key not in wanted]:
            self.delete(self._items.pop(key).handle)
        for key, shape in wanted.items():
            if isinstance(shape, Sprite) and shape.layer is Layer.LIFTED:
                shape = shape._replace(step=self._step)  # the beat goes on, whatever else changes
            item = self._items.get(key)
            if item is None:
                item = self._items[key] = _Item(self.create_image(0, 0, anchor="nw"))
                self.tag_lower(item.handle, self._tops[shape.layer])
            if item.shape != shape:
                self._draw(item, shape)
        self._beat()

    def _draw(self, item: _Item, shape: Sprite | Path) -> None:
        photo, x, y = self._photo(shape)
        self._put(item, photo, x, y)
        item.shape = shape

    def _put(self, item: _Item, photo: Photo, x: float, y: float) -> None:
        if item.photo is not photo:
            self.itemconfigure(item.handle, image=str(photo.image))
            item.photo = photo
        self.coords(item.handle, x + photo.dx, y + photo.dy)

    def _photo(self, shape: Sprite | Path) -> tuple[Photo, float, float]:
        """The picture of a shape and the pixel it belongs to."""
        assert self._layout is not None
        assert self._painter is not None
        painter = self._painter
        if isinstance(shape, Path):
            image, left, top = painter.path(shape)
            return self._cached(shape, lambda: Drawn(image, 0, 0)), left, top
        x, y = (round(part) for part in self._layout.place(shape.x, shape.y))
        look = shape._replace(layer=Layer.LIFTED if shape.layer is Layer.LIFTED else Layer.PIECE, key=None, x=0, y=0)
        return self._cached(look, lambda: painter.sprite(shape)), x, y

    def kept(self) -> int:
        """How many pictures are kept."""
        return len(self._photos)

    def _cached(self, key: Hashable, make: Callable[[], Drawn]) -> Photo:
        photo = self._photos.pop(key, None)
        if photo is None:
            image, dx, dy = make()
            photo = Photo(ImageTk.PhotoImage(image, master=self), dx, dy)
        self._photos[key] = photo  # the latest used are last
        if len(self._photos) > _CACHE:
            self._forget(photo)
        return photo

    def _forget(self, newest: Photo) -> None:
        """Drops the oldest pictures that nothing shows."""
        used = {id(item.photo) for item in self._items.values()} | {id(newest)}
        for key in [key for key, photo in self._photos.items() if id(photo) not in used]:
            if len(self._photos) <= _CACHE:
                break
            del self._photos[key]

    def shapes(self) -> tuple[Sprite | Path, ...]:
        """The shapes that are drawn now."""
        return tuple(item.shape for item in self._items.values() if item.shape is not None)

    def handles(self) -> dict[Key, int]:
        """The canvas item of every shape."""
        return {key: item.handle for key, item in self._items.items()}

    def image_of(self, handle: int) -> str:
        """The name of the picture an item shows."""
        return str(self.tk.call(str(self), "itemcget", handle, "-image"))

    def shown(self) -> dict[Point, str]:
        """What stands where, as drawn: the role of each point's piece, read from the items and their real places.

        Raises LookupError where an item isn't drawn as its shape says, or stands on no point.
        """
        assert self._layout is not None
        found: dict[Point, str] = {}
        for (layer, _), item in self._items.items():
            shape = item.shape
            if layer not in (Layer.PIECE, Layer.LIFTED):
                continue
            if not isinstance(shape, Sprite):
                raise LookupError("a piece lies where no shape put it")
            photo, x, y = self._photo(shape._replace(step=self._step) if layer is Layer.LIFTED else shape)
            drawn = self.image_of(item.handle), self.coords(item.handle)
            if drawn != (str(photo.image), [x + photo.dx, y + photo.dy]):
                raise LookupError(f"{shape!r} is drawn as {drawn!r}")
            point = self._layout.nearest(x, y, 0.1)
            if point is None or point in found:
                raise LookupError(f"{shape!r} stands on no point, or on another piece")
            found[point] = shape.role
        return found

    # -- the lifted piece ----------------------------------------------------------------------------------------
    def _lifted(self) -> Iterator[_Item]:
        return (item for (layer, _), item in self._items.items() if layer is Layer.LIFTED)

    def drag(self, x: float, y: float) -> None:
        """Moves the lifted piece's picture under the pointer; `settle` puts it back in its place."""
        for item in self._lifted():
            if item.photo is not None:
                self._put(item, item.photo, x, y)
        self._dragged = (x, y)

    def settle(self) -> None:
        """Puts a dragged piece where its shape says."""
        self._dragged = None
        for item in self._lifted():
            if isinstance(item.shape, Sprite):
                self._draw(item, item.shape._replace(step=self._step))

    def set_pulse(self, on: bool) -> None:
        """Whether lifted pieces pulse; else they are held still, lifted."""
        self._pulsing = on
        self._beat()

    def _beat(self) -> None:
        """Starts the pulse of what is lifted, goes on with it, or ends it where nothing is."""
        beating = tuple(key for key in self._items if key[0] is Layer.LIFTED) if self._pulsing else ()
        if beating and beating == self._beating:
            return
        self._cancel("_pulse_job")
        self._beating = beating
        if beating:
            self._pulse_job = self.after(1, self._prepare, 0)
        elif any(self._lifted()):
            self._step = _STILL
            self.settle()
        else:
            self._step = 0

    def _prepare(self, step: int) -> None:
        """Draws the frames of the pulse one after another: the piece is seen lifted at once, and no frame draws."""
        for item in self._lifted():
            if isinstance(item.shape, Sprite):
                self._photo(item.shape._replace(step=step))
        if step + 1 < PULSE:
            self._pulse_job = self.after(1, self._prepare, step + 1)
        else:
            self._pulse_job = self.after(animate.PULSE, self._pulse)

    def _pulse(self) -> None:
        self._step = (self._step + 1) % PULSE
        for item in self._lifted():
            if isinstance(item.shape, Sprite):
                item.shape = item.shape._replace(step=self._step)
                photo, x, y = self._photo(item.shape)
                self._put(item, photo, *(self._dragged or (x, y)))
        self._pulse_job = self.after(animate.PULSE, self._pulse)

    # -- motion --------------------------------------------------------------------------------------------------
    def play(self, plan: Plan, done: Callable[[], None]) -> None:
        """Plays the motion of a step on the items as drawn, then calls ``done``, which shows what is so now."""
        tracks = [*self._glides(plan), *self._fades(plan)]
        if tracks:  # the marks belong to the position before
            for key in [key for key in self._items if key[0] in (Layer.LAST, Layer.DOT)]:
                self.delete(self._items.pop(key).handle)
        self.motion.run(tracks, done)

    def _piece(self, point: Point) -> _Item | None:
        return self._items.get((Layer.PIECE, ("piece", point))) or self._items.get((Layer.LIFTED, ("piece", point)))

    def _glides(self, plan: Plan) -> Iterator[Track]:
        for glide in plan.glides:
            item = self._piece(glide.points[0])
            if item is None or item.photo is None or self._layout is None:
                continue
            self.tag_lower(item.handle, self._tops[Layer.LIFTED])
            way = [self._layout.xy(point) for point in glide.points]
            yield Track(0.0, glide.length, partial(self._glide, item, item.photo, way))

    def _glide(self, item: _Item, photo: Photo, way: Sequence[tuple[float, float]], share: float) -> None:
        item.shape = None  # wherever this stops, the next `show` draws it anew
        self._put(item, photo, *along(way, ease(share)))

    def put_down(self, points: Iterable[Point]) -> None:
        """Lets the pieces on these points sink from lifted to their rest."""
        tracks = [
            Track(0.0, animate.DROP, partial(self._sink, item, item.shape))
            for point in points
            if (item := self._piece(point)) is not None and isinstance(item.shape, Sprite)
        ]
        self.motion.run(tracks, self._on_layout)

    def _sink(self, item: _Item, shape: Sprite, share: float) -> None:
        item.shape = None
        step = round((1 - share) * _STILL)
        lifted = shape._replace(layer=Layer.LIFTED, step=step) if step else shape
        photo, x, y = self._photo(lifted)
        self._put(item, photo, x, y)

    def _fades(self, plan: Plan) -> Iterator[Track]:
        for point in plan.fades:
            item = self._piece(point)
            if item is None or not isinstance(item.shape, Sprite) or self._layout is None or self._painter is None:
                continue
            image, dx, dy = self._painter.sprite(item.shape)
            frames = [
                Photo(ImageTk.PhotoImage(_thinned(image, 1 - step / _FADES), master=self), dx, dy)
                for step in range(_FADES + 1)
            ]
            start = max(0.0, plan.length - animate.FADE)
            yield Track(start, animate.FADE, partial(self._fade, item, frames, self._layout.xy(point)))

    def _fade(self, item: _Item, frames: Sequence[Photo], at: tuple[float, float], share: float) -> None:
        item.shape = None
        self._put(item, frames[round(share * _FADES)], *at)

    # -- the end -------------------------------------------------------------------------------------------------
    def _cancel(self, job: str) -> None:
        handle = getattr(self, job)
        if handle:
            self.after_cancel(handle)
            setattr(self, job, "")

    def destroy(self) -> None:
        """Also stops everything that was to come."""
        self._cancel("_resize_job")
        self._cancel("_pulse_job")
        self.motion.cancel()
        super().destroy()


def _thinned(image: Image.Image, share: float) -> Image.Image:
    """The picture at a share of its opacity."""
    thin = image.copy()
    thin.putalpha(image.getchannel("A").point([round(value * share) for value in range(256)]))
    return thin
