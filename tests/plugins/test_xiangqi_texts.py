"""Xiangqi's texts: FEN and its faults, moves in five notations, read leniently and refused in words."""

from __future__ import annotations

import pyffish
import pytest
from plugins.xiangqi_play import RULES, at, fault_of, legal, wander
from qipan.plugins.xiangqi.rules import START, Xiangqi

from qipan.api import Fault

EMPTY = "9/9/9/9/9/9/9/9/9/9"
KINGS = "3k5/9/9/9/9/9/9/9/9/4K4"


# -- FEN -----------------------------------------------------------------------------------------------------------
def test_fen_round_trip() -> None:
    for position in wander(seed=21, count=300):
        assert RULES.read(RULES.write(position)) == position


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (f"{KINGS} w", f"{KINGS} w - - 0 1"),
        (f"{KINGS} r - - 0 1", f"{KINGS} w - - 0 1"),
        (f"{KINGS} b - -", f"{KINGS} b - - 0 1"),
        (f"{KINGS} b - - 17 40", f"{KINGS} b - - 17 40"),
        (f" {KINGS}  w 3  9 ", f"{KINGS} w - - 3 9"),
        ("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w", START),
    ],
)
def test_fen_forms(text: str, canonical: str) -> None:
    assert RULES.write(RULES.read(text)) == canonical


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the side to move"),
        (KINGS, "the side to move"),
        (f"{KINGS} x", "side to move is 'x'"),
        (f"{KINGS} w - - 1", "1 counters"),
        (f"{KINGS} w - - 1 2 3", "3 counters"),
        (f"{KINGS} w - - one 2", "'one' is not a whole number"),
        (f"{KINGS} w - - -1 2", "'-1' is not a whole number"),
        (f"{KINGS} w - - 1 123456", "'123456' is not a whole number"),
        (f"{KINGS} w - 0 1", "is not '- -' and two counters"),
        ("3k5/9/9/9/9/9/9/9/4K4 w", "9 ranks"),
        ("3k5/9/9/9/9/9/9/9/9/9/4K4 w", "11 ranks"),
        ("3k5/9/9/9/9/9/9/9/8/4K4 w", "rank 2 has 8 points"),
        ("3k6/9/9/9/9/9/9/9/9/4K4 w", "rank 10 has 10 points"),
        ("3k5/9/9/9/9/4Q4/9/9/9/4K4 w", "rank 5 has 'Q'"),
        ("3k5/9/9/9/9/0９/9/9/9/4K4 w", "rank 5 has '0'"),
        ("k" * 300, "longer than 256"),
        (f"{EMPTY} w", "Red has no general"),
        ("9/9/9/9/9/9/9/9/9/4K4 w", "Black has no general"),
        ("3kk4/9/9/9/9/9/9/9/9/5K3 w", "Black has more than 1 pieces of the kind general"),
        ("3k5/9/9/9/RRR6/9/9/9/9/4K4 b", "Red has more than 2 pieces of the kind chariot"),
        ("3k5/PPPPPP3/9/9/9/9/9/9/9/4K4 b", "Red has more than 5 pieces of the kind soldier"),
        ("9/9/9/3k5/9/9/9/9/9/4K4 w", "Black's general can never stand on d7"),
        ("3k5/9/9/9/9/9/9/9/5A3/4K4 w", "Red's advisor can never stand on f2"),
        ("3k5/9/9/9/9/9/9/2B6/9/4K4 w", "Red's elephant can never stand on c3"),
        ("3k5/9/9/2B6/9/9/9/9/9/4K4 w", "Red's elephant can never stand on c7"),
        ("3k5/9/9/9/9/9/9/9/P8/4K4 w", "Red's soldier can never stand on a2"),
        ("3k5/9/9/9/9/9/1P7/9/9/4K4 w", "Red's soldier can never stand on b4"),
        ("3k5/8p/9/9/9/9/9/9/9/4K4 w", "Black's soldier can never stand on i9"),
        ("3k5/9/9/9/9/P8/P8/9/9/4K4 w", "Red has two soldiers on one file before the river"),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", "The generals face each other"),
        ("3k5/9/9/9/9/9/9/9/9/3RK4 w", "Black is in check though Red is to move"),
        ("4k4/9/9/9/9/9/9/9/4r4/4K4 b", "Red is in check though Black is to move"),
    ],
)
def test_fen_faults(text: str, fault: str) -> None:
    complaint = fault_of(text)
    assert fault in complaint
    assert "\n" not in complaint


