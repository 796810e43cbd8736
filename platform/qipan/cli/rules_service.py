"""``qipan rules``: a game's rules for other programs, one JSON line asked and one answered, until the input ends."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import BinaryIO

import msgspec

from qipan.cli.common import FIRST_DEAL, Parser, make_host, named, seat_number
from qipan.host import Opened, PluginBroken
from qipan.rules import Ruleset
from qipan.values import NOBODY, Claim, Fault, Move, Note, Outcome, Ply, Position

_LONGEST = 1 << 20  # bytes of a line
_SENTENCE = 400  # characters of an error
_KEPT = 16  # option sets whose rules are kept
_KEYS = ("id", "position", "moves", "ask", "seat", "options")

Ask = Callable[[Ruleset, "list[Ply]", int], object]


def run(argv: Sequence[str]) -> int:
    """Answers stdin's lines on stdout."""
    parser = Parser("rules", "Answer questions about a game: a JSON object a line on stdin, one a line on stdout.")
    parser.add_argument("game", metavar="GAME")
    words = parser.parse_args(argv)
    service = Service(make_host().open(words.game))
    out = sys.stdout.buffer
    with contextlib.redirect_stdout(sys.stderr):  # what a plugin prints is no answer
        for line in lines(sys.stdin.buffer):
            out.write(service.answer(line) + b"\n")
            out.flush()
    return 0


def lines(source: BinaryIO) -> Iterable[bytes | None]:
    """The lines of a stream without their ends; None for one that is longer than a request may be."""
    while line := source.readline(_LONGEST + 1):
        if len(line) <= _LONGEST or line.endswith(b"\n"):
            yield line.removesuffix(b"\n")
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(_LONGEST)
        yield None


