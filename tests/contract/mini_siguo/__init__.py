"""Four hidden armies of eight on a small cross: secret line-ups, railways, bombs, mines, flags; two teams."""

from functools import lru_cache

from qipan.api import (
    HIDDEN,
    NOBODY,
    Game,
    Move,
    Moved,
    Note,
    Outcome,
    Piece,
    Placed,
    Position,
    Removed,
    Revealed,
    Ruleset,
    Said,
    Seat,
    Sketch,
    Step,
    hookimpl,
)

RANK = {"engineer": 1, "captain": 2, "general": 3, "commander": 4}
ARMY = ("flag", "mine", "bomb", "commander", "general", "captain", "engineer", "engineer")
FIXED, QUIET, SKIPS = ("flag", "mine"), 24, 3


def clash(a: str, d: str) -> tuple[int, ...]:
    """What everybody sees of a clash: attacker lives, defender lives, flag taken, a commander of either died."""
    if "bomb" in (a, d):
        lives = (0, 0)
    elif d in FIXED:
        lives = (1, 0) if d == "flag" or a == "engineer" else (0, 1)
    else:
        lives = (int(RANK[a] > RANK[d]), int(RANK[a] < RANK[d]))
    dead = [int(kind == "commander" and not live) for kind, live in zip((a, d), lives, strict=True)]
    return (*lives, int(d == "flag"), *dead)


