"""The laws of texts and words: round trips, and a sentence in every language for everything a player meets."""

from __future__ import annotations

from collections.abc import Iterator

from qipan.laws.trial import Moment
from qipan.values import HIDDEN, NOBODY, Claim, Fault, Note, Outcome, Said, Step
from qipan.words import LANGUAGES


def position_text(moment: Moment) -> str | None:
    """a position's text gives the position back, tally included, and every view can be written"""
    rules, position = moment.rules, moment.position
    text = rules.write(position)
    if "\n" in text:
        return f"the text of a position has more than one line: {text!r}"
    try:
        back = rules.read(text)
    except Fault as fault:
        return f"the game can't read its own text {text!r}: {fault}"
    if back != position:
        part = next(name for name in position._fields if getattr(back, name) != getattr(position, name))
        return f"read({text!r}) gives other {part}"
    for viewer in moment.trial.viewers:
        if not rules.write(rules.view(position, viewer)):
            return f"the view of viewer {viewer} has no text"
    return None


def position_sound(moment: Moment) -> str | None:
    """no position that play reaches is called impossible"""
    note = moment.rules.fault(moment.position)
    return f"{moment.rules.write(moment.position)} is called impossible: {note.word}" if note else None


def move_text(moment: Moment) -> str | None:
    """a legal move's exact text is read back as that move, and every style says it"""
    rules = moment.rules
    for move in moment.sample(4):
        text = rules.say(moment.position, move, rules.styles[0])
        try:
            back = rules.parse(moment.position, text)
        except Fault as fault:
            return f"{text!r} can't be read back: {fault}"
        if back != move:
            return f"{text!r} is read back as {back}, not {move}"
        for style in rules.styles:
            if not rules.say(moment.position, move, style):
                return f"{text} has no text in style {style!r}"
    return None


def nonsense_texts(moment: Moment) -> str | None:
    """texts that mean nothing are refused in words, never by another exception"""
    rules = moment.rules
    for text in ("", "?", "\0", "9" * 400, "-", "a1-", "@", "{", "\u2028", rules.write(moment.position)[:-1] + "~"):
        for name, read in (("parse", lambda text: rules.parse(moment.position, text)), ("read", rules.read)):
            try:
                read(text)
            except Fault:
                continue
            if name == "parse":
                return f"parse({text!r}) means a move"
    return None


def sentences(moment: Moment) -> str | None:
    """every note, word, kind, seat, option and cue met has its sentence in every language"""
    trial = moment.trial
    trial.met.update(_words_of(moment))
    lacking = trial.words.missing(trial.met)
    if lacking:
        return "no sentence for " + ", ".join(lacking[:6])
    for note in _notes_of(moment):
        for language in LANGUAGES:
            try:
                trial.words.say(note, language)
            except (IndexError, KeyError, ValueError) as fault:
                return f"the {language} sentence of {note.word!r} doesn't fit its arguments {note.args}: {fault}"
    return None


def _notes_of(moment: Moment) -> Iterator[Note]:
    for verdict in (moment.outcome, moment.verdict):
        if isinstance(verdict, Claim):
            yield verdict.outcome.reason
        elif isinstance(verdict, Outcome):
            yield verdict.reason
        elif isinstance(verdict, Note):
            yield verdict
    for viewer in moment.trial.viewers:
        yield from moment.rules.notes(moment.rules.view(moment.position, viewer), viewer)
    if moment.step is not None:
        yield from (event.note for event in moment.step.events if isinstance(event, Said))
    for seat in moment.rules.living(moment.position):
        answer = moment.rules.concede(moment.position, seat, "resign")
        if isinstance(answer, Outcome):
            yield answer.reason
        elif isinstance(answer, Note):
            yield answer
        elif isinstance(answer, Step):
            yield from (event.note for event in answer.events if isinstance(event, Said))


def _words_of(moment: Moment) -> Iterator[str]:
    rules, info = moment.rules, moment.trial.info
    yield from (f"seat.{seat.name}" for seat in rules.seats)
    yield from (f"kind.{kind}" for kind in rules.kinds)
    yield from (f"style.{style}" for style in rules.styles if style)
    for spec in info.options:
        yield f"option.{spec.id}"
        yield from (f"option.{spec.id}.{choice}" for choice in spec.choices)
    for note in _notes_of(moment):
        yield note.word
        yield from (arg for arg in note.args if isinstance(arg, str) and "." in arg)
    for move in moment.moves:
        if move.word and not move.word.startswith("@"):
            yield "word." + move.word.split(":")[0]
    if moment.step is not None:
        yield "cue." + rules.cue(moment.step.events, rules.outcome(moment.step.position))


def notes_on_board(moment: Moment) -> str | None:
    """notes of a view point at points of the board"""
    points = range(len(moment.rules.board.sites))
    for viewer in moment.trial.viewers:
        for note in moment.rules.notes(moment.rules.view(moment.position, viewer), viewer):
            if not all(point in points for point in note.points):
                return f"the note {note.word!r} points off the board"
    return None


def declared(moment: Moment) -> str | None:
    """seats, kinds and owners are those the manifest and the rules declare, and each kind can be drawn"""
    rules, info = moment.rules, moment.trial.info
    if tuple(seat.name for seat in rules.seats) != info.seats[: len(rules.seats)]:
        return f"the rules seat {[seat.name for seat in rules.seats]}, the manifest {list(info.seats)}"
    for kind in rules.kinds:
        look = info.pieces.get(kind)
        if look is None or not (look.glyph or look.letter or look.picture or look.shape == "stone"):
            return f"no glyph, letter or picture is declared for {kind}"
    for piece in (*moment.position.cells, *(piece for hand in moment.position.hands for piece in hand)):
        if piece is None:
            continue
        if piece.kind not in rules.kinds and piece.kind != HIDDEN:
            return f"a {piece.kind} stands there, which the rules don't declare"
        if not NOBODY <= piece.seat < len(rules.seats) or piece.count < 1:
            return f"{piece} is of no seat or no count"
    return None
