"""The proof that damaged input of every kind is refused in one line, or read: mutated samples of all that is read."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from random import Random

from proofs.steps import ROOT, Found, Proof, Step, every_game, tested
from qipan import journal, record, settings, theme
from qipan.cli.rules_service import Service
from qipan.files import transcripts
from qipan.host import Host, Opened, Status
from qipan.pictures import read_pictures
from qipan.places import Place
from qipan.replay import replay
from qipan.rules import Ruleset
from qipan.saved import Record
from qipan.session import Session
from qipan.values import Fault
from qipan.words import Words

_LONGEST = 600  # characters of a refusal

Feed = Callable[[bytes], None]  # reads the bytes as a file or line of its kind; raises Fault where they are refused


class Complaint(Exception):
    """What was answered is no proper answer; the text says why."""


# -- mutations -------------------------------------------------------------------------------------------------------
_STRANGE = (
    b"-1", b"0", b"1e999", b"NaN", b"99999999999999999999999", b"4294967296", b"null", b"true", b"[]", b"{}", b'""',
    b"\xff\xfe", b"\x00", b"\xed\xa0\x80", b"[" * 3000, b'{"a":' * 2000, "炮二平五".encode("gb18030"), "將".encode(),
    b'"../../x"', b"/", b"\r", b"\n", b'"', b"\\u0000", b"\\ud800", b"=", b"k" * 300,
)  # fmt: skip


def mutated(sample: bytes, rng: Random) -> bytes:
    """The sample with one to four random damages: bytes, spans, numbers, names, its end."""
    data = sample
    for _ in range(rng.randint(1, 4)):
        data = rng.choice(_DAMAGES)(data, rng)
    return data


def _byte(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _insert(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(_STRANGE) + data[at:]


def _delete(data: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + data[at + rng.randint(1, 40) :]


def _repeat(data: bytes, rng: Random) -> bytes:
    at, size, to = rng.randrange(len(data) + 1), rng.randint(1, 60), rng.randrange(len(data) + 1)
    return data[:to] + data[at : at + size] + data[to:]


def _cut(data: bytes, rng: Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _token(data: bytes, rng: Random) -> bytes:
    """Puts something strange, or another token of the same data, in the place of a number, name or text."""
    tokens = list(re.finditer(rb'"[^"\n]{0,80}"|-?\d+|\w+', data))
    if not tokens:
        return _insert(data, rng)
    token, other = rng.choice(tokens), rng.choice(tokens)
    new = rng.choice(_STRANGE) if rng.random() < 0.4 else other[0]
    return data[: token.start()] + new + data[token.end() :]


def _line(data: bytes, rng: Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[at], lines[to] = lines[to], lines[at]
    return b"".join(lines if rng.random() < 0.5 else lines[:at] + lines[at + 1 :])


_DAMAGES = (_byte, _insert, _delete, _repeat, _cut, _token, _token, _token, _line)


# -- what is read ----------------------------------------------------------------------------------------------------
class Readers:
    """Every kind of input with its samples and the code that reads it, working in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = Host.scan(entry_points=False)
        self.xiangqi = self.host.open("xiangqi")
        self.feeds: Mapping[str, tuple[Sequence[bytes], Feed]] = {
            "records": ([record.encode(self.game(seed)) for seed in range(4)], self.record),
            "journals": (self.journals(), self.journal),
            "themes": ([(base / "theme.toml").read_bytes() for base in (ROOT / "themes").iterdir()], self.theme),
            "manifests": ([(game.plugin.folder / "plugin.toml").read_bytes() for game in self.games], self.manifest),
            "words": ([(game.plugin.folder / "words.toml").read_bytes() for game in self.games], self.words),
            "pictograms": ([(self.xiangqi.plugin.folder / "pictures.toml").read_bytes()], self.pictograms),
            "position texts": (self.positions(), self.position),
            "PGN": (self.pgn(), self.read_pgn),
            "rules-service lines": (self.requests(), self.request),
            "settings": ([settings_sample()], self.settings),
        }
        self.service = Service(self.xiangqi)

    @cached_property
    def games(self) -> list[Opened]:
        """Every game there is."""
        return every_game()

    def _file(self, name: str, data: bytes) -> Path:
        file = self.folder / name
        file.write_bytes(data)
        return file

    def game(self, seed: int, kept: journal.Journal | None = None) -> Session:
        """A game of xiangqi with variations, comments, marks and acts."""
        walks, rng = tested("game_walks"), Random(seed)
        session = Session(
            self.xiangqi.info, self.xiangqi.rules(), self.xiangqi.info.settle({}), rng=rng, now=walks.Time(),
            names=["甲", "Bob"], created="2026", journal=kept,
        )  # fmt: skip
        for _ in range(25):
            walks.step(session, rng)
        return session

    def _open(self, saved: Record) -> None:
        if saved.game != "xiangqi":
            raise Fault(f"a game of {saved.game}")
        record.open_session(
            saved, self.xiangqi.info, self.xiangqi.rules(saved.options), rng=Random(0), now=float,
            words=self.xiangqi.words,
        )  # fmt: skip

    def record(self, data: bytes) -> None:
        """A saved game: opened, or what stands above the damage offered."""
        saved, fault = record.salvage(data, "x.qipan")
        self._open(saved)
        if fault is not None:
            raise fault

    def journals(self) -> list[bytes]:
        """The bytes of some journals."""
        found = []
        for seed in range(3):
            kept = journal.Journal.create(self.folder, "sample")
            self.game(seed, kept).close(keep=True)
            found.append(kept.path.read_bytes())
            kept.path.unlink()
        return found

    def journal(self, data: bytes) -> None:
        """A game that was not finished: listed, recovered and opened."""
        folder = self.folder / "journals"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        path = folder / "game.journal"
        path.write_bytes(data)
        journal.unfinished(folder)
        found = journal.recover(path)
        found.journal.close(keep=True)
        self._open(found.record)
        if found.fault is not None:
            raise found.fault

    def theme(self, data: bytes) -> None:
        """A theme of the boards."""
        theme.load(self._file("theme.toml", data).parent)

    def manifest(self, data: bytes) -> None:
        """A plugin's manifest, as the host meets it."""
        self._file("plugin.toml", data)
        (plugin,) = Host([Place("x", "user", self.folder, "", "")]).plugins
        if plugin.fault is not None and plugin.status in (Status.BROKEN_MANIFEST, Status.WRONG_API):
            raise plugin.fault

    def words(self, data: bytes) -> None:
        """A plugin's sentences."""
        Words.load(self._file("words.toml", data))

    def pictograms(self, data: bytes) -> None:
        """A plugin's drawn pieces."""
        read_pictures(self._file("pictures.toml", data))

    def positions(self) -> list[bytes]:
        """Position texts, each after the id of its game and a blank."""
        found = []
        for opened in self.games:
            rules, rng = opened.rules(), Random(3)
            session = Session(opened.info, rules, opened.info.settle({}), rng=rng, now=float)
            while session.tip.ply < 12 and session.outcome is None and (moves := session.legal()):
                session.play(rng.choice(moves))
            found.append(f"{opened.info.id} {rules.write(session.tip.position)}".encode())
        return found

    @cached_property
    def _ruled(self) -> dict[bytes, tuple[Opened, Ruleset]]:
        return {opened.info.id.encode(): (opened, opened.rules()) for opened in self.games}

    def position(self, data: bytes) -> None:
        """A position text."""
        name, _, text = data.partition(b" ")
        opened, rules = self._ruled.get(name) or self._ruled[b"xiangqi"]
        opened.position(rules, text.decode("utf-8", "replace"))

    def pgn(self) -> list[bytes]:
        """Games as PGN files: our own, in three notations and encodings."""
        line = ["炮二平五", "馬８進７", "馬二進三", "車９平８", "車一平二", "炮８進４"]
        moves = " ".join(f"{n // 2 + 1}. {text}" if n % 2 == 0 else text for n, text in enumerate(line))
        chinese = f'[Game "Chinese Chess"]\n[Red "甲"]\n[Black "乙"]\n[Result "1-0"]\n\n{moves} {{好棋}} 1-0\n'
        iccs = '[Game "Chinese Chess"]\n[Format "ICCS"]\n[Result "*"]\n\n1. H2-E2 H9-G7 (1... B9-C7) 2. H0-G2 *\n'
        return [chinese.encode("utf-8"), chinese.encode("gb18030"), chinese.encode("big5"), iccs.encode()]

    def read_pgn(self, data: bytes) -> None:
        """A file of games, every one of them played through."""
        for told in transcripts(self.host, self._file("x.pgn", data)):
            fault = replay(told, self.xiangqi.info, self.xiangqi.rules(told.options), self.xiangqi.words).fault
            if fault is not None:
                raise Fault(str(fault))

    def requests(self) -> list[bytes]:
        """Lines that other programs ask."""
        asks = ["legal", "outcome", "position", "adjudicate", "view"]
        fen = "3k5/9/9/9/4p4/4N4/4P4/9/9/5K3 w"
        requests: list[dict[str, object]] = [
            {"moves": ["h3e3", "h10g8"], "ask": asks, "id": 7},
            {"position": fen, "ask": ["legal"], "seat": "red", "options": {"rules": "original"}},
            {"position": fen, "moves": ["e5c4"], "ask": asks, "seat": "b", "id": {"a": [1, None]}},
        ]
        return [json.dumps(request).encode() for request in requests]

    def request(self, data: bytes) -> None:
        """A line asked: one line answered, whatever it was."""
        answer = self.service.answer(data.replace(b"\n", b" "))
        if b"\n" in answer:
            raise Complaint("the answer is more than a line")
        said = json.loads(answer)
        error = said.get("error")
        if error is not None:
            if error.startswith(("internal:", "plugin ")):
                raise Complaint(error)
            raise Fault(error)

    def settings(self, data: bytes) -> None:
        """The user's settings: read, or set aside with a warning."""
        _, warning = settings.load(self._file("settings.json", data))
        if warning is not None:
            for aside in self.folder.glob("settings.json.*"):
                aside.unlink()
            raise warning


