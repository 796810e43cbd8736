"""Backgammon: CHANCE rolls, a turn is several plies of one seat, stacks are counts, bar and tray are sites."""

from functools import lru_cache

from qipan.api import (
    CHANCE,
    Game,
    Move,
    Moved,
    Note,
    Outcome,
    Piece,
    Position,
    Ruleset,
    Said,
    Seat,
    Sketch,
    Step,
    hookimpl,
)

SETUPS = {"three": {22: 1, 23: 1, 24: 1}, "fifteen": {24: 2, 13: 5, 8: 3, 6: 5}}
BAR, OFF = 25, 0


class MiniBackgammon(Ruleset):
    """A seat counts its own way: pips 24 to 1, 25 the bar, 0 the tray. data = (the seat that moves, the dice left)."""

    seats = (Seat("white", 0), Seat("black", 1, 180))
    kinds = ("man",)

    def __init__(self, options):
        self.men, sketch = SETUPS[options["men"]], Sketch()
        for n in range(1, 25):
            column = (n - 1) % 12 if n > 12 else 12 - n
            sketch.point(str(n), column + (column > 5), 0 if n > 12 else 5)
        for name, x, y in (("wbar", 6, 1.5), ("bbar", 6, 3.5), ("woff", 13.5, 4.5), ("boff", 13.5, 0.5)):
            sketch.point(name, x, y)
        for names in (("12", "7"), ("6", "1"), ("13", "18"), ("19", "24")):
            sketch.line(*names)
        self.board = sketch.board()
        names = [["woff", *map(str, range(1, 25)), "wbar"], ["boff", *map(str, range(24, 0, -1)), "bbar"]]
        self.way = [[self.board.index[name] for name in row] for row in names]
        self.legal_moves = lru_cache(64)(self.legal_moves)

    def initial(self, rng):
        cells = [None] * len(self.board.sites)
        for seat, way in enumerate(self.way):
            for pip, count in self.men.items():
                cells[way[pip]] = Piece("man", seat, None, count)
        return Position(tuple(cells), CHANCE, data=(-1, ()))

    def counts(self, cells, seat):
        """The seat's men on each of its pips."""
        return [p.count if (p := cells[point]) and p.seat == seat else 0 for point in self.way[seat]]

    def plays(self, mine, theirs, dice):
        """(pip, end, die) of every single play; ``theirs`` by the other side's pips."""
        found = {}
        for die in sorted(set(dice), reverse=True):
            for pip in [BAR] if mine[BAR] else range(1, 25):
                end = pip - die
                home = sum(mine[:7]) == sum(mine)
                if not mine[pip] or (end > 0 and theirs[25 - end] > 1) or (end <= 0 and not home):
                    continue
                if end < 0 and any(mine[pip + 1 : 7]):
                    continue
                found[pip, max(end, OFF)] = die  # the smallest die that does it
        return [(pip, end, die) for (pip, end), die in found.items()]

    def after(self, mine, theirs, pip, end):
        """Both sides' counts after one play."""
        mine, theirs = list(mine), list(theirs)
        mine[pip] -= 1
        mine[end] += 1
        if end and theirs[25 - end]:
            theirs[25 - end] -= 1
            theirs[BAR] += 1
        return mine, theirs

    def best(self, mine, theirs, dice):
        """(plays, pips) of the longest way on: the most dice, then the highest, must be used."""
        found = (0, 0)
        for pip, end, die in self.plays(mine, theirs, dice):
            left = list(dice)
            left.remove(die)
            more = self.best(*self.after(mine, theirs, pip, end), left)
            found = max(found, (more[0] + 1, more[1] + die))
            if found[0] == len(dice):
                break
        return found

    def choices(self, cells, seat, dice):
        """The plays that begin a longest way: path -> die."""
        mine, theirs = self.counts(cells, seat), self.counts(cells, 1 - seat)
        most, found = self.best(mine, theirs, dice), {}
        for pip, end, die in self.plays(mine, theirs, dice):
            left = list(dice)
            left.remove(die)
            count, pips = self.best(*self.after(mine, theirs, pip, end), left)
            if count + 1 == most[0] and (count or pips + die == most[1]):
                found[self.way[seat][pip], self.way[seat][end]] = die
        return found

    def legal_moves(self, position):
        seat, dice = position.data
        if position.turn == CHANCE:
            pairs = [(a, b) for a in range(1, 7) for b in range(1, 7) if (a != b if seat < 0 else a <= b)]
            return [Move(CHANCE, (), f"roll:{a}{b}") for a, b in pairs]
        return [Move(seat, path) for path in self.choices(position.cells, seat, dice)]

    def odds(self, position):
        return [(move, 1 if position.data[0] < 0 or move.word[5] == move.word[6] else 2)
                for move in self.legal_moves(position)]  # fmt: skip

    def refusal(self, position, move):
        bar = self.way[move.seat][BAR] if move.seat >= 0 else 0
        if move.seat == position.turn and position.cells[bar] and move.path and move.path[0] != bar:
            return Note("bar-first")
        return super().refusal(position, move)

    def notes(self, view, viewer):
        return (Note("dice", (" ".join(map(str, view.data[1])),)),) if view.data[1] else ()

    def apply(self, position, move):
        seat, dice = position.data
        if move.seat == CHANCE:
            a, b = int(move.word[5]), int(move.word[6])
            seat = seat if seat >= 0 else int(a < b)
            said = Note("rolled", (f"seat.{self.seats[seat].name}", a, b))
            return self._go_on(position, seat, (a,) * 4 if a == b else (max(a, b), min(a, b)), [Said(said)], True)
        (src, dst), cells, events = move.path, list(position.cells), []
        dice, there = list(dice), cells[dst]
        dice.remove(self.choices(position.cells, seat, dice)[move.path])
        if there and there.seat != seat:
            bar = self.way[1 - seat][BAR]
            cells[bar] = Piece("man", 1 - seat, None, 1 + (cells[bar].count if cells[bar] else 0))
            events.append(Moved(dst, bar))
            there = None
        left = cells[src].count - 1
        cells[dst] = Piece("man", seat, None, 1 + (there.count if there else 0))
        cells[src] = Piece("man", seat, None, left) if left else None
        events.append(Moved(src, dst, count=1))
        return self._go_on(position._replace(cells=tuple(cells)), seat, tuple(dice), events, False)

    def _go_on(self, position, seat, dice, events, final):
        """The step: on with the dice left, or the other's roll where none is left or can be used."""
        if dice and self.outcome(position) is None:
            if self.choices(position.cells, seat, dice):
                return Step(position._replace(turn=seat, data=(seat, dice)), tuple(events), final=final)
            events.append(Said(Note("no-move", (f"seat.{self.seats[seat].name}",))))
        return Step(position._replace(turn=CHANCE, data=(1 - seat, ())), tuple(events), final=final)

    def outcome(self, position):
        for seat, way in enumerate(self.way):
            home, other = position.cells[way[OFF]], position.cells[self.way[1 - seat][OFF]]
            if home and home.count == sum(self.men.values()):
                worth = 1.0 if other else 2.0
                reason = Note("single" if other else "gammon", (f"seat.{self.seats[seat].name}",))
                return Outcome((seat,), reason, (worth, -worth) if seat == 0 else (-worth, worth))
        return None


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_backgammon", MiniBackgammon),)
