"""SVG of the same shapes: well formed, safe with any text, and with everything that is on the board."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import qipan.plugins.xiangqi
from qipan.plugins.xiangqi.board import SEATS, xiangqi_board

import qipan.themes
from qipan.catalogue import PieceLook
from qipan.fonts import find_piece_font
from qipan.geometry import Sketch
from qipan.layout import Layout
from qipan.paint import Painter
from qipan.pictures import read_pictures
from qipan.scene import Marks, draw
from qipan.svg import to_svg
from qipan.theme import load
from qipan.values import HIDDEN, Note, Piece, Position, Seat

CLASSIC = next(Path(folder) / "classic" for folder in qipan.themes.__path__ if (Path(folder) / "classic").is_dir())
PICTURES = read_pictures(Path(qipan.plugins.xiangqi.__file__).parent / "pictures.toml")
SVG = "{http://www.w3.org/2000/svg}"


def xiangqi(
    marks: Marks | None = None, *, pictograms: bool = True, numerals: bool = True
) -> ElementTree.Element:
    board = xiangqi_board()
    cells: list[Piece | None] = [None] * 90
    cells[board.index["e1"]], cells[board.index["h10"]] = Piece("general", 0), Piece("horse", 1)
    looks = {kind: PieceLook(glyph="帅馬"[n], letter="X", picture=kind) for n, kind in enumerate(("general", "horse"))}
    painter = Painter(
        load(CLASSIC), Layout.fit(board, 704, 752), seats=("red", "black"), pieces=looks, pictures=PICTURES,
        pictograms=pictograms, font=find_piece_font(), numerals=numerals,
    )  # fmt: skip
    return ElementTree.fromstring(to_svg(painter, draw(board, Position(tuple(cells)), seats=SEATS, marks=marks)))


def test_it_is_an_svg_of_the_layouts_size() -> None:
    root = xiangqi()
    assert root.tag == SVG + "svg"
    assert root.get("viewBox") == "0 0 704 752"
    texts = "".join(element.text or "" for element in root.iter(SVG + "text"))
    assert {"楚", "河", "漢", "界"} <= set(texts)


def test_numerals_can_be_left_out() -> None:
    def texts(numerals: bool) -> list[str]:
        return [element.text or "" for element in xiangqi(numerals=numerals).iter(SVG + "text")]

    assert [text for text in texts(False) if text not in "楚河漢界"] == []
    assert len(texts(True)) == len(texts(False)) + 18


def test_pictograms_are_paths_in_place() -> None:
    pictograms = [path for path in xiangqi().iter(SVG + "path") if path.get("fill-rule") == "evenodd"]
    assert len(pictograms) == 2
    assert {path.get("d") for path in pictograms} == {
        " ".join(PICTURES[kind].path.split()) for kind in ("general", "horse")
    }


def test_every_mark_adds_to_it() -> None:
    plain = len(list(xiangqi().iter()))
    for marks in (
        Marks(last=(0, 5)), Marks(targets=(7,)), Marks(captures=(8,)), Marks(check=(9,)), Marks(fault=(10,)),
        Marks(cursor=11), Marks(lifted=85), Marks(look_back=((3, 30),)),
        Marks(drawn=((40,),)), Marks(drawn=((0, 40),)),
    ):  # fmt: skip
        assert len(list(xiangqi(marks).iter())) > plain, marks


def test_any_text_is_escaped_and_any_board_is_drawn() -> None:
    sketch = Sketch()
    sketch.hex([["a", "b"], ["c", "d", "e"], ["f", "g"]])
    sketch.text('<&">', 0, 3, role="label")
    board = sketch.board(cells=True)
    seats = (Seat("north", 0), Seat("south", 1, 180))
    looks = {
        "<man>": PieceLook(letter="<"),
        "stone": PieceLook(shape="stone"),
        "flag": PieceLook(letter="F", shape="tile"),
    }
    cells = (Piece("<man>", 0), Piece("stone", 1, None, 4), Piece("flag", 0), Piece(HIDDEN, -1), None, None, None)
    painter = Painter(load(CLASSIC), Layout.fit(board, 300, 300), seats=[seat.name for seat in seats], pieces=looks)
    shapes = draw(board, Position(cells), seats=seats, pieces=looks, notes=(Note("count", ("&",), (4,)),))
    root = ElementTree.fromstring(to_svg(painter, shapes))
    texts = [element.text for element in root.iter(SVG + "text")]
    assert {'<&">', "<", "×4", "F", "&"} <= set(texts)


def test_gradients_are_defined_once_and_used() -> None:
    root = xiangqi()
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))
    used = {
        (element.get("fill") or "")[5:-1] for element in root.iter() if (element.get("fill") or "").startswith("url(")
    }
    assert used <= set(names)
    assert used


@pytest.mark.parametrize("facing", [0.0, 180.0])
def test_places_follow_the_layout(facing: float) -> None:
    board = xiangqi_board()
    layout = Layout.fit(board, 500, 560, facing=facing)
    painter = Painter(load(CLASSIC), layout, seats=("red", "black"))
    cells: list[Piece | None] = [None] * 90
    cells[0] = Piece("man", 0)
    root = ElementTree.fromstring(to_svg(painter, draw(board, Position(tuple(cells)), seats=SEATS, facing=facing)))
    x, y = layout.xy(0)
    assert any(
        float(c.get("cx", 0)) == pytest.approx(x, abs=0.01) and float(c.get("cy", 0)) == pytest.approx(y, abs=0.01)
        for c in root.iter(SVG + "circle")
    )
