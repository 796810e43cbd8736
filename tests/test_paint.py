"""Painted boards and pieces: probes of pixels, sizes, marks, fall-backs; no display is needed."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest
import qipan.plugins.xiangqi
from PIL import Image, ImageChops, ImageColor, ImageStat
from qipan.plugins.xiangqi.board import KINDS, SEATS, xiangqi_board

import qipan.themes
from qipan import fonts
from qipan.catalogue import PieceLook
from qipan.fonts import FoundFont, find_piece_font, package_hint
from qipan.geometry import Board, Sketch
from qipan.layout import Layout
from qipan.paint import Painter
from qipan.pictures import read_pictures
from qipan.scene import PULSE, Layer, Marks, Sprite, draw
from qipan.scene import Path as Trail
from qipan.theme import Theme, load
from qipan.values import HIDDEN, Piece, Position, Seat

CLASSIC = next(Path(folder) / "classic" for folder in qipan.themes.__path__ if (Path(folder) / "classic").is_dir())
PICTURES = read_pictures(Path(qipan.plugins.xiangqi.__file__).parent / "pictures.toml")
GLYPHS = dict(zip(KINDS, ("帅将", "仕士", "相象", "傌馬", "俥車", "炮砲", "兵卒"), strict=True))
LOOKS = {
    kind: PieceLook(glyph={"red": pair[0], "black": pair[1]}, letter=kind[0].upper(), picture=kind)
    for kind, pair in GLYPHS.items()
}


@cache
def classic() -> Theme:
    return load(CLASSIC)


def painter(layout: Layout, *, pictograms: bool = False, font: FoundFont | None = None) -> Painter:
    return Painter(
        classic(), layout, seats=("red", "black"), pieces=LOOKS, pictures=PICTURES, pictograms=pictograms, font=font
    )


def test_numerals_can_be_left_out() -> None:
    layout = Layout.natural(xiangqi_board())
    plain = Painter(classic(), layout, seats=("red", "black"), sans=find_piece_font(serif=False), numerals=False)
    full = Painter(classic(), layout, seats=("red", "black"), sans=find_piece_font(serif=False))
    changed = ImageChops.difference(full.bake(), plain.bake())
    _, top, _, bottom = changed.getbbox() or (0, 0, 0, 0)
    assert top < layout.place(0, -0.5)[1] < layout.place(0, 9.5)[1] < bottom
    inside = [round(part) for part in (*layout.place(-0.2, -0.2), *layout.place(8.2, 9.2))]
    assert changed.crop((inside[0], inside[1], inside[2], inside[3])).getbbox() is None
    assert plain.with_layout(layout).bake().tobytes() == plain.bake().tobytes()


def natural(**more: float) -> Painter:
    return painter(Layout.natural(xiangqi_board(), **more))


def view(**pieces: Piece) -> Position:
    board = xiangqi_board()
    cells: list[Piece | None] = [None] * len(board.sites)
    for name, piece in pieces.items():
        cells[board.index[name]] = piece
    return Position(tuple(cells))


def grey(image: Image.Image, x: float, y: float) -> int:
    value = image.convert("L").getpixel((round(x), round(y)))
    assert isinstance(value, int)
    return value


def piece(role: str, **more: object) -> Sprite:
    return Sprite(Layer.PIECE, "p", role, 0, 0, **more)  # type: ignore[arg-type]


# -- the board ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("unit", [1.0, 2.0])
def test_lattice_lines_are_crisp_and_one_cell_apart(unit: float) -> None:
    cell = round(50 * unit)
    paint = painter(Layout.natural(xiangqi_board(), cell, unit=unit))
    board = paint.bake()
    assert board.size == paint.layout.size
    width = round(0.026 * cell)
    x, y = paint.layout.xy(paint.layout.board.index["a8"])
    # the row of pixels half a cell below the eighth rank crosses every file and nothing else but paper
    inks = [column for column in range(board.width) if grey(board, column, y + cell / 2) < 90]
    files = [round(x) + cell * file + step for file in range(9) for step in range(-(width // 2), width - width // 2)]
    inside = [column for column in inks if x - 0.05 * cell <= column <= x + 8.05 * cell]
    assert inside == files
    for file in (0, 3, 8):  # both neighbours of a line are paper: no blur
        left, right = files[file * width] - 1, files[file * width + width - 1] + 1
        assert min(grey(board, left, y + cell / 2), grey(board, right, y + cell / 2)) > 170


def test_the_river_breaks_the_inner_files() -> None:
    paint = natural()
    x, y = paint.layout.place(4, 4.5)
    assert grey(paint.bake(), x, y) > 170
    assert grey(paint.bake(), *paint.layout.place(0, 4.25)) < 90


def test_crosses_are_on_the_board_and_inner_at_its_edge() -> None:
    paint = natural()
    board = paint.bake()
    assert grey(board, *paint.layout.place(1 + 0.17, 2 + 0.1)) < 120
    assert grey(board, *paint.layout.place(0 + 0.17, 3 + 0.1)) < 120
    assert grey(board, *paint.layout.place(3 + 0.17, 3 + 0.1)) > 170


def test_the_slab_lies_on_a_darker_table_and_casts_a_shadow() -> None:
    paint = painter(Layout.fit(xiangqi_board(), 700, 752))
    board, slab = paint.bake(), paint.layout.slab
    on, off = grey(board, slab.left + 12, 376), grey(board, 3, 376)
    below = grey(board, 350, slab.bottom + 4)
    assert on > off > below


def test_baking_twice_gives_the_same_picture() -> None:
    layout = Layout.fit(xiangqi_board(), 300, 330)
    assert ImageChops.difference(painter(layout).bake(), painter(layout).bake()).getbbox() is None


def other_boards() -> list[Board]:
    squares, points, star = Sketch(), Sketch(), Sketch()
    squares.grid(8, 8, [str(n) for n in range(64)])
    points.ring([f"r{n}" for n in range(12)], 3)
    star.hex([[f"{row}.{n}" for n in range(count)] for row, count in enumerate((3, 4, 5, 4, 3))])
    lone = Sketch()
    lone.point("only", 0, 0)
    lone.text("中", 0, 1, role="label")
    return [squares.board(cells=True), points.board(), star.board(), star.board(cells=True), lone.board()]


@pytest.mark.parametrize("number", range(5))
def test_boards_of_any_shape_are_painted(number: int) -> None:
    layout = Layout.fit(other_boards()[number], 260, 240)
    picture = Painter(classic(), layout, seats=("white", "black")).bake()
    assert picture.size == (260, 240)
    x, y = layout.slab.left + 8, 120  # slab and table differ
    assert ImageChops.difference(picture.crop((0, 0, 9, 9)), picture.crop((x := round(x), y, x + 9, y + 9))).getbbox()


def test_checkered_squares_alternate() -> None:
    layout = Layout.fit(other_boards()[0], 400, 400)
    picture = Painter(classic(), layout, seats=("white", "black")).bake()
    tones = [[grey(picture, *layout.place(column, row)) for column in range(8)] for row in range(8)]
    for row in range(8):
        for column in range(8):
            assert (tones[row][column] < 200) is ((row + column) % 2 == 1)  # the near left square is dark


# -- pieces ------------------------------------------------------------------------------------------------------
def test_red_is_a_light_face_and_black_a_dark_one() -> None:
    paint = natural()
    faces = {}
    for seat in ("red", "black"):
        image = paint.sprite(piece(f"piece:{seat}_{HIDDEN}"), "body").image
        faces[seat] = grey(image, image.width / 2, image.height / 2 + 14)
    assert faces["red"] > 220
    assert faces["black"] < 70


def test_a_disc_is_forty_six_pixels_wide_at_fifty() -> None:
    body = natural().sprite(piece("piece:black_horse"), "body").image
    solid = body.getchannel("A").point([255 * (value > 127) for value in range(256)]).getbbox()
    assert solid is not None
    assert solid[2] - solid[0] in (46, 47)
    assert solid[3] - solid[1] in (46, 47)


def test_the_pulse_hits_the_six_original_sizes() -> None:
    frames = natural().pulse("piece:black_horse")
    assert len(frames) == PULSE
    paint = natural()
    for radius, step in zip(range(23, 29), range(0, 11, 2), strict=True):
        body = paint.sprite(Sprite(Layer.LIFTED, "p", "piece:black_horse", 0, 0, step=step), "body").image
        box = body.getchannel("A").point([255 * (value > 127) for value in range(256)]).getbbox()
        assert box is not None
        assert box[2] - box[0] in (2 * radius, 2 * radius + 1)
    assert frames[0].image.width < frames[10].image.width


def test_the_pulsing_character_grows_from_thirty_to_forty() -> None:
    """The letter stands for the character: the same share of the size, on a system without Chinese fonts too."""
    paint = natural()
    heights = []
    for step in (0, 10):
        body = paint.sprite(Sprite(Layer.LIFTED, "p", "piece:black_xylophone", 0, 0, step=step), "body").image
        middle = body.width // 2
        bright = body.convert("L").crop((middle - 7, middle - 16, middle + 7, middle + 16))
        box = bright.point([255 * (value > 150) for value in range(256)]).getbbox()
        assert box is not None
        heights.append(box[3] - box[1])
    assert heights[1] / heights[0] == pytest.approx(4 / 3, abs=0.12)


def test_a_lifted_piece_casts_its_shadow_farther() -> None:
    paint = natural()
    flat = paint.sprite(piece("piece:red_horse"), "shadow").image.getchannel("A").getbbox()
    high = paint.sprite(
        Sprite(Layer.LIFTED, "p", "piece:red_horse", 0, 0), "shadow"
    ).image.getchannel("A").getbbox()  # fmt: skip
    assert flat is not None
    assert high is not None
    assert high[3] - high[1] > flat[3] - flat[1] + 6


def test_sprites_are_kept_and_centred() -> None:
    paint = natural()
    first = paint.sprite(piece("piece:red_horse"))
    assert paint.sprite(piece("piece:red_horse")).image is first.image
    assert (first.dx, first.dy) == (-first.image.width // 2, -first.image.height // 2)


def test_whole_piece_is_body_over_shadow() -> None:
    paint = natural()
    parts = [paint.sprite(piece("piece:red_horse"), part).image for part in ("shadow", "body")]  # type: ignore[arg-type]
    whole = paint.sprite(piece("piece:red_horse")).image
    assert ImageChops.difference(Image.alpha_composite(*parts), whole).getbbox() is None


def test_kinds_and_ways_to_show_them_differ() -> None:
    letters = natural()
    pictograms = painter(letters.layout, pictograms=True)
    seen = [
        paint.sprite(piece(f"piece:{seat}_{kind}")).image.tobytes()
        for paint in (letters, pictograms)
        for seat in ("red", "black")
        for kind in KINDS
    ]
    # without a font the seven pictograms are what there is, in both painters
    assert len(set(seen)) == 14
    assert seen[:14] == seen[14:]


def test_letters_come_where_there_is_no_pictogram() -> None:
    looks = {"horse": PieceLook(glyph="馬", letter="N"), "man": PieceLook(), "stone": PieceLook(shape="stone")}
    paint = Painter(classic(), Layout.natural(xiangqi_board()), seats=("white", "black"), pieces=looks)
    assert paint.face("piece:white_horse")[1].text == "N"
    assert paint.face("piece:white_man")[1].text == ""
    assert paint.face("piece:white_unicorn")[1].text == "U"
    assert paint.face("piece:nobody_hidden")[1].hidden


def test_characters_come_from_an_installed_font() -> None:
    font = find_piece_font()
    if font is None:  # a system without Chinese fonts: the hint names what brings them
        assert package_hint()
        return
    assert font.has("帥將仕士相象傌馬俥車炮砲兵卒楚河漢界")
    assert not font.has("\U0010fffd")
    paint = painter(Layout.natural(xiangqi_board()), font=font)
    assert paint.face("piece:red_horse")[1].text == "傌"
    assert painter(paint.layout, font=font, pictograms=True).face("piece:red_horse")[1].picture is not None


def test_fonts_are_looked_for_in_the_systems_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = find_piece_font.__wrapped__  # past the memory of this process
    monkeypatch.setattr(fonts, "_folders", lambda: (tmp_path,))
    monkeypatch.setattr(fonts, "_listed", lambda: iter(()))
    (tmp_path / "NotoSerifCJK-Bold.ttc").write_bytes(b"no font at all")
    assert find() is None
    font = find_piece_font()
    if font is not None:
        (tmp_path / "deep").mkdir()
        (tmp_path / "deep" / "NotoSerifCJK-Bold.ttc").symlink_to(font.path)
        found = find(tmp_path / "NotoSerifCJK-Bold.ttc")  # a theme's broken font is passed over
        assert found.path.parent.name == "deep"
        assert found.has("兵")


def test_six_seats_stones_tiles_counts_and_backs_are_told_apart() -> None:
    seats = ("one", "two", "three", "four", "five", "six")
    looks = {"stone": PieceLook(shape="stone"), "flag": PieceLook(letter="F", shape="tile")}
    paint = Painter(classic(), Layout.natural(xiangqi_board()), seats=seats, pieces=looks)
    for kind in ("stone", "flag", HIDDEN):
        means = set()
        for seat in seats:
            image = paint.sprite(piece(f"piece:{seat}_{kind}"), "body").image
            means.add(
                tuple(round(part / 8) for part in ImageStat.Stat(image.convert("RGB"), image.getchannel("A")).mean)
            )
        assert len(means) == 6
    one, many = (paint.sprite(piece("piece:one_stone", text=text)).image for text in ("", "×3"))
    assert ImageChops.difference(one, many).getbbox() is not None
    wide, high = (
        paint.sprite(piece("piece:one_flag", turn=turn), "body").image.getchannel("A").getbbox() for turn in (0.0, 90.0)
    )
    assert wide is not None
    assert high is not None
    assert wide[2] - wide[0] > wide[3] - wide[1]
    assert high[2] - high[0] < high[3] - high[1]


def test_a_themes_own_images_come_first(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(CLASSIC, tmp_path / "mine"))
    Image.new("RGBA", (50, 50), "#00FF00").save(folder / "own.png")
    Image.new("RGBA", (50, 50), "#808080").save(folder / "common.png")
    file = folder / "theme.toml"
    file.write_text(file.read_text("utf-8") + '\n[images]\nred_horse = "own.png"\nhorse = "common.png"\n', "utf-8")
    paint = Painter(load(folder), Layout.natural(xiangqi_board()), seats=("red", "black"), pieces=LOOKS)
    middle = []
    for seat in ("red", "black"):
        image = paint.sprite(piece(f"piece:{seat}_horse"), "body").image
        middle.append(image.getpixel((image.width // 2, image.height // 2)))
    assert middle[0] == (0, 255, 0, 255)
    assert middle[1] not in (middle[0], (128, 128, 128, 255))  # tinted with the seat's tone


# -- marks and whole pictures ------------------------------------------------------------------------------------
def test_marks_are_where_they_belong() -> None:
    paint = natural()
    board, at = paint.layout.board, paint.layout.board.index
    marks = Marks(
        last=(at["c6"], at["c8"]), targets=(at["e6"],), captures=(at["g5"],), check=(at["e1"],), cursor=at["b5"]
    )
    plain = paint.picture(draw(board, view(), seats=SEATS))
    marked = paint.picture(draw(board, view(), seats=SEATS, marks=marks))
    difference = ImageChops.difference(plain, marked).convert("L")

    def change(name: str, right: float = 0.0, down: float = 0.0) -> int:
        site = board.sites[at[name]]
        x, y = paint.layout.place(site.x + right, site.y + down)
        return grey(difference, x, y)

    assert change("e6") > 30  # the dot
    assert change("g5", 0.505) > 30  # an arc of the ring
    assert change("g5", 0.357, 0.357) == 0  # and the gap at its diagonal
    assert change("c6", 0.13) > 30
    assert change("c6", 0.06, 0.06) == 0  # hollow
    assert change("c8", 0.485, 0.485) > 30
    assert change("c8", 0.485) == 0  # brackets, not a box
    assert change("e1", 0.5) > 30
    assert change("e1", 0.57) > 30
    assert change("b5", 0, 0.58) > 30
    assert change("h8") == 0


@pytest.mark.parametrize(
    "word", ["target", "target-ring", "capture", "origin", "last", "lifted", "check", "fault", "cursor", "note"]
)
@pytest.mark.parametrize("cell", [22, 50, 100])
def test_marks_scale_with_the_board(word: str, cell: int) -> None:
    drawn = painter(Layout.natural(xiangqi_board(), cell)).sprite(Sprite(Layer.DOT, "m", f"mark:{word}", 0, 0))
    box = drawn.image.getchannel("A").getbbox()
    assert box is not None
    reach = {"target": 0.13, "target-ring": 0.23, "origin": 0.15, "lifted": 0.215, "capture": 0.56, "last": 0.51}
    assert (box[2] - box[0]) / 2 <= reach.get(word, 0.62) * cell + 4
    assert box[0] > 0  # nothing is cut off
    assert box[2] < drawn.image.width


def test_a_drawn_arrow_has_the_theme_s_own_colour() -> None:
    paint = natural()
    colours = []
    for role in ("look-back", "drawn"):
        drawn = paint.path(Trail(Layer.DOT, role, ((4, 9), (4, 5)), role))
        x, y = paint.layout.place(4, 7)
        colours.append(drawn.image.convert("RGB").getpixel((round(x) - drawn.dx, round(y) - drawn.dy)))
    assert colours == [ImageColor.getrgb(paint.theme.ink.pale), ImageColor.getrgb(paint.theme.ink.cursor)]


def test_an_unknown_role_is_an_error() -> None:
    with pytest.raises(KeyError):
        natural().sprite(Sprite(Layer.DOT, "m", "mark:moustache", 0, 0))


def test_a_look_back_line_is_white_in_a_dark_casing_and_stops_at_the_rim() -> None:
    paint = natural()
    shape = Trail(Layer.BELOW, ("arrow", 1), ((4, 9), (4, 5)), "look-back")
    drawn = paint.path(shape)
    x, y = paint.layout.place(4, 7)
    assert drawn.image.getpixel((round(x) - drawn.dx, round(y) - drawn.dy)) == (255, 255, 255, 255)
    row = [drawn.image.getpixel((column, round(y) - drawn.dy)) for column in range(drawn.image.width)]
    assert any(pixel[3] > 200 and pixel[0] < 60 for pixel in row)  # type: ignore[index]
    tip = drawn.image.getchannel("A").getbbox()
    assert tip is not None
    top = tip[1] + drawn.dy
    rim = paint.layout.place(4, 5)[1] + 0.46 * 50
    assert rim - 2 <= top <= rim + 3


def test_facing_moves_a_piece_and_keeps_it_upright() -> None:
    board = xiangqi_board()
    position = view(a1=Piece("chariot", 0))
    layouts = [Layout.fit(board, 500, 560, facing=facing) for facing in (0, 180)]
    paints = [painter(layout, pictograms=True) for layout in layouts]
    pictures = [
        paint.picture(draw(board, position, seats=SEATS, facing=paint.layout.facing)) for paint in paints
    ]  # fmt: skip
    for paint, picture in zip(paints, pictures, strict=True):
        changed = ImageChops.difference(picture, paint.bake()).getbbox()
        assert changed is not None
        x, y = paint.layout.xy(board.index["a1"])
        assert (changed[0] + changed[2]) / 2 == pytest.approx(x, abs=3)
        assert (changed[1] + changed[3]) / 2 == pytest.approx(y, abs=5)
    sprites = [paint.sprite(piece("piece:red_chariot")).image for paint in paints]
    assert ImageChops.difference(*sprites).getbbox() is None


@pytest.mark.parametrize("size", [(220, 132), (351, 252)])
def test_crops_for_cards_and_previews(size: tuple[int, int]) -> None:
    layout = Layout.crop(xiangqi_board(), *size, cell=44, centre=(7, 8))
    picture = painter(layout).picture(draw(xiangqi_board(), view(h1=Piece("horse", 0)), seats=SEATS))
    assert picture.size == size
    assert ImageStat.Stat(picture).stddev[0] > 10


@pytest.mark.parametrize("size", [24, 32, 64])
def test_icons_for_plates(size: int) -> None:
    icon = natural().icon("piece:black_cannon", size)
    assert icon.size == (size, size)
    assert icon.mode == "RGBA"
    assert icon.getpixel((0, 0))[3] == 0  # type: ignore[index]
    assert icon.getpixel((size // 2, size // 8))[3] == 255  # type: ignore[index]


def test_notes_are_badges() -> None:
    paint = natural()
    plain = paint.sprite(Sprite(Layer.NUMBER, "n", "note:red_territory", 0, 0)).image
    told = paint.sprite(Sprite(Layer.NUMBER, "n", "note:red_liberties", 0, 0, text="12")).image
    assert plain.getchannel("A").getbbox() != told.getchannel("A").getbbox()


def test_a_picture_needs_no_seat_of_the_theme() -> None:
    sketch = Sketch()
    sketch.grid(3, 3, [str(n) for n in range(9)])
    board = sketch.board()
    seats = (Seat("east", 0), Seat("west", 1))
    position = Position((Piece("man", 0), Piece("man", 1), Piece(HIDDEN, -1), *([None] * 6)))
    paint = Painter(classic(), Layout.fit(board, 200, 200), seats=[seat.name for seat in seats])
    picture = paint.picture(draw(board, position, seats=seats))
    assert len({picture.getpixel(tuple(map(round, paint.layout.place(x, -0.3)))) for x in range(3)}) == 3  # type: ignore[arg-type]
