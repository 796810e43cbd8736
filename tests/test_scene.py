"""Shapes and layout: what lies where, at any facing, and that the arrow keys reach every site."""

from __future__ import annotations

import math
from collections import deque
from random import Random

import pytest
from qipan.plugins.xiangqi.board import SEATS, xiangqi_board

from qipan.catalogue import PieceLook
from qipan.geometry import Board, Sketch
from qipan.layout import Layout
from qipan.scene import Disc, Layer, Marks, Path, Sprite, Text, draw, ground, trace, traces
from qipan.tree import Node
from qipan.values import HIDDEN, Event, Move, Moved, Note, Piece, Placed, Position, Removed, Seat, Seats


def lattice(columns: int, rows: int, *, cells: bool = False) -> Board:
    sketch = Sketch()
    sketch.grid(columns, rows, [f"{x}.{y}" for y in range(rows) for x in range(columns)])
    return sketch.board(cells=cells)


def ring() -> Board:
    sketch = Sketch()
    sketch.ring([f"r{n}" for n in range(13)], 3.1)
    sketch.point("c", 0, 0)
    return sketch.board()


def star() -> Board:
    rows = [1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1]
    sketch = Sketch()
    sketch.hex([[f"{row}.{n}" for n in range(count)] for row, count in enumerate(rows)])
    return sketch.board()


def melon() -> Board:
    """A ring with a middle, four inner points and an arc round each of them."""
    sketch = Sketch()
    sketch.ring([f"r{n}" for n in range(12)], 4)
    sketch.point("c", 0, 0)
    for n in range(4):
        turn = math.radians(90 * n - 90)
        sketch.point(f"m{n}", 2.4 * math.cos(turn), 2.4 * math.sin(turn))
        sketch.line(f"r{3 * n}", f"m{n}", "c")
        sketch.line(f"r{(3 * n - 1) % 12}", f"m{n}", f"r{3 * n + 1}", bulge=(0.4, 0.4))
    return sketch.board()


@pytest.mark.parametrize(
    ("places", "why"),
    [((), "needs a site"), (((0, 0), (1e6, 0)), "more than 64"), (((0, -40), (0, 40)), "more than 64")],
)
def test_a_board_that_no_picture_could_hold_is_none(places: tuple[tuple[float, float], ...], why: str) -> None:
    sketch = Sketch()
    for number, (x, y) in enumerate(places):
        sketch.point(f"p{number}", x, y)
    with pytest.raises(ValueError, match=why):
        sketch.board()


def scattered(seed: int) -> Board:
    rng, sketch = Random(seed), Sketch()
    for n in range(rng.randrange(2, 30)):
        sketch.point(f"p{n}", rng.uniform(0, 6), rng.uniform(0, 6))
    return sketch.board()


def reached(layout: Layout, start: int) -> int:
    found, queue = {start}, deque([start])
    while queue:
        point = queue.popleft()
        for way in ("Left", "Right", "Up", "Down"):
            end = layout.walk(point, way)
            if end not in found:
                found.add(end)
                queue.append(end)
    return len(found)


def xiangqi_view(**pieces: Piece) -> Position:
    board = xiangqi_board()
    cells: list[Piece | None] = [None] * len(board.sites)
    for name, piece in pieces.items():
        cells[board.index[name]] = piece
    return Position(tuple(cells))


# -- layout ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("width", "height"), [(704, 752), (900, 1000), (620, 600), (2400, 1400), (528, 578)])
def test_xiangqi_cell_is_the_rule_of_the_look(width: int, height: int) -> None:
    layout = Layout.fit(xiangqi_board(), width, height)
    assert layout.cell == math.floor(min((height - 44) / 10.68, (width - 44) / 9.68))
    assert layout.slab.left >= 0
    assert layout.slab.bottom <= height


