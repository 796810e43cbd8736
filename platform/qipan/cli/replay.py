"""``qipan replay``: recorded games played through, a line each: plies and result, or the first illegal move and why."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from qipan import files, record
from qipan.acts import PluginFault
from qipan.catalogue import Transcript
from qipan.cli.common import Parser, make_host, print_json
from qipan.host import Host, Opened, PluginBroken
from qipan.replay import Replayed, notes, replay
from qipan.rules import Ruleset
from qipan.values import Fault, Note, Outcome
from qipan.words import Words

_BAR = 30  # characters
_REFRESH = 0.1  # seconds between two drawings of the bar

_Made = dict[tuple[str, str], tuple[Opened, Ruleset]]  # by game and options


class _Played(NamedTuple):
    """One game of one file: what is known of it, or what is wrong with the file."""

    file: Path
    number: int  # of the game in its file, from 1; 0: the whole file is bad
    game: str = ""
    plies: int = 0
    result: str = "*"  # as the file says
    outcome: Outcome | None = None  # as the rules say
    seats: tuple[str, ...] = ()
    notes: tuple[tuple[int, str, str], ...] = ()  # ply, word, sentence
    fault: str = ""
    ending: str = ""  # the outcome's reason as a sentence


def run(argv: Sequence[str]) -> int:
    """Plays every game of the paths through."""
    parser = Parser("replay", "Play the games of files and folders through; exit 1 if a move is illegal.")
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a file of any readable format, or a folder of them")
    parser.with_json()
    words = parser.parse_args(argv)
    host = make_host()
    found = _found(host, words.paths)
    begun = time.monotonic()
    bar = _Bar(len(found))
    games, failed, answers = 0, 0, []
    made: _Made = {}
    for done, file in enumerate(found):
        for played in _file(host, file, made):
            games += played.number > 0
            failed += bool(played.fault)
            bar.clear()
            if words.json:
                answers.append(_data(played))
            else:
                print(_line(played, several=played.number > 1))
            bar.draw(done, games)
    bar.clear()
    if words.json:
        print_json(answers)
    elif games > 1 or failed:
        sys.stdout.flush()
        spent = time.monotonic() - begun
        speed = games / max(spent, 1e-6)
        print(f"{games} games, {failed} failed, {spent:.1f} s, {speed:.0f} a second", file=sys.stderr)
    return 1 if failed else 0


def _found(host: Host, names: Sequence[str]) -> list[Path]:
    """The files of the paths, those of a folder sorted. Raises Fault for a path that has none."""
    known = files.suffixes(host)
    found: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.suffix.lower() in known and file.is_file())
            if not inside:
                raise Fault(f"replay: {name} has no game files in it ({', '.join(sorted(known))})")
            found += inside
        elif not path.exists():
            raise Fault(f"replay: {name}: no such file or folder")
        elif path.suffix.lower() not in known:
            raise Fault(f"replay: {name}: no plugin reads such files ({', '.join(sorted(known))})")
        else:
            found.append(path)
    return found


def _file(host: Host, file: Path, made: _Made) -> Iterator[_Played]:
    """Each game of a file; one that can't be read (further) ends with a line that says why."""
    number = 0
    try:
        if file.suffix.lower() == record.SUFFIX:
            yield _saved(host, file)
            return
        for number, told in enumerate(files.transcripts(host, file), 1):
            yield _told(host, file, number, told, made)
    except (Fault, OSError, PluginBroken, PluginFault) as fault:
        text = " ".join(str(fault).split()).removeprefix(f"{file.name}: ")
        yield _Played(file, 0, fault=text if number == 0 else f"after game {number}: {text}")


def _told(host: Host, file: Path, number: int, told: Transcript, made: _Made) -> _Played:
    """A transcript's game played through. Its own fault is part of the answer."""
    try:
        key = told.game, repr(sorted(told.options.items()))
        if key not in made:
            made[key] = files.made(host, told)
        opened, rules = made[key]
        with opened.fence("rules", Fault, PluginFault):
            replayed = replay(told, opened.info, rules, opened.words)
    except (Fault, PluginBroken, PluginFault) as fault:
        return _Played(file, number, told.game, result=told.result, fault=" ".join(str(fault).split()))
    return _judged(file, number, told, replayed, opened.words, rules)


def _judged(
    file: Path, number: int, told: Transcript, replayed: Replayed, words: Words, rules: Ruleset
) -> _Played:
    fault = ""
    if replayed.fault is not None:
        line = replayed.fault.line
        fault = f"{replayed.fault} (line {line})" if line else str(replayed.fault)
    seats = tuple(seat.name for seat in rules.seats)
    return _Played(
        file, number, told.game, replayed.plies, told.result, replayed.outcome, seats,
        _said(replayed.notes, words), fault, _ending(replayed.outcome, words),
    )  # fmt: skip


def _saved(host: Host, file: Path) -> _Played:
    session = next(files.sessions(host, file))
    words = host.words(session.info.id)
    plies = session.line
    told = notes([None, *(session.fence.judge(list(plies[:count])) for count in range(2, len(plies) + 1))])
    seats = tuple(seat.name for seat in session.rules.seats)
    return _Played(
        file, 1, session.info.id, session.tip.ply, "*", session.outcome, seats, _said(told, words), "",
        _ending(session.outcome, words),
    )  # fmt: skip


def _said(told: Iterable[tuple[int, Note]], words: Words) -> tuple[tuple[int, str, str], ...]:
    return tuple((ply, note.word, words.say(note, "en")) for ply, note in told)


def _ending(outcome: Outcome | None, words: Words) -> str:
    return words.say(outcome.reason, "en") if outcome else ""


def _winners(played: _Played) -> str:
    assert played.outcome is not None
    names = [played.seats[seat] for seat in played.outcome.winners]
    return f"{' and '.join(names)} {'win' if len(names) > 1 else 'wins'}" if names else "draw"


def _line(played: _Played, *, several: bool) -> str:
    """``FILE: 63 plies, red wins (checkmate)``, or ``FILE: FAILED at ...``."""
    name = f"{played.file}#{played.number}" if several else str(played.file)
    if played.fault:
        return f"{name}: FAILED {played.fault}"
    ending = f"{_winners(played)} ({played.ending})" if played.outcome else played.result
    notes = "".join(f"; {text} at ply {ply}" for ply, _, text in played.notes)
    return f"{name}: {played.plies} plies, {ending}{notes}"


def _data(played: _Played) -> dict[str, object]:
    outcome = None
    if played.outcome is not None:
        winners = [played.seats[seat] for seat in played.outcome.winners]
        outcome = {"winners": winners, "reason": played.outcome.reason.word}
    return {
        "file": str(played.file), "number": played.number, "game": played.game or None, "plies": played.plies,
        "result": played.result, "outcome": outcome, "fault": played.fault or None,
        "notes": [{"ply": ply, "note": word, "text": text} for ply, word, text in played.notes],
    }  # fmt: skip


class _Bar:
    """A progress bar on stderr, where that is a terminal."""

    def __init__(self, files: int) -> None:
        self._files = files
        self._on = sys.stderr.isatty()
        self._drawn = 0.0

    def draw(self, done: int, games: int) -> None:
        """Shows how many files are done."""
        now = time.monotonic()
        if not self._on or now - self._drawn < _REFRESH:
            return
        self._drawn = now
        full = _BAR * done // max(1, self._files)
        bar = "#" * full + "." * (_BAR - full)
        print(f"\r[{bar}] {done}/{self._files} files, {games} games", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Takes the bar away, so that a line can be printed."""
        if self._on and self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
