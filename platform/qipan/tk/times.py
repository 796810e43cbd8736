"""Times as texts: a control in words, a clock's reading, what a move took."""

from __future__ import annotations

from collections.abc import Callable

from qipan.clock import Control


def control_text(text: Callable[..., str], control: Control) -> str:
    """A time control in words ("10 min + 5 s"), by ``text(key, *args)`` of a window's words."""
    minutes, step = f"{control.main / 60:g}", f"{control.step:g}"
    match control.kind:
        case "none":
            return text("clock.none")
        case "sudden":
            return text("clock.sudden", minutes)
        case "increment":
            return text("clock.increment", minutes, step)
        case "byoyomi":
            return text("clock.byoyomi", minutes, control.periods, step)
    return text("clock.move", step)


def clock_text(seconds: float, tenths: bool = False) -> str:
    """A clock's reading: 06:42, 1:06:42, and with tenths in the last ten seconds 00:07.3."""
    if tenths and 0 < seconds < 10:
        return f"00:{int(seconds * 10) / 10:04.1f}"
    whole = int(-(-seconds // 1))
    hours, rest = divmod(whole, 3600)
    minutes, seconds = divmod(rest, 60)
    return f"{hours}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes:02d}:{seconds:02d}"


def spent_text(seconds: float | None) -> str:
    """The time a move took: 0:04; "" where it isn't known."""
    if seconds is None:
        return ""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