class Service:
    """Answers requests about one game; a request knows nothing of those before it."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._rules: dict[str, Ruleset] = {}
        self._asks: dict[str, Ask] = {
            "legal": self._legal,
            "outcome": self._outcome,
            "position": lambda rules, line, seat: self._written(rules, line[-1].position),
            "adjudicate": self._adjudicate,
            "view": self._view,
        }

    def answer(self, line: bytes | None) -> bytes:
        """The answer to a line (None: it was too long), one line of JSON. Whatever the line holds, there is one."""
        echo: dict[str, object] = {}
        try:
            request = _decoded(line)
            echo = _echo(request)
            return _encoded({**echo, **self._answers(request)})
        except (Fault, PluginBroken) as fault:
            return _encoded({**echo, "error": _one_line(str(fault))})
        except Exception as fault:  # the platform's own: told like any other, and the service goes on
            return _encoded({**echo, "error": _one_line(f"internal: {type(fault).__name__}: {fault}")})

    def _answers(self, request: Mapping[str, object]) -> dict[str, object]:
        strange = sorted(set(request) - set(_KEYS))
        if strange:
            raise Fault(f"{strange[0]}: no such key (there is: {', '.join(_KEYS)})")
        asks = self._wanted(request)
        rules = self._made(request.get("options", {}))
        seat = self._seat(rules, request)
        line = self._line(rules, request)
        return {ask: self._asked(ask, rules, line, seat) for ask in asks}

    # -- the keys of a request -------------------------------------------------------------------------------------
    def _wanted(self, request: Mapping[str, object]) -> list[str]:
        if "ask" not in request:
            raise Fault("ask: missing")
        known = [*self._asks, *self._opened.game.asks]
        asks = _texts("ask", request["ask"])
        for ask in asks:
            if ask not in known:
                raise Fault(f"ask: {ask!r} is no question (there is: {', '.join(known)})")
        return asks

    def _made(self, options: object) -> Ruleset:
        if not isinstance(options, dict):
            raise Fault("options: not an object")
        try:
            settled = self._opened.info.settle(options)
            key = json.dumps(settled, sort_keys=True)
            if key not in self._rules:
                if len(self._rules) >= _KEPT:
                    self._rules.clear()
                self._rules[key] = self._opened.rules(settled)
        except Fault as fault:
            raise named("options", fault) from fault
        return self._rules[key]

    @staticmethod
    def _seat(rules: Ruleset, request: Mapping[str, object]) -> int:
        seat = request.get("seat")
        if seat is None:
            return NOBODY
        if not isinstance(seat, str):
            raise Fault("seat: not a text")
        try:
            return seat_number(rules, seat)
        except Fault as fault:
            raise named("seat", fault) from fault

    def _line(self, rules: Ruleset, request: Mapping[str, object]) -> list[Ply]:
        from random import Random

        moves = _texts("moves", request.get("moves", []))
        text = request.get("position")
        if text is None:
            with self._opened.fence("initial"):
                line = [Ply(None, rules.initial(Random(FIRST_DEAL)))]
        elif isinstance(text, str):
            try:
                line = [Ply(None, self._opened.position(rules, text))]
            except Fault as fault:
                raise named("position", fault) from fault
        else:
            raise Fault("position: not a text")
        for number, move in enumerate(moves, 1):
            try:
                line.append(self._played(rules, line[-1].position, move))
            except Fault as fault:
                raise Fault(f"moves: move {number}: {fault}") from fault
        return line

    def _played(self, rules: Ruleset, position: Position, text: str) -> Ply:
        with self._opened.fence("parse", Fault):
            move = rules.parse(position, text)
        with self._opened.fence("refusal"):
            note = rules.refusal(position, move)
        if note is not None:
            raise Fault(f"{text!r}: {self._opened.sentence(note)}")
        with self._opened.fence("apply"):
            return Ply(move, rules.apply(position, move).position)

    # -- the questions ---------------------------------------------------------------------------------------------
    def _asked(self, ask: str, rules: Ruleset, line: list[Ply], seat: int) -> object:
        if ask in self._asks:
            return self._asks[ask](rules, line, seat)
        try:
            with self._opened.fence(ask, Fault):
                answer = self._opened.game.asks[ask](rules, line[-1].position, seat)
                _encoded({ask: answer})
                return answer
        except Fault as fault:
            raise Fault(f"ask: {ask}: {fault}") from fault

    def _legal(self, rules: Ruleset, line: list[Ply], seat: int) -> list[str]:
        position = line[-1].position
        with self._opened.fence("legal_moves"):
            found = {(not move.path, _said(rules, position, move)) for move in rules.legal_moves(position)}
        return [text for _, text in sorted(found)]

    def _outcome(self, rules: Ruleset, line: list[Ply], seat: int) -> object:
        with self._opened.fence("outcome"):
            outcome = rules.outcome(line[-1].position)
            if outcome is None:
                return None
            return {"winners": [rules.seats[n].name for n in outcome.winners], "reason": outcome.reason.word}

    def _adjudicate(self, rules: Ruleset, line: list[Ply], seat: int) -> object:
        with self._opened.fence("adjudicate"):
            judged = rules.adjudicate(line)
            if judged is None or isinstance(judged, Note):
                return None  # a note is told at the table; it is no verdict
            claim = isinstance(judged, Claim)
            outcome = judged.outcome if isinstance(judged, Claim) else judged
            verdict = "loss" if outcome.winners else "draw"
            return {
                "verdict": verdict, "loser": _loser(rules, outcome), "reason": outcome.reason.word, "claim": claim,
            }  # fmt: skip

    def _view(self, rules: Ruleset, line: list[Ply], seat: int) -> str:
        with self._opened.fence("view"):
            view = rules.view(line[-1].position, seat)
        return self._written(rules, view)

    def _written(self, rules: Ruleset, position: Position) -> str:
        with self._opened.fence("write"):
            return rules.write(position)


def _said(rules: Ruleset, position: Position, move: Move) -> str:
    return rules.say(position, move, rules.styles[0])


def _loser(rules: Ruleset, outcome: Outcome) -> str | None:
    """The seat that lost: the one named by the reason where a team lost; None for a draw, or where several lost."""
    losers = [n for n in range(len(rules.seats)) if n not in outcome.winners] if outcome.winners else []
    if len(losers) > 1:
        losers = [n for n in losers if n == outcome.reason.seat]
    return rules.seats[losers[0]].name if losers else None


def _texts(key: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Fault(f"{key}: not a list of texts")
    return value


def _decoded(line: bytes | None) -> dict[str, object]:
    """The object of a line. Raises Fault for anything else."""
    if line is None:
        raise Fault(f"the line is longer than {_LONGEST} bytes")
    try:
        request = msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"))
    except RecursionError as fault:
        raise Fault("the line is nested too deeply") from fault
    except ValueError as fault:  # UnicodeDecodeError and msgspec's own are ValueErrors
        raise Fault(f"the line is no JSON: {fault}") from fault
    if not isinstance(request, dict):
        raise Fault("the line is no JSON object")
    return request


def _echo(request: Mapping[str, object]) -> dict[str, object]:
    """The id as it goes back. Raises Fault for one that can be read but not written, which is a matter of its depth."""
    if "id" not in request:
        return {}
    try:
        _encoded({"id": request["id"]})
    except RecursionError as fault:
        raise Fault("id: nested too deeply") from fault
    return {"id": request["id"]}


def _one_line(text: str) -> str:
    """A sentence of bearable length, whatever was quoted in it."""
    text = " ".join(text.split())
    return text if len(text) <= _SENTENCE else f"{text[:_SENTENCE]}…"


def _encoded(data: Mapping[str, object]) -> bytes:
    """One line of JSON. Raises ValueError or TypeError for what JSON can't say."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace")