def test_natural_size_is_fifty_pixels_a_cell_on_whole_pixels() -> None:
    layout = Layout.natural(xiangqi_board())
    board = layout.board
    places = [layout.xy(board.index[name]) for name in ("a10", "b10", "a9", "i1")]
    assert all(x == int(x) and y == int(y) for x, y in places)
    (x, y), right, down, far = places
    assert right == (x + 50, y)
    assert down == (x, y + 50)
    assert far == (x + 400, y + 450)


@pytest.mark.parametrize("facing", [0, 180])
def test_facing_turns_the_board(facing: float) -> None:
    layout = Layout.fit(xiangqi_board(), 704, 752, facing=facing)
    red, black = layout.xy(layout.board.index["a1"]), layout.xy(layout.board.index["a10"])
    assert (red[1] > black[1]) is (facing == 0)
    assert (red[0] < layout.xy(layout.board.index["i1"])[0]) is (facing == 0)


def test_a_side_seat_sees_itself_at_the_bottom() -> None:
    sketch = Sketch()
    for name, x, y in (("south", 0, 2), ("east", 2, 0), ("north", 0, -2), ("west", -2, 0)):
        sketch.point(name, x, y)
    board = sketch.board()
    for facing in (0, 90, 180, 270):
        layout = Layout.fit(board, 400, 400, facing=facing)
        lowest = max(range(4), key=lambda point: layout.xy(point)[1])
        assert Layout.fit(board, 400, 400, facing=facing + 360).xy(lowest) == layout.xy(lowest)
        assert layout.xy(lowest)[0] == pytest.approx(200, abs=1)
    lowest_of = [
        max(board.sites, key=lambda site: Layout.fit(board, 400, 400, facing=facing).place(site.x, site.y)[1]).name
        for facing in (0, 90, 180, 270)
    ]
    assert sorted(lowest_of) == ["east", "north", "south", "west"]


@pytest.mark.parametrize("facing", [0, 60, 180])
def test_nearest_finds_each_site_and_nothing_far_away(facing: float) -> None:
    for board in (xiangqi_board(), star(), melon()):
        layout = Layout.fit(board, 700, 700, facing=facing)
        for point in range(len(board.sites)):
            x, y = layout.xy(point)
            assert layout.nearest(x + 0.3 * layout.cell, y - 0.2 * layout.cell) == point
        assert layout.nearest(-100, -100) is None


def test_crop_puts_its_centre_in_the_middle() -> None:
    layout = Layout.crop(xiangqi_board(), 220, 132, cell=44, centre=(4, 6))
    assert layout.size == (220, 132)
    assert layout.place(4, 6) == (110, 66)


@pytest.mark.parametrize("facing", [0, 60, 90, 137, 180, 270])
@pytest.mark.parametrize("make", [xiangqi_board, lambda: lattice(5, 3), ring, star, melon], ids=range(5))
def test_every_site_is_reached_by_walking(make: object, facing: float) -> None:
    layout = Layout.fit(make(), 700, 700, facing=facing)  # type: ignore[operator]
    count = len(layout.board.sites)
    assert all(reached(layout, start) == count for start in range(0, count, 7))


def test_every_site_of_scattered_boards_is_reached() -> None:
    for seed in range(300):
        layout = Layout.fit(scattered(seed), 500, 500)
        assert all(reached(layout, start) == len(layout.board.sites) for start in (0, 1))


def test_arrows_step_along_a_lattice_after_facing() -> None:
    board = xiangqi_board()
    upright, turned = Layout.fit(board, 700, 800), Layout.fit(board, 700, 800, facing=180)
    e5 = board.index["e5"]
    assert board.sites[upright.walk(e5, "Up")].name == "e6"
    assert board.sites[upright.walk(e5, "Right")].name == "f5"
    assert board.sites[turned.walk(e5, "Up")].name == "e4"
    assert board.sites[turned.walk(e5, "Right")].name == "d5"
    assert upright.walk(board.index["a10"], "Left") == board.index["a10"]


