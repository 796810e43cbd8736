"""The colours of the window in its two modes, and how colours are mixed."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Mode: TypeAlias = Literal["light", "dark"]


class Tokens(NamedTuple):
    """Every colour the window uses, as #RRGGBB."""

    bg: str
    surface: str
    raised: str
    line: str
    control: str
    ink: str
    ink2: str
    ink3: str
    accent: str
    on_accent: str
    accent_soft: str
    accent_hover: str
    red: str
    red_soft: str
    good: str
    warn: str
    win: str
    draw: str
    loss: str

    def colour(self, name: str) -> str:
        """A colour by expression: "raised", or "raised+6" for the accent laid over it at 6 %."""
        ground, _, percent = name.partition("+")
        base = getattr(self, ground)
        return mix(base, self.accent, int(percent) / 100) if percent else str(base)


LIGHT = Tokens(
    bg="#E9EEF0", surface="#F6F8F9", raised="#FFFFFF", line="#D3DBE0", control="#7B8892",
    ink="#17212A", ink2="#475560", ink3="#5F6C77",
    accent="#27509E", on_accent="#FFFFFF", accent_soft="#DFE8F8", accent_hover="#1E4083",
    red="#B3231B", red_soft="#FBE9E6", good="#1B6B4A", warn="#835200",
    win="#1F4FA8", draw="#44545F", loss="#A84300",
)  # fmt: skip
DARK = Tokens(
    bg="#0F151B", surface="#171F27", raised="#212B35", line="#2F3C48", control="#74838F",
    ink="#EAF0F4", ink2="#B4C1CB", ink3="#93A2AE",
    accent="#8FB0FF", on_accent="#0B1530", accent_soft="#23345A", accent_hover="#A9C2FF",
    red="#FF8A7C", red_soft="#43211F", good="#6FD0A0", warn="#EBBB55",
    win="#8FB0FF", draw="#B4C1CB", loss="#FFA566",
)  # fmt: skip
MODES: dict[str, Tokens] = {"light": LIGHT, "dark": DARK}


def mix(a: str, b: str, part: float) -> str:
    """The colour ``part`` (0..1) of the way from a to b."""
    pairs = zip(_rgb(a), _rgb(b), strict=True)
    return "#" + "".join(f"{round(x + (y - x) * part):02X}" for x, y in pairs)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[n : n + 2], 16) for n in (1, 3, 5))
