"""Each law is seen to fail: for every law a deliberately wrong game, which the law and no other part of it names."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import pytest
from good_games import SENTENCES, Crossing, CrossingSearcher, FastCrossing, Veil, info

from qipan import laws
from qipan.api import (
    CHANCE,
    NOBODY,
    Board,
    Move,
    Note,
    Outcome,
    Piece,
    Placed,
    Position,
    Removed,
    Ruleset,
    Said,
    Seen,
    Site,
    Step,
)
from qipan.catalogue import PieceLook
from qipan.layout import Layout


def report(rules: type[Ruleset], **changes: object) -> laws.Report:
    return laws.check(lambda options: rules(options), info(rules, **changes), SENTENCES, games=6, seconds=20)  # type: ignore[call-arg]


@pytest.mark.parametrize("rules", [Crossing, FastCrossing, Veil])
def test_good_games_keep_every_law(rules: type[Ruleset]) -> None:
    found = report(rules)
    assert found.ok, "\n".join(found.lines())
    assert found.games >= 6
    assert found.plies > 30


# -- the planted faults ------------------------------------------------------------------------------------------
class ListsTwice(Crossing):
    def legal_moves(self, position: Position) -> Iterable[Move]:
        moves = list(super().legal_moves(position))
        return moves + moves[:1]


class TouchesTwice(Crossing):
    def legal_moves(self, position: Position) -> Iterable[Move]:
        return [move._replace(path=(move.path[0], *move.path)) for move in super().legal_moves(position)]

    def apply(self, position: Position, move: Move) -> Step:
        return super().apply(position, move._replace(path=move.path[1:]))


class RunsDry(Crossing):
    def legal_moves(self, position: Position) -> Iterable[Move]:
        return [] if position.tally == 4 else super().legal_moves(position)


class WaitsForTheOther(Crossing):
    def waiting(self, position: Position) -> tuple[int, ...]:
        return (1 - position.turn,)


class Moody(Crossing):
    calls = itertools.count()

    def apply(self, position: Position, move: Move) -> Step:
        step = super().apply(position, move)
        return step._replace(final=next(self.calls) % 2 == 0)


class OtherStart(Crossing):
    calls = itertools.count()

    def initial(self, rng: Random) -> Position:
        return super().initial(rng)._replace(phase=str(next(self.calls)))


class RefusesLegal(Crossing):
    def refusal(self, position: Position, move: Move) -> Note | None:
        return Note("illegal") if move.path[:1] == (8,) else super().refusal(position, move)


class AcceptsAll(Crossing):
    def refusal(self, position: Position, move: Move) -> Note | None:
        return None


class ZeroOdds(Crossing):
    def initial(self, rng: Random) -> Position:
        return super().initial(rng)._replace(turn=CHANCE)

    def legal_moves(self, position: Position) -> Iterable[Move]:
        return [Move(CHANCE, (), "pass")] if position.turn == CHANCE else super().legal_moves(position)

    def apply(self, position: Position, move: Move) -> Step:
        return Step(position._replace(turn=0)) if move.seat == CHANCE else super().apply(position, move)

    def odds(self, position: Position) -> Iterable[tuple[Move, int]]:
        return [(Move(CHANCE, (), "pass"), 1), (Move(CHANCE, (), "roll"), 0)]


class WinsByLeaving(Crossing):
    def concede(self, position: Position, seat: int, why: str) -> Step | Outcome | Note:
        return Outcome((seat,), Note(why))


class UnknownWinner(Crossing):
    def outcome(self, position: Position) -> Outcome | None:
        found = super().outcome(position)
        return found and found._replace(winners=(7,))


class SilentMove(Crossing):
    def apply(self, position: Position, move: Move) -> Step:
        return super().apply(position, move)._replace(events=())


class ViewsDeeper(Veil):
    def view(self, position: Position, viewer: int) -> Position:
        seen = super().view(position, viewer)
        return seen._replace(phase=seen.phase + "|")


class LosesItsPieces(Veil):
    def view(self, position: Position, viewer: int) -> Position:
        seen = super().view(position, viewer)
        return seen._replace(cells=tuple(p and Piece("hidden", NOBODY, (), 1) for p in seen.cells))


class ForgetsTheDead(Veil):
    def worlds(self, seen: Sequence[Seen], seat: int, rng: Random) -> Position:
        return super().worlds(seen[:1], seat, rng)


class RevealsSoftly(Veil):
    def apply(self, position: Position, move: Move) -> Step:
        return super().apply(position, move)._replace(final=False)


class TellsByRefusal(Veil):
    def refusal(self, position: Position, move: Move) -> Note | None:
        note = super().refusal(position, move)
        if note and move.path and (piece := position.cells[move.path[-1]]):
            return Note("illegal", (f"kind.{piece.kind}",))
        return note


class WhispersToOnlookers(Veil):
    def apply(self, position: Position, move: Move) -> Step:
        step = super().apply(position, move)
        if not move.path or (piece := position.cells[move.path[0]]) is None:
            return step
        return step._replace(events=(*step.events, Said(Note("crossed", (f"kind.{piece.kind}",)), (NOBODY,))))


class LeaksByEvent(Veil):
    def apply(self, position: Position, move: Move) -> Step:
        step = super().apply(position, move)
        if step.final or not move.path:
            return step._replace(told=(move.seat,)) if not step.final else step
        src, dst = move.path
        piece = position.cells[src]
        assert piece is not None
        return Step(step.position, (Removed(src), Placed(dst, piece)), told=(move.seat,))


class CantReadItself(Crossing):
    def write(self, position: Position) -> str:
        return super().write(position._replace(tally=0))


class CallsItImpossible(Crossing):
    def fault(self, position: Position) -> Note | None:
        return Note("illegal") if position.tally == 3 else None


class MumblesMoves(Crossing):
    def say(self, position: Position, move: Move, style: str = "") -> str:
        return "go"


class ReadsNonsense(Crossing):
    def parse(self, position: Position, text: str) -> Move:
        return next(m for m in self.legal_moves(position) if self.say(position, m) == text or text in ("", "?", "@"))


class WithoutWords(Crossing):
    def outcome(self, position: Position) -> Outcome | None:
        found = super().outcome(position)
        return found and found._replace(reason=Note("nobody-wrote-this"))


class PointsAway(Crossing):
    def notes(self, view: Position, viewer: int) -> tuple[Note, ...]:
        return (Note("crossed", ("seat.red",), (99,)),)


class StrangeKind(Crossing):
    def initial(self, rng: Random) -> Position:
        start = super().initial(rng)
        return start._replace(cells=(*start.cells[:4], Piece("pebble", NOBODY), *start.cells[5:]))


class MissesAMove(CrossingSearcher):
    def moves(self) -> list[int]:
        return super().moves()[1:]


class PopsNothing(CrossingSearcher):
    def pop(self) -> None:
        self.line = self.line[-1:]


class Drifted(Crossing):
    def searcher(self, position: Position) -> CrossingSearcher:
        return MissesAMove(self, position)


class Stuck(Crossing):
    def searcher(self, position: Position) -> CrossingSearcher:
        return PopsNothing(self, position)


class Crowded(Crossing):
    def __init__(self, options: object = None) -> None:
        super().__init__(options)
        sites = list(self.board.sites)
        sites[1] = Site("b3", sites[0].x + 0.01, sites[0].y)
        self.board = Board(tuple(sites), self.board.lines)


class NeverEnds(Crossing):
    def apply(self, position: Position, move: Move) -> Step:
        step = super().apply(position, move)
        return step._replace(position=step.position._replace(tally=1))

    def legal_moves(self, position: Position) -> Iterable[Move]:
        return [move for move in super().legal_moves(position) if move.path[1] not in (0, 8)]


class OpenSecret(Crossing):
    hidden = True


class SwallowsWords(Crossing):
    """Its moves carry a word that applies differently each time the game is opened again."""

    def legal_moves(self, position: Position) -> Iterable[Move]:
        return [move._replace(word="\ud800") for move in super().legal_moves(position)]


class Raises(Crossing):
    def apply(self, position: Position, move: Move) -> Step:
        if position.tally == 2:
            raise ZeroDivisionError("planted")
        return super().apply(position, move)


class NeverMade(Crossing):
    def __init__(self, options: object = None) -> None:
        raise OSError("planted")


PLANTED: list[tuple[str, type[Ruleset]]] = [
    ("plays", Raises),
    ("plays", NeverMade),
    ("unique-moves", ListsTwice),
    ("paths", TouchesTwice),
    ("has-move", RunsDry),
    ("has-move", WaitsForTheOther),
    ("repeatable", Moody),
    ("same-start", OtherStart),
    ("refusal-agrees", RefusesLegal),
    ("refusal-refuses", AcceptsAll),
    ("odds", ZeroOdds),
    ("conceding", WinsByLeaving),
    ("judged", UnknownWinner),
    ("events-tell", SilentMove),
    ("view-of-view", ViewsDeeper),
    ("own-moves", LosesItsPieces),
    ("worlds-fit", ForgetsTheDead),
    ("worlds-alike", RevealsSoftly),
    ("worlds-alike", TellsByRefusal),
    ("worlds-alike", LeaksByEvent),
    ("worlds-alike", WhispersToOnlookers),
    ("events-hide", LeaksByEvent),
    ("position-text", CantReadItself),
    ("position-sound", CallsItImpossible),
    ("move-text", MumblesMoves),
    ("nonsense", ReadsNonsense),
    ("sentences", WithoutWords),
    ("notes", PointsAway),
    ("declared", StrangeKind),
    ("searcher", Drifted),
    ("searcher", Stuck),
    ("mouse", Crowded),
    ("ends", NeverEnds),
    ("hides", OpenSecret),
    ("record", SwallowsWords),
]


@pytest.mark.parametrize(("law", "rules"), PLANTED, ids=[f"{law}-{rules.__name__}" for law, rules in PLANTED])
def test_each_law_names_its_planted_fault(law: str, rules: type[Ruleset]) -> None:
    found = report(rules)
    broken = {row.law: row.broken for row in found.rows if row.broken}
    assert law in broken, "\n".join(found.lines())
    assert broken[law].message  # type: ignore[union-attr]
    assert any(line.startswith(f"BROKEN  {law} ") for line in found.lines())


def test_every_law_has_a_planted_fault() -> None:
    every = {laws.PLAYS, *laws.MOMENT_LAWS, *laws.GAME_LAWS}
    assert {law for law, _ in PLANTED} | {"keys", "drawable"} == every


def test_keys_law_names_a_board_whose_arrows_stick(monkeypatch: pytest.MonkeyPatch) -> None:
    class Sticky(Layout):
        def walk(self, point: int, way: str) -> int:
            return point if point == 4 else super().walk(point, way)

    monkeypatch.setattr("qipan.laws.of_table.Layout", Sticky)
    assert "keys" in {row.law for row in report(Crossing).rows if row.broken}


@pytest.mark.parametrize("look", [PieceLook(glyph="\ue000"), PieceLook(picture="nowhere"), PieceLook()])
def test_drawable_law_names_a_piece_nothing_draws(look: PieceLook) -> None:
    assert "drawable" in {row.law for row in report(Crossing, pieces={"stone": look}).rows if row.broken}


def test_the_shortest_failing_game_can_be_played_again() -> None:
    found = report(RunsDry)
    broken = next(row.broken for row in found.rows if row.law == "has-move")
    assert broken is not None
    assert len(broken.moves) == 4
    again = laws.check(lambda options: RunsDry(), info(RunsDry), SENTENCES, seed=broken.seed, games=1)
    assert next(row.broken for row in again.rows if row.law == "has-move").moves == broken.moves  # type: ignore[union-attr]


def test_every_option_value_is_played() -> None:
    played: list[object] = []

    def make(options: Any) -> Crossing:
        played.append(options["speed"])
        return Crossing()

    laws.check(make, info(Crossing), SENTENCES, games=2)
    assert set(played) == {"slow", "fast"}