# -- shapes ------------------------------------------------------------------------------------------------------
def test_ground_of_xiangqi() -> None:
    shapes = ground(xiangqi_board())
    roles = [shape.role for shape in shapes]
    assert roles.count("line") == 10 + 2 + 2 * 7
    assert roles.count("palace") == 4
    assert roles.count("frame") == 1
    # ten marks of four arms; the four soldiers' marks at the edge have the inner two only
    assert roles.count("cross") == 10 * 4 + 4 * 2
    board = xiangqi_board()
    crosses = [shape for shape in shapes if isinstance(shape, Path) and shape.role == "cross"]
    assert all(0 <= x <= board.bounds[2] for shape in crosses for x, _ in shape.points)
    assert {shape.text[:1] for shape in shapes if isinstance(shape, Text) and shape.role == "river"} >= {"楚", "漢"}


def test_ground_of_other_boards() -> None:
    chess = ground(lattice(8, 8, cells=True))
    assert [shape.role for shape in chess].count("cell:dark") == 32
    near_left = next(shape for shape in chess if isinstance(shape, Path) and (-0.5, 7.5) in shape.points)
    assert near_left.role == "cell:dark"
    assert all(isinstance(shape, Path) for shape in chess)
    points = [shape for shape in ground(star()) if isinstance(shape, Disc)]
    assert len(points) == 121
    bow = next(shape for shape in ground(melon()) if isinstance(shape, Path) and len(shape.points) > 20)
    assert bow.role == "line"


def test_three_tones_part_a_board_of_hexes() -> None:
    sketch = Sketch()
    sketch.hex([[f"{row}.{n}" for n in range(count)] for row, count in enumerate((3, 4, 5, 4, 3))])
    board = sketch.board(cells=True)
    tones = [shape.role for shape in ground(board)]
    for point, near in enumerate(board.steps()):
        assert all(tones[point] != tones[other] for other in near)


def test_an_unknown_decoration_draws_nothing() -> None:
    sketch = Sketch()
    sketch.point("a", 0, 0)
    sketch.mark("nonsense", "a")
    assert [shape.role for shape in ground(sketch.board()) if shape.role == "nonsense"] == []


def test_draw_names_pieces_and_their_places() -> None:
    view = xiangqi_view(
        e1=Piece("general", 0), h10=Piece("horse", 1), a5=Piece(HIDDEN, -1), c3=Piece("soldier", 0, None, 3)
    )
    sprites = {shape.role: shape for shape in draw(xiangqi_board(), view, seats=SEATS) if isinstance(shape, Sprite)}
    assert set(sprites) == {"piece:red_general", "piece:black_horse", "piece:nobody_hidden", "piece:red_soldier"}
    assert (sprites["piece:red_general"].x, sprites["piece:red_general"].y) == (4, 9)
    assert sprites["piece:red_soldier"].text == "×3"


def test_marks_are_drawn_in_their_layers() -> None:
    board = xiangqi_board()
    at = board.index
    view = xiangqi_view(e1=Piece("general", 0), e5=Piece("chariot", 0), e9=Piece("horse", 1))
    marks = Marks(
        last=(at["e8"], at["e9"]),
        targets=(at["e6"], at["e7"]),
        captures=(at["e9"],),
        lifted=at["e5"],
        pulse=4,
        look_back=((at["e6"], at["e5"]), (at["a1"], at["a3"])),
        check=(at["e1"],),
        fault=(at["e7"],),
        cursor=at["e6"],
        drawn=((at["e1"],), (at["e1"],), (at["a1"], at["a3"]), ()),
    )
    shapes = draw(board, view, seats=SEATS, marks=marks)
    layers = {(shape.layer, shape.role) for shape in shapes}
    assert {
        (Layer.LAST, "mark:origin"), (Layer.LAST, "mark:last"), (Layer.LAST, "mark:lifted"),
        (Layer.BELOW, "look-back"), (Layer.PIECE, "piece:red_general"), (Layer.DOT, "mark:target"),
        (Layer.DOT, "mark:capture"), (Layer.DOT, "mark:check"), (Layer.DOT, "mark:fault"),
        (Layer.NUMBER, "number:1"), (Layer.NUMBER, "number:2"), (Layer.LIFTED, "piece:red_chariot"),
        (Layer.CURSOR, "mark:cursor"), (Layer.DOT, "mark:note"), (Layer.DOT, "drawn"),
    } <= layers  # fmt: skip
    assert (Layer.DOT, "mark:target-ring") in layers  # e6 is a target and an origin
    lifted = next(shape for shape in shapes if shape.layer is Layer.LIFTED)
    assert isinstance(lifted, Sprite)
    assert lifted.step == 4
    assert [shape.layer for shape in shapes] == sorted(shape.layer for shape in shapes)
    assert len({(shape.layer, shape.key) for shape in shapes}) == len(shapes)