class MiniSiguo(Ruleset):
    """Position.data = skips by seat (-1: out), seats that owe a line-up; tally = what all know of every piece:
    plies without contact, the origin of each cell's piece, origins that moved, that turned a corner, the clashes."""

    seats = tuple(Seat(name, n % 2, -90 * n % 360) for n, name in enumerate(("orange", "purple", "green", "blue")))
    kinds = tuple(dict.fromkeys(ARMY))
    hidden = True

    def __init__(self, options):
        self.sees = [tuple(sorted({s, (s + 2) % 4} if options["allies"] == "open" else {s})) for s in range(4)]
        self.board = self._board()
        self.near, self.rails, self.rail = self.board.steps(), self.board.rays("rail"), self.board.steps("rail")
        tagged = [[n for n, site in enumerate(self.board.sites) if tag in site.tags] for tag in ("camp", "hq", "front")]
        self.camps, self.hqs, self.front = map(frozenset, tagged)
        self.home = [[n for n, s in enumerate(self.board.sites) if f"seat{k}" in s.tags] for k in range(4)]
        self.legal_moves = lru_cache(64)(self.legal_moves)

    def _board(self):
        sketch = Sketch()

        def at(x, y):
            return "abcdefghi"[x] + str(9 - y)

        def spot(seat, rank, file):
            x, y = file - 1, 2 + rank
            for _ in range(seat % 4):
                x, y = y, -x
            return at(4 + x, 4 + y)

        for y in range(9):
            for x in range(9):
                if 3 <= x <= 5 or 3 <= y <= 5:
                    sketch.point(at(x, y), x, y)
        for k, low, high in ((3, 1, 7), (4, 2, 6), (5, 1, 7)):
            sketch.line(*(at(k, y) for y in range(low, high + 1)), kind="rail")
            sketch.line(*(at(x, k) for x in range(low, high + 1)), kind="rail")
        for s in range(4):
            block = [[spot(s, rank, file) for file in range(3)] for rank in range(3)]
            sketch.tag(f"seat{s}", *(name for row in block for name in row if name != block[1][1]))
            sketch.tag("front", *block[0])
            sketch.tag("hq", block[2][0], block[2][2])
            sketch.tag("camp", block[1][1])
            sketch.line(*block[0], kind="rail")
            corner = (block[1][2], block[0][2], spot(s + 1, 0, 0), spot(s + 1, 1, 0))
            sketch.line(*corner, kind="rail", bulge=(0, -0.41421, 0))
            sketch.line(*block[1])
            sketch.line(*block[2])
            for file in (0, 2):
                sketch.line(block[1][file], block[2][file])
                sketch.line(block[0][file], block[1][1], block[2][2 - file])
            sketch.line(*(row[1] for row in block))
        return sketch.board()

    def allowed(self, kind, point):
        """True where a line-up may put that kind."""
        return point in self.hqs if kind == "flag" else kind not in ("mine", "bomb") or point not in self.front

    def initial(self, rng):
        cells, origins = [None] * len(self.board.sites), [-1] * len(self.board.sites)
        for seat, home in enumerate(self.home):
            army = list(ARMY)
            while not all(map(self.allowed, army, home)):
                rng.shuffle(army)
            for point, kind in zip(home, army, strict=True):
                cells[point], origins[point] = Piece(kind, seat, self.sees[seat]), point
        data, tally = ((0,) * 4, (0, 1, 2, 3)), (0, tuple(origins), (), (), ())
        return Position(tuple(cells), NOBODY, (), "arrange", data, tally)

    def waiting(self, position):
        return position.data[1] or (position.turn,)

    def living(self, position):
        return tuple(seat for seat in range(4) if position.data[0][seat] >= 0)

    def arranged(self, position, move):
        """The own points and the pieces a line-up puts there; None where it is no lawful permutation."""
        home = self.home[move.seat]
        names = move.word.removeprefix("arrange:").split(",")
        points = [self.board.index.get(name, -1) for name in names]
        if sorted(points) != home:
            return None
        pieces = [position.cells[point] for point in points]
        return [*zip(home, pieces, strict=True)] if all(map(self.allowed, [p.kind for p in pieces], home)) else None

    def legal_moves(self, position):
        if position.data[1]:
            names = [[self.board.sites[p].name for p in home] for home in self.home]
            return [Move(seat, (), "arrange:" + ",".join(names[seat])) for seat in position.data[1]]
        cells, turn = position.cells, position.turn
        return [Move(turn, (), "skip")] + [
            Move(turn, (src, dst))
            for src, piece in enumerate(cells)
            if piece and piece.seat == turn and piece.kind not in FIXED and src not in self.hqs
            for dst in sorted(self.reach(cells, src) | (self.tour(cells, src) if piece.kind == "engineer" else set()))
            if cells[dst] is None or ((cells[dst].seat - turn) % 2 and dst not in self.camps)
        ]

    def reach(self, cells, src):
        """The points any piece reaches: a step, or straight along a railway."""
        found = set(self.near[src])
        for ray in self.rails[src]:
            for point in ray:
                found.add(point)
                if cells[point]:
                    break
        return found - {src}

    def tour(self, cells, src):
        """The points an engineer reaches by rail."""
        found, edge = {src}, [src]
        while edge:
            fresh = set(self.rail[edge.pop()]) - found
            found |= fresh
            edge += [point for point in fresh if not cells[point]]
        return found - {src}

    def refusal(self, position, move):
        if move.word.startswith("arrange:"):
            owes = move.seat in position.data[1] and not move.path
            return Note("illegal") if not owes else None if self.arranged(position, move) else Note("bad-line-up")
        return super().refusal(position, move)

    def apply(self, position, move):
        seat, (skips, owing) = move.seat, position.data
        if owing:
            cells, to = list(position.cells), self.sees[seat]
            placed = self.arranged(position, move)
            events = [Placed(point, piece, to) for point, piece in placed if cells[point] != piece]
            for point, piece in placed:
                cells[point] = piece
            return Step(self._ready(position._replace(cells=tuple(cells)), seat), tuple(events), (seat,))
        if not move.path:
            skips = tuple(n + (s == seat) for s, n in enumerate(skips))
            said = (Said(Note("skipped", (f"seat.{self.seats[seat].name}", skips[seat]))),)
            after = position._replace(data=(skips, ()), tally=(position.tally[0] + 1, *position.tally[1:]))
            after, gone = self.fall(after, seat) if skips[seat] == SKIPS else (after, ())
            return Step(self.next(after), said + gone)
        return self.go(position, *move.path)

    def _ready(self, position, seat):
        owing = tuple(s for s in position.data[1] if s != seat)
        after = position._replace(data=(position.data[0], owing))
        return after if owing else self.next(after._replace(phase="play", turn=3))

    def next(self, position):
        """The same with the next living seat to move."""
        return position._replace(turn=next(s % 4 for s in range(position.turn + 1, position.turn + 5)
                                           if position.data[0][s % 4] >= 0 or not self.living(position)))

    def fall(self, position, seat):
        """The position without that army, and the events."""
        gone = [point for point, piece in enumerate(position.cells) if piece and piece.seat == seat]
        cells = tuple(None if p in gone else piece for p, piece in enumerate(position.cells))
        skips = tuple(-1 if s == seat else n for s, n in enumerate(position.data[0]))
        said = Said(Note("army-gone", (f"seat.{self.seats[seat].name}",)))
        after = position._replace(cells=cells, data=(skips, position.data[1]))
        return after, (*(Removed(point, "fell") for point in gone), said)

    def go(self, position, src, dst):
        """The step of a piece to a free point or into a clash; a clash tells something, so it is final."""
        cells, (quiet, origins, moved, turned, clashes) = list(position.cells), position.tally
        mine, theirs, origins = cells[src], cells[dst], list(origins)
        me, they, origins[src] = origins[src], origins[dst], -1
        moved = tuple(sorted({*moved, me}))
        corner = dst not in self.reach(cells, src)
        turned = tuple(sorted({*turned, me})) if corner else turned
        result = clash(mine.kind, theirs.kind) if theirs else (1, 0, 0, 0, 0)
        lives, stays, flag, *dead = result
        cells[src], cells[dst], events = None, mine if lives else theirs if stays else None, []
        origins[dst] = me if lives else they if stays else -1
        if theirs:
            clashes, quiet = (*clashes, (me, they, *result)), -1
            events += [] if stays else [Removed(dst)]
        events += [Moved(src, dst)] if lives else [Removed(src)]
        for piece in [p for p, died in zip((mine, theirs), dead, strict=True) if died]:
            for point, flagged in enumerate(cells):
                if flagged and (flagged.kind, flagged.seat) == ("flag", piece.seat):
                    cells[point] = flagged._replace(known=None)
                    said = Said(Note("flag-shown", (f"seat.{self.seats[piece.seat].name}",)))
                    events += [Revealed(point, cells[point]), said]
        tally = (quiet + 1, tuple(origins), moved, turned, clashes)
        after, gone = position._replace(cells=tuple(cells), tally=tally), ()
        if flag:
            after, gone = self.fall(after, theirs.seat)
        return Step(self.next(after), (*events, *gone), final=bool(theirs or corner))

    def outcome(self, position):
        alive = {seat % 2 for seat in self.living(position)}
        if len(alive) < 2:
            return Outcome(tuple(s for s in range(4) if s % 2 in alive), Note("last-team"))
        return Outcome((), Note("no-contact")) if position.tally[0] >= QUIET else None

    def concede(self, position, seat, why):
        after, gone = self.fall(position, seat)
        if after.data[1]:
            return Step(self._ready(after, seat), gone)
        return Step(self.next(after) if position.turn == seat else after, gone)

    def worlds(self, seen, seat, rng):
        """Every origin gets a kind that fits its place, its moves, its clashes and what was shown."""
        view = seen[-1].view
        _, origins, moved, turned, clashes = view.tally
        start = next((s.view for s in seen if s.view.phase == "play"), view)
        known = {at: piece.kind for v in (start, view) for at, piece in zip(v.tally[1], v.cells, strict=True)
                 if piece and piece.kind != HIDDEN}  # fmt: skip
        for one in seen:
            known.update({one.view.tally[1][e.point]: e.piece.kind for e in one.events if isinstance(e, Revealed)})
        known.update(dict.fromkeys(turned, "engineer"))
        may = {at: {known[at]} if at in known else {k for k in ARMY if self.allowed(k, at) and not (
            at in moved and k in FIXED)} for home in self.home for at in home}  # fmt: skip
        may = fitted(may, clashes)
        sure = frozenset(at for home in self.home if all(len(may[at]) == 1 for at in home) for at in home)
        kinds = draw(may, self.home, clashes, rng, sure)
        cells = tuple(p if p is None or p.kind != HIDDEN else p._replace(kind=kinds[at])
                      for at, p in zip(origins, view.cells, strict=True))
        return view._replace(cells=cells)


