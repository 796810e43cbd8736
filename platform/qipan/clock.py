"""The clocks of a game: pure data; the time is passed in (seconds, any origin), nothing runs by itself."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from qipan.values import Fault

_LONGEST = 1e7  # seconds a control may give; more is a slip of the keyboard
MOST_PERIODS = 100
_FORMS = "none, 10 (minutes), 10+5 (seconds added), 10+3x30 (periods of seconds) or 30/move"


class Control(NamedTuple):
    """How time is given. ``main`` seconds for the game; ``step``: the increment, a period or the limit of a turn."""

    kind: Literal["none", "sudden", "increment", "byoyomi", "move"]
    main: float = 0.0
    step: float = 0.0
    periods: int = 0

    @classmethod
    def parse(cls, text: str) -> Control:
        """The control a text means: "none", "10" (minutes), "10+5", "10+3x30" or "30/move". Raises Fault."""
        text = text.strip().lower()
        if text in ("", "none"):
            return NONE
        number = r"(\d{1,9}(?:\.\d{1,9})?)"
        if found := re.fullmatch(number + "/move", text):
            return cls("move", step=float(found[1])).checked()
        if not (found := re.fullmatch(number + r"(?:\+(?:(\d{1,9})x)?" + number + ")?", text)):
            raise Fault("{0} is no time control ({1})", repr(text), _FORMS)
        main, periods, step = float(found[1]) * 60, found[2], float(found[3] or 0)
        if periods:
            return cls("byoyomi", main, step, int(periods)).checked()
        return cls("increment" if step else "sudden", main, step).checked()

    def checked(self) -> Control:
        """Itself where its numbers can be played with. Raises Fault."""
        fine = all(math.isfinite(n) and 0 <= n <= _LONGEST for n in (self.main, self.step))
        needs = {
            "none": True,
            "sudden": self.main > 0,
            "increment": self.main + self.step > 0,
            "byoyomi": self.step > 0 and 0 < self.periods <= MOST_PERIODS,
            "move": self.step > 0,
        }
        if not fine or not needs[self.kind]:
            raise Fault("no clock can give that time: {0} ({1})", self.text(), _FORMS)
        return self

    def text(self) -> str:
        """The short form that `parse` reads."""
        main = f"{self.main / 60:.10g}"
        return {
            "none": "none",
            "sudden": main,
            "increment": f"{main}+{self.step:.10g}",
            "byoyomi": f"{main}+{self.periods}x{self.step:.10g}",
            "move": f"{self.step:.10g}/move",
        }[self.kind]

    def full(self) -> Reading:
        """What a clock shows before anything was used."""
        if self.kind == "byoyomi":
            return Reading(self.main, self.periods) if self.main else Reading(self.step, self.periods, True)
        if self.kind == "increment":
            return Reading(self.main or self.step)
        return Reading(self.step if self.kind == "move" else self.main)


NONE = Control("none")


class Reading(NamedTuple):
    """What one seat's clock shows: seconds of main time or of the running period, and the periods still to lose."""

    main: float = 0.0
    periods: int = 0
    in_period: bool = False


class Clock:
    """The seats' clocks. Those waited for run, several at once where the game says so; an increment is added, and a
    period or a turn's limit made whole again, when a seat stops being waited for.
    """

    def __init__(self, control: Control, seats: int, now: float) -> None:
        self.control = control
        self.running: tuple[int, ...] = ()
        self.paused = False
        self._left = [control.full() for _ in range(seats)]  # below 0: so long ago the flag fell
        self._used = [0.0] * seats
        self._spared: set[int] = set()
        self._since = now

    @property
    def ticking(self) -> bool:
        """True while some seat's time runs."""
        return self.control.kind != "none" and not self.paused and len(self.running) > 0

    def remaining(self, seat: int, now: float) -> Reading:
        """What the seat's clock shows."""
        self._advance(now)
        reading = self._left[seat]
        return reading._replace(main=max(0.0, reading.main))

    def readings(self, now: float) -> tuple[Reading, ...]:
        """What all clocks show, to the thousandth; () where the game is played without."""
        if self.control.kind == "none":
            return ()
        shown = (self.remaining(seat, now) for seat in range(len(self._left)))
        return tuple(reading._replace(main=round(reading.main, 3)) for reading in shown)

    def moved(self, seat: int, now: float) -> float:
        """The seconds the seat was waited for since it last moved, pauses left out; it begins to think anew."""
        self._advance(now)
        used, self._used[seat] = self._used[seat], 0.0
        return used

    def waiting(self, seats: Iterable[int], now: float, *, grant: bool = True) -> None:
        """From now on these seats are waited for. ``grant`` False: those who no longer are get no increment."""
        self._advance(now)
        after = tuple(seats)
        for seat in self.running:
            if seat not in after:
                self._renew(seat, grant)
        for seat in after:
            if seat not in self.running:
                self._renew(seat, False)
                self._used[seat] = 0.0
        self.running = after

    def flagged(self, now: float) -> int | None:
        """The seat whose time ran out first, if any did."""
        self._advance(now)
        if self.control.kind == "none":
            return None
        out = [(self._left[seat].main, seat) for seat in self.running if seat not in self._spared]
        left, seat = min(out, default=(1.0, 0))
        return seat if left <= 0 else None

    def spare(self, seat: int) -> None:
        """Lets a seat play on without time: the rules did not let it lose by it."""
        self._spared.add(seat)

    def pause(self, now: float) -> None:
        """Stops all clocks."""
        self._advance(now)
        self.paused = True

    def resume(self, now: float) -> None:
        """Lets the clocks of those waited for run again."""
        self._advance(now)
        self.paused = False

    def restore(self, readings: Sequence[Reading], now: float) -> None:
        """Sets all clocks to readings taken earlier; () sets them as at the start."""
        self._advance(now)
        self._spared.clear()
        self._used = [0.0] * len(self._left)
        self._left = list(readings) if readings else [self.control.full() for _ in self._left]

    def _renew(self, seat: int, grant: bool) -> None:
        reading, control = self._left[seat], self.control
        if control.kind == "increment" and grant:
            self._left[seat] = reading._replace(main=reading.main + control.step)
        elif control.kind == "move" or (reading.in_period and reading.periods):
            self._left[seat] = reading._replace(main=control.step)

    def _advance(self, now: float) -> None:
        passed = now - self._since
        if math.isnan(passed) or now == -math.inf:
            return
        self._since = now  # also where it went backwards: what comes after counts from there
        if passed <= 0 or self.paused:
            return
        for seat in self.running:
            self._used[seat] += passed
            self._left[seat] = self._charged(self._left[seat], passed)

    def _charged(self, reading: Reading, passed: float) -> Reading:
        left, (_, periods, in_period) = reading.main - passed, reading
        if self.control.kind != "byoyomi":
            return reading._replace(main=left)
        while left <= 0 and (periods > 0 if not in_period else periods > 1):
            periods -= in_period
            in_period = True
            left += self.control.step
        if left <= 0 and in_period:
            periods = 0
        return Reading(left, periods, in_period)