def test_look_back_runs_from_where_the_piece_stood() -> None:
    board = xiangqi_board()
    path = (board.index["b1"], board.index["c3"])
    shapes = draw(board, xiangqi_view(), seats=SEATS, marks=Marks(look_back=(path,)))
    arrow = next(shape for shape in shapes if isinstance(shape, Path))
    number = next(shape for shape in shapes if isinstance(shape, Sprite))
    assert arrow.points == ((1, 9), (2, 7))
    assert (number.role, number.x, number.y) == ("number:1", 1, 9)


def test_drawn_marks_are_points_and_arrows() -> None:
    point, arrow = draw(xiangqi_board(), xiangqi_view(), seats=SEATS, marks=Marks(drawn=((40,), (0, 40))))
    assert isinstance(point, Sprite)
    assert (point.role, point.x, point.y) == ("mark:note", 4, 4)
    assert isinstance(arrow, Path)
    assert (arrow.role, arrow.points) == ("drawn", ((0, 0), (4, 4)))


def step(move: Move, *events: Event, told: Seats = None) -> Node:
    node = Node(0, None, move, Position((None,) * 9))
    node.events, node.told = events, told
    return node


def test_a_step_is_traced_as_far_as_the_viewer_was_told() -> None:
    line = [
        Node(0, None, None, Position((None,) * 9)),
        step(Move(0, (1, 2, 3)), Moved(1, 2), Removed(5), Moved(2, 3)),
        step(Move(1, (4,)), Placed(4, Piece("man", 1))),
        step(Move(0, (6, 7)), Moved(6, 7, to=(0,)), told=(0,)),
    ]
    assert [trace(node, 0) for node in line] == [(), (1, 2, 3), (4,), (6, 7)]
    assert [trace(node, 1) for node in line] == [(), (1, 2, 3), (4,), ()]
    assert traces(line, 0, 1) == ((6, 7),)
    assert traces(line, 1, 5) == ((1, 2, 3),)


def test_notes_become_marks_and_badges() -> None:
    notes = (Note("check", (), (4,)), Note("liberties", (3,), (40,), 1), Note("dice", (5, 2)))
    shapes = draw(xiangqi_board(), xiangqi_view(), seats=SEATS, notes=notes)
    found = {shape.role: shape for shape in shapes if isinstance(shape, Sprite)}
    assert set(found) == {"mark:check", "note:black_liberties"}
    assert found["note:black_liberties"].text == "3"


def test_tiles_and_their_backs_turn_with_their_seat() -> None:
    seats = (Seat("south", 0, 0), Seat("east", 1, 90))
    view = Position((Piece("flag", 0), Piece("flag", 1), Piece(HIDDEN, 1), None))
    looks = {"flag": PieceLook(shape="tile")}
    for facing, turns in ((0.0, [0, 90, 90]), (90.0, [270, 0, 0])):
        shapes = draw(lattice(2, 2), view, seats=seats, pieces=looks, facing=facing)
        assert [shape.turn for shape in shapes if isinstance(shape, Sprite)] == turns
