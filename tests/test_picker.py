"""The click rule: paths of one, two, three and many points, words, hands, buttons, and what is refused."""

from __future__ import annotations

from qipan.picker import (
    Ask,
    Hold,
    Pick,
    Play,
    Wrong,
    arrangers,
    buttons,
    ended,
    finish,
    hands,
    liftable,
    take,
    targets,
    touch,
)
from qipan.values import Move, Piece

STEP = (Move(0, (0, 1)), Move(0, (0, 2)), Move(0, (3, 4)))
JUMPS = (Move(0, (0, 2)), Move(0, (0, 2, 4)), Move(0, (0, 2, 6)), Move(0, (8, 9)))
MILL = (Move(0, (0, 1)), Move(0, (0, 2, 7)), Move(0, (0, 2, 8)))
PROMOTION = (Move(0, (0, 1), "=queen"), Move(0, (0, 1), "=horse"), Move(0, (0, 2)))
DROPS = (
    Move(0, (5,), "@soldier"),
    Move(0, (6,), "@soldier"),
    Move(0, (5,), "@horse"),
    Move(0, (0, 5)),
    Move(0, (), "pass"),
)


def play(moves: tuple[Move, ...], *points: int, pick: Pick | None = None) -> object:
    """The reply to the last of several touches."""
    reply: object = Hold(pick or Pick())
    for point in points:
        assert isinstance(reply, Hold)
        reply = touch(moves, reply.pick, point)
    return reply


def test_from_to_is_two_touches() -> None:
    assert targets(STEP, Pick()) == (0, 3)
    assert play(STEP, 0) == Hold(Pick((0,)))
    assert targets(STEP, Pick((0,))) == (1, 2)
    assert play(STEP, 0, 2) == Play(Move(0, (0, 2)))


def test_placing_is_one_touch() -> None:
    assert play((Move(1, (4,)), Move(1, (5,))), 5) == Play(Move(1, (5,)))


def test_a_second_touch_puts_back_and_another_piece_is_lifted_instead() -> None:
    assert play(STEP, 0, 0) == Hold(Pick())
    assert play(STEP, 0, 3) == Hold(Pick((3,)))


def test_a_wrong_point_names_the_tried_path() -> None:
    assert play(STEP, 0, 4) == Wrong(Pick((0, 4)))
    assert play(STEP, 9) == Wrong(Pick((9,)))


def test_a_jump_that_can_go_on_ends_when_touched_again_or_by_enter() -> None:
    assert play(JUMPS, 0, 2) == Hold(Pick((0, 2)))
    assert targets(JUMPS, Pick((0, 2))) == (4, 6)
    assert play(JUMPS, 0, 2, 2) == Play(Move(0, (0, 2)))
    assert finish(JUMPS, Pick((0, 2))) == Play(Move(0, (0, 2)))
    assert play(JUMPS, 0, 2, 6) == Play(Move(0, (0, 2, 6)))
    assert finish(JUMPS, Pick((0,))) == Hold(Pick((0,)))


def test_a_half_walked_jump_is_not_thrown_away_by_touching_another_piece() -> None:
    assert play(JUMPS, 0, 2, 8) == Wrong(Pick((0, 2, 8)))


def test_a_mill_takes_a_third_point() -> None:
    assert play(MILL, 0, 1) == Play(Move(0, (0, 1)))
    assert play(MILL, 0, 2) == Hold(Pick((0, 2)))
    assert play(MILL, 0, 2, 2) == Hold(Pick()), "an unfinished mill touched again is put back"
    assert play(MILL, 0, 2, 7) == Play(Move(0, (0, 2, 7)))


def test_several_words_on_one_path_ask() -> None:
    assert play(PROMOTION, 0, 1) == Ask(PROMOTION[:2])
    assert play(PROMOTION, 0, 2) == Play(PROMOTION[2])


def test_a_hand_piece_is_taken_first() -> None:
    assert hands(DROPS) == ((0, "@horse"), (0, "@soldier"))
    assert take(DROPS, "@soldier") == Hold(Pick((), "@soldier"))
    assert targets(DROPS, Pick((), "@soldier")) == (5, 6)
    assert play(DROPS, 6, pick=Pick((), "@soldier")) == Play(Move(0, (6,), "@soldier"))
    assert play(DROPS, 6, pick=Pick((), "@horse")) == Wrong(Pick((6,), "@horse"))
    assert play(DROPS, 0, pick=Pick((), "@horse")) == Hold(Pick((0,))), "a piece on the board is lifted instead"
    assert take(DROPS, "@general") == Wrong(Pick((), "@general"))


def test_moves_without_points_are_buttons() -> None:
    line_up = Move(2, (), "arrange:abc")
    assert buttons((*DROPS, line_up)) == (Move(0, (), "pass"),)
    assert arrangers((*DROPS, line_up)) == (2,)
    assert ended(DROPS, Pick()) == ()


def test_a_piece_without_a_move_can_be_lifted_where_moves_start_on_pieces() -> None:
    mine, theirs = Piece("horse", 0), Piece("horse", 1)
    cells = (mine, None, theirs, mine, None)
    assert liftable((Move(0, (0, 1)),), cells) == (0, 3)
    assert touch((Move(0, (0, 1)),), Pick(), 3, (0, 3)) == Hold(Pick((3,)))
    assert touch((Move(0, (0, 1)),), Pick((3,)), 0, (0, 3)) == Hold(Pick((0,)))
    assert touch((Move(0, (0, 1)),), Pick((3,)), 2, (0, 3)) == Wrong(Pick((3, 2)))
    assert liftable((Move(0, (1,)), Move(0, (4,))), cells) == (), "stones that are placed stay where they lie"