def fitted(may, clashes):
    """The same with only the kinds that each clash leaves possible."""
    for a, d, *seen in clashes:
        pairs = [(x, y) for x in may[a] for y in may[d] if clash(x, y) == tuple(seen)]
        may = {**may, a: {x for x, _ in pairs}, d: {y for _, y in pairs}}
    return may


def draw(may, homes, clashes, rng, given):
    """A kind for every origin out of what it may be: each army whole, every clash as seen; None: there is none."""
    if len(given) == len(may):
        return {at: kind for at, (kind,) in may.items()}
    at = min((at for at in may if at not in given), key=lambda at: (len(may[at]), rng.random()))
    home, given = next(home for home in homes if at in home), given | {at}
    for kind in rng.sample(sorted(may[at]), len(may[at])):
        now = fitted({**may, at: {kind}}, [c for c in clashes if at in c[:2]])
        if sum(now[x] == {kind} for x in home if x in given) == ARMY.count(kind):
            now.update({x: now[x] - {kind} for x in home if x not in given})
        if all(now.values()) and all(sum(k in now[x] for x in home) >= ARMY.count(k) for k in ARMY):
            found = draw(now, homes, clashes, rng, given)
            if found:
                return found
    return None


@hookimpl
def games():
    """The one game of this plugin."""
    return (Game("mini_siguo", MiniSiguo),)
