"""The board's canvas: items made from shapes, motion driven by a clock that is passed in, sizes, and what it leaves."""

from __future__ import annotations

import os
import time
import tkinter as tk
from collections.abc import Iterator
from functools import partial
from random import Random

import pytest
from PIL import ImageChops, ImageGrab

from qipan.geometry import Point
from qipan.layout import Layout
from qipan.rules import Ruleset
from qipan.scene import PULSE, Layer, Marks, Shape, Sprite, draw
from qipan.tk.app import App
from qipan.tk.table.animate import Plan, along, ease, plan
from qipan.tk.table.canvas import BoardCanvas
from qipan.tk.table.look import make_painter
from qipan.values import Moved, Piece, Placed, Position, Removed


class Bench:
    """A canvas of xiangqi in a window, its clock in the test's hand."""

    def __init__(self, app: App) -> None:
        self.app, self.time = app, 0.0
        opened = app.host.open("xiangqi")
        self.rules: Ruleset = opened.rules({})
        self.pieces = opened.info.pieces
        self.start = self.rules.initial(Random(0))
        painter = make_painter(app, opened, self.rules, Layout.natural(self.rules.board))
        self.bakes = 0

        def fit(width: int, height: int) -> Layout:
            self.bakes += 1
            return Layout.fit(self.rules.board, width, height)

        self.canvas = BoardCanvas(app.root, painter.with_layout, fit, lambda: self.time, lambda: None)
        self.canvas.place(x=0, y=0, width=600, height=660)
        self.canvas.tk.call("raise", str(self.canvas))
        app.root.update()

    def point(self, name: str) -> Point:
        """The point of a name."""
        return self.rules.board.index[name]

    def shapes(self, position: Position | None = None, marks: Marks | None = None) -> tuple[Shape, ...]:
        """The scene of a position."""
        return draw(
            self.rules.board, position or self.start, seats=self.rules.seats, pieces=self.pieces, marks=marks
        )

    def pump(self, seconds: float) -> None:
        """Lets the window live."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.app.root.update()
            time.sleep(0.002)

    def place(self, name: str) -> list[float]:
        """Where the picture of a piece lies."""
        return self.canvas.coords(self.canvas.handles()[Layer.PIECE, ("piece", self.point(name))])


@pytest.fixture
def bench(app: App) -> Iterator[Bench]:
    """A canvas; the window is put away by ``app``."""
    made = Bench(app)
    yield made
    made.canvas.destroy()


def test_the_window_shows_what_the_painter_paints(bench: Bench) -> None:
    marks = Marks(last=(bench.point("h3"), bench.point("e3")), targets=(bench.point("e5"),))
    shapes = bench.shapes(marks=marks)
    bench.canvas.show(shapes)
    bench.app.root.update()
    x, y = bench.canvas.winfo_rootx(), bench.canvas.winfo_rooty()
    seen = ImageGrab.grab(bbox=(x, y, x + 600, y + 660), xdisplay=os.environ["DISPLAY"]).convert("RGB")
    assert bench.canvas.layout is not None
    painted = bench.canvas.paint(bench.canvas.layout).picture(shapes)
    difference = ImageChops.difference(seen, painted).convert("L")
    assert sum(difference.histogram()[24:]) < 600 * 660 // 500, "only blended edges may differ"


def test_only_what_differs_is_touched(bench: Bench) -> None:
    bench.canvas.show(bench.shapes())
    before = bench.canvas.handles()
    calls: list[str] = []
    bench.canvas.coords = lambda *words: calls.append("coords")  # type: ignore[assignment,method-assign]
    bench.canvas.show(bench.shapes())
    assert calls == []
    cells = list(bench.start.cells)
    cells[bench.point("e3")], cells[bench.point("h3")] = cells[bench.point("h3")], None
    bench.canvas.show(bench.shapes(bench.start._replace(cells=tuple(cells))))
    after = bench.canvas.handles()
    gone, new = (Layer.PIECE, ("piece", bench.point("h3"))), (Layer.PIECE, ("piece", bench.point("e3")))
    assert before.keys() - after.keys() == {gone}
    assert after.keys() - before.keys() == {new}
    assert {key: after[key] for key in after if key != new} == {key: before[key] for key in before if key != gone}
    assert calls == ["coords"]


def test_layers_lie_over_each_other_whatever_comes_first(bench: Bench) -> None:
    point = bench.point("e1")
    bench.canvas.show(bench.shapes(marks=Marks(captures=(point,))))
    bench.canvas.show(bench.shapes(marks=Marks(captures=(point,), last=(bench.point("e2"), point), cursor=point)))
    order = {handle: number for number, handle in enumerate(bench.canvas.find_all())}
    levels = sorted(bench.canvas.handles().items(), key=lambda entry: order[entry[1]])
    assert [key[0] for key, _ in levels] == sorted(key[0] for key, _ in levels)


def test_a_picture_out_of_its_place_is_found(bench: Bench) -> None:
    bench.canvas.show(bench.shapes())
    assert len(bench.canvas.shown()) == 32
    handle = bench.canvas.handles()[Layer.PIECE, ("piece", bench.point("a1"))]
    bench.canvas.move(handle, 3, 0)
    with pytest.raises(LookupError, match="red_chariot"):
        bench.canvas.shown()


def test_a_new_size_is_scaled_at_once_and_baked_once_it_rests(bench: Bench) -> None:
    bench.canvas.show(bench.shapes())
    bakes = bench.bakes
    for width in (560, 520, 480):
        bench.canvas.place(width=width, height=600)
        bench.app.root.update()
    assert bench.canvas.ground_size() == (480, 600)
    assert bench.bakes == bakes
    bench.pump(0.15)
    assert bench.bakes == bakes + 1
    assert bench.canvas.layout is not None
    assert bench.canvas.layout.size == (480, 600)
    assert len(bench.canvas.shown()) == 32


def test_a_move_glides_and_lands_on_the_drawn_view(bench: Bench) -> None:
    bench.canvas.show(bench.shapes(marks=Marks(targets=(bench.point("h4"),))))
    done: list[str] = []
    events = (Removed(bench.point("h10")), Moved(bench.point("h3"), bench.point("h10")))
    start, end = bench.place("h3"), bench.place("h10")
    bench.canvas.play(plan(events), lambda: done.append("landed"))
    bench.time = 0.080
    bench.pump(0.03)
    share = ease(0.5)
    assert bench.place("h3")[1] == pytest.approx(start[1] + (end[1] - start[1]) * share, abs=3)
    assert done == []
    assert not any(key[0] is Layer.DOT for key in bench.canvas.handles()), "targets go when the piece does"
    bench.time = 0.161
    bench.pump(0.03)
    assert done == ["landed"]
    assert not bench.canvas.motion.running
    with pytest.raises(LookupError):
        bench.canvas.shown()
    position = bench.rules.apply(bench.start, bench.rules.parse(bench.start, "h3h10")).position
    bench.canvas.show(bench.shapes(position))
    assert bench.canvas.shown()[bench.point("h10")] == "piece:red_cannon"
    assert len(bench.canvas.shown()) == 31


def test_a_taken_piece_fades_in_the_last_moments(bench: Bench) -> None:
    bench.canvas.show(bench.shapes())
    handle = bench.canvas.handles()[Layer.PIECE, ("piece", bench.point("h10"))]
    whole = bench.canvas.image_of(handle)
    bench.canvas.play(plan((Removed(bench.point("h10")), Moved(bench.point("h3"), bench.point("h10")))), lambda: None)
    bench.time = 0.095
    bench.pump(0.03)
    assert bench.canvas.image_of(handle) == whole
    seen = set()
    for bench.time in (0.115, 0.130, 0.145, 0.159):
        bench.pump(0.03)
        seen.add(bench.canvas.image_of(handle))
    assert whole not in seen
    assert len(seen) == 4


def test_something_new_ends_what_moves(bench: Bench) -> None:
    bench.canvas.show(bench.shapes())
    done: list[int] = []
    step = plan((Moved(bench.point("h3"), bench.point("e3")),))
    for number in (1, 2):
        bench.canvas.play(step, partial(done.append, number))
    assert done == [1]
    bench.canvas.motion.finish()
    assert done == [1, 2]


def test_a_lifted_piece_pulses_and_is_still_when_asked(bench: Bench) -> None:
    marks = Marks(lifted=bench.point("h3"))
    bench.canvas.show(bench.shapes(marks=marks))
    handle = bench.canvas.handles()[Layer.LIFTED, ("piece", bench.point("h3"))]
    frames = set()
    end = time.monotonic() + 3
    while len(frames) < PULSE and time.monotonic() < end:
        bench.app.root.update()
        frames.add(bench.canvas.image_of(handle))
        time.sleep(0.005)
    assert len(frames) == PULSE
    assert len(bench.canvas.shown()) == 32
    bench.canvas.set_pulse(False)
    still = bench.canvas.image_of(handle)
    bench.pump(0.15)
    assert bench.canvas.image_of(handle) == still
    assert len(bench.canvas.shown()) == 32


def test_nothing_comes_after_the_canvas_has_gone(app: App) -> None:
    bench = Bench(app)
    before = set(app.root.tk.call("after", "info"))
    bench.canvas.show(bench.shapes(marks=Marks(lifted=bench.point("h3"))))
    bench.canvas.play(plan((Moved(bench.point("a1"), bench.point("a2")),)), lambda: None)
    bench.canvas.place(width=300)
    app.root.update()
    bench.canvas.destroy()
    app.root.update_idletasks()
    assert set(app.root.tk.call("after", "info")) <= before
    with pytest.raises(tk.TclError):
        bench.canvas.winfo_width()


def test_pictures_kept_are_bounded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipan.tk.table.canvas._CACHE", 40)
    for count in range(1, 60):
        shape = Sprite(Layer.PIECE, "one", "piece:red_horse", 0, 0, text=f"×{count}")
        bench.canvas.show((*bench.shapes(), shape))
    assert bench.canvas.kept() <= 40
    bench.canvas.show(bench.shapes())
    assert len(bench.canvas.shown()) == 32


# -- the plan of a motion, without a window --------------------------------------------------------------------------
def test_a_walk_over_points_takes_sixty_ms_each_and_no_more_than_420() -> None:
    assert plan((Moved(1, 2),)).glides[0].length == 160
    assert plan((Moved(1, 5, (2, 3, 4)),)).glides[0].length == 240
    assert plan((Moved(1, 20, tuple(range(2, 20))),)).glides[0].length == 420
    assert plan((Moved(1, 5, (2, 3)),)).glides[0].points == (1, 2, 3, 5)


def test_two_moves_of_one_piece_are_one_walk_and_two_pieces_go_together() -> None:
    assert [glide.points for glide in plan((Moved(1, 2), Moved(2, 3))).glides] == [(1, 2, 3)]
    assert [glide.points for glide in plan((Moved(1, 2), Moved(5, 6))).glides] == [(1, 2), (5, 6)]


def test_what_is_taken_fades_and_what_comes_is_put_down() -> None:
    step = plan((Removed(2), Moved(1, 2), Placed(4, Piece("man", 0))))
    assert (step.fades, step.drops, step.length) == ((2,), (4,), 160)
    assert plan((Moved(1, 2), Removed(2))).fades == (), "what falls where it arrives isn't there to fade"
    assert plan((Removed(3),)).length == 60
    assert step.dropped() == Plan((), (2,), (2,))


def test_along_goes_by_length() -> None:
    way = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0)]
    assert along(way, 0.5) == (2.0, 0.0)
    assert along(way, 1.0) == (3.0, 1.0)
    assert along([(1.0, 1.0), (1.0, 1.0)], 0.3) == (1.0, 1.0)
    assert (ease(0), ease(1)) == (0, 1)