def test_faults_point_at_the_pieces() -> None:
    position = at("3k5/9/9/9/9/9/9/9/9/4K4 b")
    wrong = position._replace(turn=0, cells=(*position.cells[:13], position.cells[3], *position.cells[14:]))
    note = RULES.fault(wrong)
    assert note is not None
    assert (note.word, note.points) == ("fault-many", (3, 13))


def test_original_rules_read_what_they_allow() -> None:
    original = Xiangqi({"rules": "original"})
    for text in ("9/9/9/9/9/9/9/9/9/4K4 w", "4k4/9/9/9/9/9/9/9/9/4K4 w", "3k5/9/9/9/9/9/9/9/9/3RK4 w"):
        assert original.write(original.read(text)) == f"{text} - - 0 1"
    assert "no general" in fault_of(f"{EMPTY} w", original)


# -- notation --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("fen", "uci", "texts"),
    [
        (START, "h3e3", "H2-E2 炮二平五 炮二平五 C2=5"),
        (START, "b1c3", "B0-C2 马八进七 傌八進七 H8+7"),
        (START, "a1a2", "A0-A1 车九进一 俥九進一 R9+1"),
        (START, "c1e3", "C0-E2 相七进五 相七進五 E7+5"),
        (START, "e1e2", "E0-E1 帅五进一 帥五進一 K5+1"),
        (START, "f1e2", "F0-E1 仕四进五 仕四進五 A4+5"),
        (START, "c4c5", "C3-C4 兵七进一 兵七進一 P7+1"),
        (START.replace(" w", " b"), "h10g8", "H9-G7 马８进７ 馬８進７ H8+7"),
        (START.replace(" w", " b"), "b8e8", "B7-E7 炮２平５ 砲２平５ C2=5"),
        (START.replace(" w", " b"), "i10i9", "I9-I8 车９进１ 車９進１ R9+1"),
        (START.replace(" w", " b"), "d10e9", "D9-E8 士４进５ 士４進５ A4+5"),
        (START.replace(" w", " b"), "g7g6", "G6-G5 卒７进１ 卒７進１ P7+1"),
        ("3k5/9/9/9/2C6/9/9/2C6/9/4K4 w", "c6c4", "C5-C3 前炮退二 前炮退二 C+-2"),
        ("3k5/9/9/9/2C6/9/9/2C6/9/4K4 w", "c3b3", "C2-B2 后炮平八 後炮平八 C-=8"),
        ("3k5/9/2P6/2P6/2P6/9/9/9/9/4K4 w", "c7b7", "C6-B6 中兵平八 中兵平八 27=8"),
        ("3k5/9/2P6/2P6/2P6/9/9/9/9/4K4 w", "c6b6", "C5-B5 后兵平八 後兵平八 37=8"),
        ("3k5/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w", "e7d7", "E6-D6 二兵平六 二兵平六 25=6"),
        ("3k5/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w", "c7d7", "C6-D6 四兵平六 四兵平六 27=6"),
        ("3k5/9/9/9/9/9/p3p4/p3p4/9/5K3 b", "a3b3", "A2-B2 一卒平２ 一卒平２ 11=2"),
    ],
)
def test_notations(fen: str, uci: str, texts: str) -> None:
    position = at(fen)
    move = RULES.parse(position, uci)
    said = [RULES.say(position, move, style) for style in RULES.styles]
    assert said == [uci, *texts.split()]
    assert RULES.say(position, move) == uci


@pytest.mark.parametrize(
    ("text", "uci"),
    [
        ("砲2平5", "h3e3"),
        ("包二平五", "h3e3"),
        ("炮２平５", "h3e3"),
        (" 炮 二 平 五 ", "h3e3"),
        ("C2.5", "h3e3"),
        ("c2=5", "h3e3"),
        ("C２＝５", "h3e3"),
        ("h2-e2", "h3e3"),
        ("H2E2", "h3e3"),
        ("俥一进一", "i1i2"),
        ("車一進一", "i1i2"),
        ("n2+3", "h1g3"),
        ("B3+5", "g1e3"),
        ("象三進五", "g1e3"),
        ("士四进五", "f1e2"),
        ("將五進一", "e1e2"),
        ("卒三进1", "g4g5"),
    ],
)
def test_lenient_reading(text: str, uci: str) -> None:
    position = at(START)
    assert RULES.say(position, RULES.parse(position, text)) == uci


