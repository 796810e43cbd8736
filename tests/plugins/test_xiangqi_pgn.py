"""Xiangqi games in PGN: three encodings, comments and variations anywhere, damage named by its line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random

import pytest
from plugins.xiangqi_play import DATA, RULES
from qipan.plugins.xiangqi.encodings import decode

from qipan.api import Fault, MoveText, Transcript
from qipan.plugins import xiangqi

(FORMAT,) = xiangqi.formats()
GAME = """[Game "Chinese Chess"]
[Event "全國象棋團體賽"]
[Red "許銀川"]
[Black "呂欽"]
[Result "1-0"]
[FEN "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"]

1. 炮二平五 馬８進７
2. 馬二進三 車９平８
3. 車一平二 卒７進１
1-0
"""
UCI = "h3e3 h10g8 h1g3 i10h10 i1h1 g7g6"


def read(text: str | bytes) -> list[Transcript]:
    """The games of a text."""
    return list(FORMAT.read(text.encode() if isinstance(text, str) else text))


def played(game: Transcript) -> str:
    """The main line as UCI moves."""
    return " ".join(_uci(game.position, game.moves))


def _uci(start: str | None, moves: Sequence[MoveText]) -> list[str]:
    position = RULES.read(start) if start else RULES.initial(Random(0))
    found = []
    for told in moves:
        move = RULES.parse(position, told.text)
        found.append(RULES.say(position, move))
        position = RULES.apply(position, move).position
    return found


def complaint(text: str | bytes) -> Fault:
    """The fault of a file."""
    with pytest.raises(Fault) as fault:
        read(text)
    return fault.value


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "big5", "utf-16"])
def test_encodings(encoding: str) -> None:
    (game,) = read(GAME.encode(encoding))
    assert played(game) == UCI
    assert game.names == {"red": "許銀川", "black": "呂欽"}
    assert game.tags == {"Event": "全國象棋團體賽"}
    assert (game.result, game.position) == ("1-0", None)
    assert [told.line for told in game.moves] == [8, 8, 9, 9, 10, 10]


@pytest.mark.parametrize(
    ("text", "encoding"), [("胡荣华", "gb18030"), ("許銀川對呂欽", "big5"), ("象棋比赛", "gb18030"), ("決賽", "big5")]
)
def test_encodings_by_names_alone(text: str, encoding: str) -> None:
    assert decode(f'[Red "{text}"]\n1. H2-E2 *'.encode(encoding)) == f'[Red "{text}"]\n1. H2-E2 *'


@pytest.mark.parametrize(
    "moves",
    [
        "1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 G6-G5",
        "1.C2=5 H8+7 2.H2+3 R9=8 3.R1=2 P7+1",
        "1. C2.5 h8+7 2. n2+3 r9.8 3. R1.2 p7+1",
        "h3e3 h10g8 h1g3 i10h10 i1h1 g7g6",
        "1.炮二平五 1...马8进7 2.马二进三 2... 车9平8 3.车一平二 卒7进1",
        "1。炮二平五 马８进７ 2、马二进三 车９平８ 3．车一平二 卒７进１",
        "{A start} 1. {numbers} 炮二平五 {good} {and usual} ; to the end\n 马8进7 $1\n"
        "2. 马二进三! 车9平8!? 3. 车一平二 卒7进1",
        "1. 炮二平五 (1. 兵七进一 卒7进1 (1... 炮2平3 {sharp}) 2. 马二进三)\n"
        "1... 马8进7 2.马二进三 车9平8 3.车一平二 卒7进1",
    ],
)
def test_movetexts(moves: str) -> None:
    (game,) = read(moves)
    assert played(game) == UCI
    assert game.result == "*"


def test_iccs_without_hyphens_says_so_in_a_tag() -> None:
    (game,) = read('[Format "ICCS"]\n1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 g6g5 *')
    assert played(game) == UCI


def test_comments_and_variations_keep_their_places() -> None:
    (game,) = read(
        "{one} 1. 炮二平五 {two} ({three} 1. 兵七进一 {four} 卒7进1 (1... 炮2平3)) (1. 马二进三) 马8进7 {five}\n*"
    )
    first, second = game.moves
    assert (game.comment, first.comment, second.comment) == ("one", "two", "five")
    assert [[told.text for told in line] for line in first.variations] == [["兵七进一", "卒7进1"], ["马二进三"]]
    assert first.variations[0][0].comment == "three four"
    assert [told.text for told in first.variations[0][1].variations[0]] == ["炮2平3"]


def test_several_games_and_a_programs_own_lines() -> None:
    footer = "=====\n 欢迎访问\n http://example.org/\n"
    games = read(GAME + footer + "\n" + GAME.replace("1-0", "0-1") + "\n\n" + '[Red "甲"]\n\n炮二平五')
    assert [game.result for game in games] == ["1-0", "0-1", "*"]
    assert [len(game.moves) for game in games] == [6, 6, 1]
    assert "欢迎访问" in games[0].moves[-1].comment


def test_starts_and_tags() -> None:
    fen = "3k5/9/9/9/2C6/9/9/2C6/9/4K4 r - - 0 1"
    (game,) = read(f'[FEN "{fen}"]\n[Event "the "best" game"]\n[Annotator "a \\"b\\" \\\\c"]\n[Site ""]\n1. 前炮退二 *')
    assert (game.position, played(game)) == (fen, "c6c4")
    assert game.tags == {"Event": 'the "best" game', "Annotator": 'a "b" \\c'}


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "no game"),
        (" \n\n ", 1, "no game"),
        ("1. 炮二平五\n{never closed", 2, "a comment is opened and not closed"),
        ("1. 炮二平五\n}", 2, "a comment is closed that was not opened"),
        ("1. 炮二平五\n\n(1. 马二进三", 3, "a variation is opened and not closed"),
        ("1. 炮二平五\n)", 2, "a variation is closed that was not opened"),
        ("(1. 炮二平五)", 1, "a variation before any move"),
        ("1. 炮二平五 ()", 1, "a variation without a move"),
        ("1. 炮二平五 (1. 马二进三 1-0)", 1, "a result within a variation"),
        ("1. 炮二平五\n马8进", 2, "'马8进' is no move"),
        ("1. e4 e5", 1, "'e4' is no move"),
        ('[Event "x"\n1. 炮二平五', 1, "a tag is not of the form"),
        ("1. 炮二平五 1-0\n马8进7", 2, "a move '马8进7' after the result"),
        ('\n[Game "Go"]\n1. 炮二平五', 2, "a game of 'Go', not of xiangqi"),
        ("1. 炮二平五 " + "(1. 马二进三 " * 70, 1, "more than 64 variations"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", 1, "is no move"),
    ],
)
def test_damage_is_named_by_its_line(text: str | bytes, line: int, says: str) -> None:
    fault = complaint(text)
    assert says in str(fault)
    assert fault.line == line
    assert "\n" not in str(fault)


def test_a_huge_file_is_refused() -> None:
    assert "larger than" in str(complaint(b" " * (32 << 20) + b"  "))


def tree(moves: Sequence[MoveText], start: str | None) -> list[object]:
    """The moves with their comments and variations, as UCI."""
    position = RULES.read(start) if start else RULES.initial(Random(0))
    found: list[object] = []
    for told in moves:
        move = RULES.parse(position, told.text)
        here = RULES.write(position)
        found.append((RULES.say(position, move), told.comment, [tree(line, here) for line in told.variations]))
        position = RULES.apply(position, move).position
    return found


def test_written_games_are_read_back() -> None:
    assert FORMAT.write is not None
    source = (
        '[Red "a \\"b\\" \\\\ c"]\n[Annotator "me"]\n{start} 1. 炮二平五 {x} (1. 兵七进一 {y} 卒7进1 (1... 炮2平3) '
        "2. 马二进三) 马8进7 2. 马二进三 (2. 马八进七) 车9平8 0-1"
    )
    (game,) = read(source)
    given = game._replace(options={"draw_moves": "50", "rules": "standard"}, comment="a } b")
    data = FORMAT.write(given)
    (back,) = read(data)
    assert tree(back.moves, None) == tree(game.moves, None)
    assert (back.names, back.result, back.position, back.comment) == (game.names, "0-1", None, "a ｝ b")
    assert back.tags == {"Annotator": "me"}
    assert back.options == {"draw_moves": "50"}
    assert FORMAT.write(back) == data
    assert "1. 炮二平五 {x} ( 1. 兵七进一 {y}" in data.decode()
    assert "2. 马二进三 ( 2. 马八进七 ) 2... 车９平８" in data.decode()


def test_tags_of_the_games_own_facts_are_not_taken_from_others() -> None:
    strange = dict.fromkeys(("Game", "Variant", "FEN", "Format", "Options", "Result", "White", ""), "chess")
    (game,) = read(FORMAT.write(Transcript("xiangqi", (MoveText("h3e3"),), tags={**strange, "Event": "Cup"})))
    assert played(game) == "h3e3"
    assert game.tags == {"Event": "Cup"}


def test_a_handicap_start_is_written_as_its_position() -> None:
    assert FORMAT.write is not None
    data = FORMAT.write(Transcript("xiangqi", (MoveText("h3e3"), MoveText("h10g8")), options={"handicap": "horse"}))
    (back,) = read(data)
    assert back.position == "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/R1BAKABNR w - - 0 1"
    assert played(back) == "h3e3 h10g8"


def test_an_illegal_move_is_not_written() -> None:
    assert FORMAT.write is not None
    with pytest.raises(Fault, match="move 2: h3e3: There is no piece on h3"):
        FORMAT.write(Transcript("xiangqi", (MoveText("h3e3"), MoveText("h10g8"), MoveText("h3e3"))))


def test_published_games_replay() -> None:
    folder = DATA / "ccpd_sample"
    files = sorted(folder.glob("*.pgn")) if folder.exists() else []
    for file in files:
        for game in read(file.read_bytes()):
            assert len(played(game).split()) == len(game.moves) > 0
            assert game.names or game.tags
    assert len(files) in (0, 300)


def test_real_games_written_in_chinese_are_read_back() -> None:
    assert FORMAT.write is not None
    file = DATA / "games_2000.jsonl"
    for text in file.read_text("utf-8").splitlines()[:60] if file.exists() else ():
        game = json.loads(text)
        moves = tuple(MoveText(uci) for uci in game["uci"].split())
        (back,) = read(FORMAT.write(Transcript("xiangqi", moves, position=game["fen"], result=game["result"])))
        assert played(back) == game["uci"]
        assert back.result == game["result"]