def settings_sample() -> bytes:
    """Settings as a file has them."""
    return json.dumps(
        {
            "theme": "classic", "language": "zh", "volume": 0.5, "muted": True, "mode": "dark", "width": 1280,
            "games": {"xiangqi": {}}, "recent": ["a.qipan"], "trusted": {"mine": "0" * 64},
        }
    ).encode()  # fmt: skip


# -- the proof -------------------------------------------------------------------------------------------------------
def judged(feed: Feed, data: bytes) -> tuple[str, str]:
    """"read" or "refused in one line", and "" or what is wrong with how the data was answered."""
    try:
        feed(data)
    except Fault as fault:
        text = str(fault)
        proper = text.strip() and len(text.splitlines()) == 1 and len(text) <= _LONGEST
        return "refused in one line", "" if proper else f"a refusal of {len(text.splitlines())} lines: {text[:80]!r}"
    except Exception as error:  # anything but a Fault is what the proof looks for
        return "", f"{type(error).__name__}: {error}"
    return "read", ""


def _plan(small: bool, seed: int) -> Sequence[Step]:
    kinds = (
        "records", "journals", "themes", "manifests", "words", "pictograms", "position texts", "PGN",
        "rules-service lines", "settings",
    )  # fmt: skip
    each, rounds = (60, 1) if small else (500, 20)
    return [partial(_fuzz, kind, seed * 1000 + number, each) for number in range(rounds) for kind in kinds]


_made: dict[str, Readers] = {}  # the readers of this process, made when they are first asked for


def _readers(folder: Path) -> Readers:
    if "readers" not in _made:
        _made["readers"] = Readers(folder)
    _made["readers"].folder = folder
    return _made["readers"]


def _fuzz(kind: str, seed: int, count: int) -> Found:
    rng, counts, faults = Random(f"{kind} {seed}"), Counter({"mutations": count}), []
    with tempfile.TemporaryDirectory(prefix="qipan-fuzz-") as folder:
        samples, feed = _readers(Path(folder)).feeds[kind]
        for _ in range(count):
            data = mutated(rng.choice(samples), rng)
            how, fault = judged(feed, data)
            counts[how] += bool(how)
            if fault:
                faults.append(f"{kind}: {fault[:300]} ({data[:120]!r}, seed {seed})")
    return Found(counts, tuple(faults))


PROOFS = (Proof("fuzz", "Damaged input of every kind is read or refused in one line; nothing else comes out.", _plan),)