@pytest.mark.parametrize(
    ("text", "uci"),
    [
        ("前炮退二", "c6c4"),
        ("炮前退二", "c6c4"),
        ("+C-2", "c6c4"),
        ("C+-2", "c6c4"),
        ("後砲平八", "c3b3"),
        ("一炮退二", "c6c4"),
        ("2炮平8", "c3b3"),
    ],
)
def test_pieces_on_one_file(text: str, uci: str) -> None:
    position = at("3k5/9/9/9/2C6/9/9/2C6/9/4K4 w")
    assert RULES.say(position, RULES.parse(position, text)) == uci


def test_legality_tells_stacks_apart() -> None:
    position = at("3k5/9/2P1P4/2P1P4/9/9/9/9/9/4K4 w")
    assert RULES.say(position, RULES.parse(position, "前兵平八")) == "c8b8"
    assert RULES.say(position, RULES.parse(position, "前七平八")) == "c8b8"
    with pytest.raises(Fault, match="could be e8e9 or c8c9"):
        RULES.parse(position, "前兵进一")
    advisors = at("3k5/9/9/9/9/9/9/3A5/9/3AK4 w")
    assert RULES.say(advisors, RULES.parse(advisors, "仕六退五")) == "d3e2"
    assert RULES.say(advisors, RULES.parse(advisors, "前仕退五")) == "d3e2"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("马二进四", "The horse's leg is blocked on g1"),
        ("h1f2", "The horse's leg is blocked on g1"),
        ("车一进五", "The chariot's way is blocked"),
        ("炮二进六", "The cannon jumps only to capture"),
        ("兵五平四", "The soldier goes sideways only across the river"),
        ("马二进九", "the horse doesn't go that way"),
        ("马二平三", "the horse doesn't go that way"),
        ("马一进三", "Red has no horse on file 1"),
        ("前炮进一", "Red has no such cannon among several on one file"),
        ("车一退一", "the chariot doesn't go that way"),
        ("a5a6", "There is no piece on a5"),
        ("h3-e3", "There is no piece on h4"),  # a hyphen says ICCS
        ("hello", "is no move in any notation"),
        ("", "is no move in any notation"),
        ("炮二平", "is no move in any notation"),
        ("炮零平五", "is no move in any notation"),
        ("炮" * 50, "is no move in any notation"),
    ],
)
def test_why_a_text_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(Fault) as fault:
        RULES.parse(at(START), text)
    assert complaint in str(fault.value)


def test_every_legal_move_is_read_back_in_every_style() -> None:
    for position in wander(seed=31, count=150):
        for move in RULES.legal_moves(position):
            for style in RULES.styles:
                assert RULES.parse(position, RULES.say(position, move, style)) == move


@pytest.mark.parametrize(
    "fen",
    [
        "3k5/9/2P1P4/2P1P4/4P4/9/9/9/9/4K4 w",
        "3k5/2P6/2P6/2P6/2P6/9/2P6/9/9/4K4 w",
        "3k5/9/2P1P4/2P1P4/2P6/9/9/9/9/4K4 w",
        "3k5/PPP6/PP7/9/9/9/9/9/9/4K4 w",
        "3k5/9/9/p8/9/8p/p7p/8p/9/4K4 b",
        "3k5/9/9/9/9/9/pp7/pp6p/9/4K4 b",
        "3k5/2N6/9/2N6/9/2C6/2C6/2R6/2R6/4K4 w",
        "3k1a3/9/5a3/9/9/9/9/3A5/4K4/3A5 b",
        "2b1k4/9/9/9/2b6/9/9/9/9/3K5 b",
    ],
)
def test_stacks_are_read_back_in_every_style(fen: str) -> None:
    position = at(fen)
    for style in RULES.styles:
        texts = [RULES.say(position, move, style) for move in RULES.legal_moves(position)]
        assert len(set(texts)) == len(texts)
        assert sorted(RULES.say(position, RULES.parse(position, text)) for text in texts) == legal(position)


def test_wxf_agrees_with_pyffish() -> None:
    # It tells pieces on one file apart only where both could make the move, and counts soldiers in its own way.
    same = 0
    for position in wander(seed=41, count=25):
        fen = RULES.write(position)
        for move in RULES.legal_moves(position)[::5]:
            uci, own = RULES.say(position, move), RULES.say(position, move, "wxf")
            theirs = pyffish.get_san("xiangqi", fen, uci, False, pyffish.NOTATION_XIANGQI_WXF)
            assert own[-2:] == theirs[-2:], fen
            assert own == theirs or not (own[:2].isalnum() and theirs[:2].isalnum()), fen
            assert RULES.parse(position, theirs) == move or theirs[0] in "12345", fen
            same += own == theirs
    assert same > 100
