"""Xiangqi a second time, straight from the rule book and slow: a dictionary of pieces, every move tried on a copy.

It shares nothing with the plugin but the letters of a FEN (capitals are Red's) and the names of points.
"""

from __future__ import annotations

from collections.abc import Iterator

Square = tuple[int, int]  # file 0 to 8, rank 1 to 10 from Red's side
Army = dict[Square, str]


def setup(fen: str) -> tuple[Army, str]:
    """The pieces by square and the side to move, "w" or "b"."""
    rows, side = fen.split()[:2]
    army: Army = {}
    for rank, row in zip(range(10, 0, -1), rows.split("/"), strict=True):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                army[file, rank] = letter
                file += 1
    return army, side


def legal(army: Army, side: str) -> list[str]:
    """The legal moves as UCI texts, sorted."""
    found = []
    for src, dst in pseudo(army, side):
        after = dict(army)
        after[dst] = after.pop(src)
        if not in_check(after, side):
            found.append(f"{name(src)}{name(dst)}")
    return sorted(found)


def in_check(army: Army, side: str) -> bool:
    """True when the general of a side could be taken, or sees the other general."""
    return bool(attackers(army, side))


def attackers(army: Army, side: str) -> set[str]:
    """The squares of the pieces that could take a side's general; the other general along an open file is one."""
    own, other = ("K", "k") if side == "w" else ("k", "K")
    general = next(square for square, letter in army.items() if letter == own)
    far = next(square for square, letter in army.items() if letter == other)
    found = {name(src) for src, dst in pseudo(army, "b" if side == "w" else "w") if dst == general}
    if general[0] == far[0] and not any(square in army for square in between(general, far)):
        found.add(name(far))
    return found


def name(square: Square) -> str:
    """A square's name, such as e1."""
    return f"{'abcdefghi'[square[0]]}{square[1]}"


def pseudo(army: Army, side: str) -> Iterator[tuple[Square, Square]]:
    """Every move a side's pieces make, whatever becomes of their own general."""
    for src, letter in army.items():
        if letter.isupper() == (side == "w"):
            for dst in reach(army, src, letter.lower(), side):
                if dst not in army or army[dst].isupper() != letter.isupper():
                    yield src, dst


def reach(army: Army, src: Square, kind: str, side: str) -> Iterator[Square]:
    """The squares a piece goes to; some may hold its own side's pieces."""
    file, rank = src
    if kind in "rc":
        for dst in [(f, rank) for f in range(9)] + [(file, r) for r in range(1, 11)]:
            if dst != src:
                screens = sum(square in army for square in between(src, dst))
                if screens == (1 if kind == "c" and dst in army else 0):
                    yield dst
    elif kind == "n":
        for df, dr in ((1, 2), (2, 1)):
            for sf in (-1, 1):
                for sr in (-1, 1):
                    leg = (file, rank + sr) if dr == 2 else (file + sf, rank)
                    if leg not in army:
                        yield from on_board((file + sf * df, rank + sr * dr))
    elif kind == "b":
        for sf in (-1, 1):
            for sr in (-1, 1):
                dst = (file + 2 * sf, rank + 2 * sr)
                if (file + sf, rank + sr) not in army and (dst[1] <= 5) == (side == "w"):
                    yield from on_board(dst)
    elif kind == "p":
        ahead = 1 if side == "w" else -1
        yield from on_board((file, rank + ahead))
        if (rank >= 6) == (side == "w"):
            yield from on_board((file - 1, rank))
            yield from on_board((file + 1, rank))
    else:
        steps = ((0, 1), (0, -1), (1, 0), (-1, 0)) if kind == "k" else ((1, 1), (1, -1), (-1, 1), (-1, -1))
        for df, dr in steps:
            if file + df in (3, 4, 5) and rank + dr in ((1, 2, 3) if side == "w" else (8, 9, 10)):
                yield file + df, rank + dr


def on_board(square: Square) -> Iterator[Square]:
    """The square, if it is on the board."""
    if 0 <= square[0] <= 8 and 1 <= square[1] <= 10:
        yield square


def between(a: Square, b: Square) -> list[Square]:
    """The squares strictly between two on one line."""
    if a[0] == b[0]:
        return [(a[0], rank) for rank in range(min(a[1], b[1]) + 1, max(a[1], b[1]))]
    return [(file, a[1]) for file in range(min(a[0], b[0]) + 1, max(a[0], b[0]))]
