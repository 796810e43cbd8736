"""Clocks: every control, several seats at once, pauses, and times that make no sense."""

from __future__ import annotations

import math

import pytest

from qipan.clock import NONE, Clock, Control, Reading
from qipan.values import Fault


def clock(text: str, seats: int = 2, *, waiting: tuple[int, ...] = (0,)) -> Clock:
    made = Clock(Control.parse(text), seats, 0.0)
    made.waiting(waiting, 0.0)
    return made


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("none", NONE),
        ("", NONE),
        ("10", Control("sudden", 600)),
        ("1.5", Control("sudden", 90)),
        ("10+5", Control("increment", 600, 5)),
        ("0+2", Control("increment", 0, 2)),
        ("10+3x30", Control("byoyomi", 600, 30, 3)),
        ("0+5x10", Control("byoyomi", 0, 10, 5)),
        ("30/move", Control("move", 0, 30)),
        (" 30/MOVE ", Control("move", 0, 30)),
    ],
)
def test_controls_are_read_and_written(text: str, control: Control) -> None:
    assert Control.parse(text) == control
    assert Control.parse(control.text()) == control


@pytest.mark.parametrize(
    "text", ["0", "0+0", "-1", "ten", "10+3x0", "10+101x30", "10+0x5", "1e9", "9" * 20, "0/move", "5+"]
)
def test_impossible_controls_are_faults(text: str) -> None:
    with pytest.raises(Fault, match=r"time"):
        Control.parse(text)
    with pytest.raises(Fault):
        Control("sudden", math.inf).checked()


def test_no_clock_never_flags_but_still_counts_thinking() -> None:
    none = clock("none")
    assert none.flagged(1e9) is None
    assert none.readings(5) == ()
    none = clock("none")
    assert none.moved(0, 7.5) == 7.5
    assert not none.ticking


def test_sudden_death() -> None:
    sudden = clock("1")
    assert sudden.remaining(0, 20) == Reading(40)
    sudden.waiting((1,), 20)
    assert sudden.remaining(0, 50) == Reading(40)
    assert sudden.remaining(1, 50) == Reading(30)
    assert sudden.flagged(79.9) is None
    assert sudden.flagged(80) == 1
    assert sudden.remaining(1, 99) == Reading(0)


def test_the_increment_comes_when_a_seat_stops_being_waited_for() -> None:
    increment = clock("1+5")
    increment.moved(0, 10)
    increment.waiting((0,), 10)  # it moved, and is still waited for
    assert increment.remaining(0, 10) == Reading(50)
    increment.waiting((1,), 12)
    assert increment.remaining(0, 12) == Reading(53)
    increment.waiting((0,), 13, grant=False)  # a take-back gives nothing
    assert increment.remaining(1, 13) == Reading(59)


def test_a_game_of_increments_alone_begins_with_one() -> None:
    assert clock("0+2").remaining(0, 0) == Reading(2)


def test_byo_yomi() -> None:
    periods = clock("1+3x30")
    assert periods.remaining(0, 59) == Reading(1, 3)
    assert periods.remaining(0, 70) == Reading(20, 3, True)
    periods.waiting((1,), 70)
    assert periods.remaining(0, 70) == Reading(30, 3, True), "a period that was not used up is whole again"
    periods.waiting((0,), 71)
    assert periods.remaining(0, 106) == Reading(25, 2, True)
    assert periods.remaining(0, 150) == Reading(11, 1, True)
    assert periods.flagged(160) is None
    assert periods.flagged(161) == 0
    assert periods.remaining(0, 170) == Reading(0, 0, True)


def test_byo_yomi_in_one_leap_and_from_the_first_second() -> None:
    assert clock("1+3x30").remaining(0, 60 + 30 + 30 + 10) == Reading(20, 1, True)
    assert clock("1+3x30").flagged(60 + 90) == 0
    assert clock("0+2x10").remaining(0, 12) == Reading(8, 1, True)


def test_a_limit_for_each_turn() -> None:
    limit = clock("30/move")
    limit.waiting((1,), 29)
    assert limit.remaining(0, 29) == Reading(30)
    assert limit.remaining(1, 58) == Reading(1)
    assert limit.flagged(59) == 1


def test_several_seats_at_once_and_the_first_to_run_out() -> None:
    several = clock("1", 3, waiting=(0, 1, 2))
    several.waiting((1, 2), 20)
    assert several.remaining(0, 40) == Reading(40)
    several.waiting((2, 0), 50)
    several.waiting((0, 1, 2), 55)
    assert several.readings(56) == (Reading(34), Reading(9), Reading(4))
    assert several.flagged(70) == 2
    several.spare(2)
    assert several.flagged(70) == 1


def test_pauses_do_not_count() -> None:
    paused = clock("1+5")
    assert paused.ticking
    paused.pause(10)
    assert not paused.ticking
    assert paused.flagged(1000) is None
    paused.resume(1000)
    assert paused.remaining(0, 1001) == Reading(49)
    assert paused.moved(0, 1001) == 11


def test_thinking_begins_anew_with_each_move_and_each_turn() -> None:
    thinking = clock("1")
    assert thinking.moved(0, 4) == 4
    assert thinking.moved(0, 6) == 2
    thinking.waiting((1,), 6)
    thinking.waiting((0,), 16)
    assert thinking.moved(0, 17) == 1


@pytest.mark.parametrize("strange", [-1e18, math.nan, -math.inf])
def test_time_that_goes_backwards_takes_and_gives_nothing(strange: float) -> None:
    back = clock("1")
    back.remaining(0, 10)
    assert back.remaining(0, strange) == Reading(50)
    assert back.flagged(strange) is None


def test_after_a_leap_backwards_time_counts_from_there() -> None:
    back = clock("1")
    back.remaining(0, 1000.0 - 990)
    back.remaining(0, 5)
    assert back.remaining(0, 15) == Reading(40)


@pytest.mark.parametrize("huge", [1e18, math.inf, 1e308])
def test_huge_times_flag_and_end(huge: float) -> None:
    for text in ("1", "1+5", "1+100x30", "5/move"):
        far = clock(text)
        assert far.flagged(huge) == 0, text
        assert far.remaining(0, huge).main == 0


def test_readings_are_restored() -> None:
    restored = clock("1+3x30")
    kept = restored.readings(75)
    restored.restore(kept, 200)
    assert restored.readings(200) == kept
    restored.restore((), 300)
    assert restored.readings(300) == (Reading(60, 3), Reading(60, 3))
