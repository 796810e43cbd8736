"""Motion in time: tracks that a clock drives and that always end on their last state, whatever cuts them short."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from qipan.geometry import Point
from qipan.scene import ways
from qipan.values import Event, Placed, Removed

# Milliseconds: a move, a capture, a drop, a step of the pulse, a flash.
MOVE, FADE, DROP, PULSE, FLASH = 160, 60, 90, 50, 150
_POINT, _LONGEST = 60, 420  # a walk over several points: each, and all of it at most
_FRAME = 10  # between two frames; `after` adds its own few


class Track(NamedTuple):
    """One thing that moves: from ``start`` for ``length`` ms; ``step`` draws it at a share 0..1 of its way."""

    start: float
    length: float
    step: Callable[[float], None]


class Glide(NamedTuple):
    """A piece that goes from the first to the last of ``points`` in ``length`` milliseconds."""

    points: tuple[Point, ...]
    length: float


class Plan(NamedTuple):
    """What the events of a step look like: pieces that glide, fade away (in the last moments), and are put down."""

    glides: tuple[Glide, ...] = ()
    fades: tuple[Point, ...] = ()
    drops: tuple[Point, ...] = ()

    @property
    def length(self) -> float:
        """Milliseconds until the last piece has arrived."""
        return max((glide.length for glide in self.glides), default=float(FADE) if self.fades else 0.0)

    def dropped(self) -> Plan:
        """The same step where the piece was dragged to its place: it is only put down."""
        return self._replace(glides=(), drops=tuple(glide.points[-1] for glide in self.glides))


def plan(events: Sequence[Event]) -> Plan:
    """The motion of a step: all its pieces at once, and what is taken fades unless a piece has just arrived there."""
    glides = [Glide(way, float(min(max(MOVE, _POINT * (len(way) - 1)), _LONGEST))) for way in ways(events)]
    fades, drops = list[Point](), list[Point]()
    for number, event in enumerate(events):
        match event:
            case Removed(point) if all(way[-1] != point for way in ways(events[:number])):
                fades.append(point)
            case Placed(point):
                drops.append(point)
            case _:
                pass
    return Plan(tuple(glides), tuple(fades), tuple(drops))


def ease(share: float) -> float:
    """Ease-out cubic: fast at first, then settling."""
    return 1 - (1 - share) ** 3


def along(way: Sequence[tuple[float, float]], share: float) -> tuple[float, float]:
    """The place at a share of a polyline's length."""
    lengths = [((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 for (x0, y0), (x1, y1) in pairwise(way)]
    rest = share * sum(lengths)
    for (start, end), length in zip(pairwise(way), lengths, strict=True):
        if rest <= length and length > 0:
            part = rest / length
            return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part
        rest -= length
    return way[-1]


class Animator:
    """Runs tracks on a widget's clock, one set at a time; a new set, `finish` or no time at all ends the old one."""

    def __init__(self, widget: tk.Misc, now: Callable[[], float]) -> None:
        self._widget, self._now = widget, now
        self._tracks: tuple[Track, ...] = ()
        self._done: Callable[[], None] | None = None
        self._began = 0.0
        self._job = ""

    @property
    def running(self) -> bool:
        """True while something moves."""
        return self._done is not None

    def run(self, tracks: Sequence[Track], done: Callable[[], None]) -> None:
        """Starts tracks; ``done`` is called once, after their last frames. No tracks: at once."""
        self.finish()
        if not tracks:
            done()
            return
        self._tracks, self._done, self._began = tuple(tracks), done, self._now()
        self._frame()

    def finish(self) -> None:
        """Ends it now: ``done`` draws what the motion leads to, whatever frames were left out."""
        done = self._stop()
        if done is not None:
            done()

    def cancel(self) -> None:
        """Stops without a word: the widget goes away."""
        self._stop()
        self._tracks = ()

    def _stop(self) -> Callable[[], None] | None:
        if self._job:
            self._widget.after_cancel(self._job)
            self._job = ""
        done, self._done = self._done, None
        return done

    def _frame(self) -> None:
        self._job = ""
        passed = (self._now() - self._began) * 1000
        for track in self._tracks:
            if passed >= track.start:
                track.step(min(1.0, (passed - track.start) / track.length) if track.length else 1.0)
        if all(passed >= track.start + track.length for track in self._tracks):
            self.finish()
        else:
            self._job = self._widget.after(_FRAME, self._frame)
