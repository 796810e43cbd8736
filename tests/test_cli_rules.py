"""The rules service: its questions, and that nothing a line holds stops it or goes unanswered."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random

import pytest
import sample

from qipan import places
from qipan.cli.rules_service import Service, lines
from qipan.host import Host

MINIS = Host(places.user(Path(__file__).parent / "contract"), lambda plugin_id, sha256: True)


def service(base: Path, **swaps: str) -> Service:
    """The service of the sample, words of its code replaced."""
    sample.nim(base, **swaps)
    return Service(Host(places.user(base), lambda plugin_id, sha256: True).open("nim"))


@pytest.fixture
def nim(tmp_path: Path) -> Service:
    """The sample's service."""
    return service(tmp_path)


@pytest.fixture(scope="module")
def xiangqi() -> Service:
    """Xiangqi's service."""
    return Service(Host(places.built_in()).open("xiangqi"))


def ask(asked: Service, **request: object) -> dict[str, object]:
    """The answer to a request."""
    answer = asked.answer(json.dumps(request, ensure_ascii=False).encode())
    assert b"\n" not in answer
    found = json.loads(answer)
    assert isinstance(found, dict)
    return found


def test_the_start_is_asked_about_with_nothing_but_ask(nim: Service) -> None:
    answer = ask(nim, ask=["legal", "outcome", "position", "adjudicate", "view"])
    assert list(answer) == ["legal", "outcome", "position", "adjudicate", "view"]
    assert answer["legal"] == ["s5", "s5-s4", "pass"], "sorted, words last"
    assert answer["outcome"] is None
    assert answer["adjudicate"] is None
    assert answer["position"] == answer["view"]


def test_moves_options_and_positions_are_played_on(nim: Service) -> None:
    answer = ask(nim, options={"size": 3}, moves=["s3", "s2-s1"], ask=["outcome", "legal", "position"], id="a")
    assert answer["id"] == "a"
    assert answer["outcome"] == {"winners": ["black"], "reason": "empty"}
    assert answer["legal"] == []
    before = ask(nim, options={"size": 3}, moves=["s3"], ask=["position"])["position"]
    again = ask(nim, options={"size": 3}, position=before, moves=["s2-s1"], ask=["outcome"])
    assert again == {"outcome": {"winners": ["black"], "reason": "empty"}}
    lost = ask(nim, options={"size": 3, "misere": True}, moves=["s3", "s2-s1"], ask=["outcome"])
    assert lost == {"outcome": {"winners": ["red"], "reason": "empty"}}


def test_verdicts(nim: Service) -> None:
    def judged(*moves: str) -> object:
        return ask(nim, moves=moves, ask=["adjudicate"])["adjudicate"]

    assert judged("s5", "pass") is None, "a note is no verdict"
    assert judged("pass", "pass") == {"verdict": "draw", "loser": None, "reason": "passed", "claim": True}
    assert judged("pass", "s5") == {"verdict": "loss", "loser": "black", "reason": "passed", "claim": False}


def test_a_plugin_answers_questions_of_its_own(nim: Service) -> None:
    assert ask(nim, moves=["s5-s4"], ask=["left", "outcome"]) == {"left": 3, "outcome": None}
    answer = ask(nim, ask=["bad"], id=1)
    assert answer == {"id": 1, "error": "plugin nim failed in bad: ZeroDivisionError: division by zero"}


@pytest.mark.parametrize("seat", ["red", "r", "w", "black", "b"])
def test_a_seat_goes_by_its_name_and_the_letters_of_the_text(xiangqi: Service, seat: str) -> None:
    assert "error" not in ask(xiangqi, ask=["view"], seat=seat)


def test_views_hide_what_a_seat_does_not_know(tmp_path: Path) -> None:
    swaps = {
        'STONE = Piece("stone", NOBODY)': 'STONE = Piece("stone", 0, (0,))',
        'kinds = ("stone",)': 'kinds = ("stone",)\n    hidden = True',
    }
    hiding = service(tmp_path, **swaps)
    views = [ask(hiding, ask=["view"], **seat)["view"] for seat in ({}, {"seat": "red"}, {"seat": "b"})]
    assert ["stone" in str(view) for view in views] == [False, True, False]
    assert ['"?"' in str(view) for view in views] == [True, False, True]
    assert "stone" in str(ask(hiding, ask=["position"])["position"])
    again = ask(hiding, position=views[0], ask=["view"])
    assert again == {"view": views[0]}, "a view's text is read back"


@pytest.mark.parametrize(
    ("request_", "says"),
    [
        ({}, "ask: missing"),
        ({"ask": "legal"}, "ask: not a list of texts"),
        ({"ask": ["legal", 3]}, "ask: not a list of texts"),
        ({"ask": None}, "ask: not a list of texts"),
        ({"ask": ["lega"]}, "ask: 'lega' is no question (there is: legal, outcome, position, adjudicate, view, left"),
        ({"ask": [], "postion": "x"}, "postion: no such key (there is: id, position"),
        ({"ask": [], "options": 3}, "options: not an object"),
        ({"ask": [], "options": {"size": 99}}, "options: option size: 99 is not a whole number from 2 to 9"),
        ({"ask": [], "options": {"size": 3.5}}, "options: option size"),
        ({"ask": [], "options": {"size": [1]}}, "options: option size"),
        ({"ask": [], "options": {"misere": 1}}, "options: option misere: 1 is not true or false"),
        ({"ask": [], "options": {"x": 1}}, "options: nim has no option 'x'"),
        ({"ask": [], "seat": 3}, "seat: not a text"),
        ({"ask": [], "seat": "green"}, "seat: 'green' is no seat of this game (red, black)"),
        ({"ask": [], "seat": ""}, "seat: '' is no seat"),
        ({"ask": [], "position": 3}, "position: not a text"),
        ({"ask": [], "position": ""}, "position: not a position text"),
        ({"ask": [], "position": "[" * 50_000}, "position: not a position text"),
        ({"ask": [], "position": '[{},0,[[],[]],"",[1,1],[]]'}, "position: the passes cannot be more than the stones"),
        ({"ask": [], "moves": "s5"}, "moves: not a list of texts"),
        ({"ask": [], "moves": [["s5"]]}, "moves: not a list of texts"),
        ({"ask": [], "moves": ["s5", "s5"]}, "moves: move 2: 's5' is no legal move here"),
        ({"ask": [], "moves": ["s5", "s4", ""]}, "moves: move 3: '' is no legal move here"),
        ({"ask": [], "moves": ["pass", "s5", "pass"]}, "moves: move 3: 'pass': Red has passed already"),
    ],
)
def test_a_fault_names_its_key_and_the_move(nim: Service, request_: dict[str, object], says: str) -> None:
    for echo in ({}, {"id": [1, {"a": None}]}):
        answer = ask(nim, **request_, **echo)
        assert str(answer.pop("error")).startswith(says)
        assert answer == echo


@pytest.mark.parametrize(
    "line",
    [
        b"", b" ", b"{", b"nonsense", b"[]", b"null", b"3", b'"x"', b"\xff\xfe{}", b'{"ask": ["\xff"]}', b"[" * 200_000,
        b'{"a":' * 100_000, b'{"id": 1e999, "ask": []}', b'{"id": NaN, "ask": []}', b'{"ask": ["\\ud800"]}', b"\x00",
        None, b'{"ask": []} {"ask": []}',
    ],
)  # fmt: skip
def test_garbage_is_answered_with_an_error(nim: Service, line: bytes | None) -> None:
    answer = json.loads(nim.answer(line))
    assert list(answer) == ["error"]
    assert len(answer["error"]) < 400
    assert ask(nim, ask=["outcome"]) == {"outcome": None}


def test_ids_come_back_as_they_were(nim: Service) -> None:
    for given in (0, None, "é\n", [1.5], {"a": 10**30}, False, 2**63, -(2**70)):
        assert ask(nim, ask=[], id=given) == {"id": given}


def test_an_id_of_any_depth_is_answered(nim: Service) -> None:
    answers = [json.loads(nim.answer(b'{"ask": [], "id": ' + b"[" * n + b"]" * n + b"}")) for n in range(800, 1100)]
    assert {tuple(answer) for answer in answers} == {("id",), ("error",)}


@pytest.mark.parametrize("seed", range(20))
def test_any_bytes_get_one_line_of_json(xiangqi: Service, seed: int) -> None:
    rng = Random(seed)
    whole = bytearray(b'{"position": "4k4/9/9/9/9/9/9/9/9/3K5 w", "moves": ["d1d2"], "ask": ["legal"], "seat": "red"}')
    for _ in range(100):
        bad = bytearray(whole)
        for _ in range(rng.randrange(1, 6)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        answer = xiangqi.answer(bytes(bad).replace(b"\n", b" "))
        assert b"\n" not in answer
        assert set(json.loads(answer)) <= {"legal", "error"}


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ("left = sum(", "1 / 0; left = sum(", "legal_moves"),
        ("cells, passed = ", "raise SystemExit; cells, passed = ", "apply"),
        ("return Position((STONE", "raise KeyError; return Position((STONE", "initial"),
        ("if any(position.cells)", "if position.nothing", "outcome"),
    ],
)
def test_a_failing_plugin_is_an_error_and_the_service_goes_on(tmp_path: Path, old: str, new: str, where: str) -> None:
    asked = service(tmp_path, **{old: new})
    for _ in range(2):
        answer = ask(asked, moves=["pass"] if where == "apply" else [], ask=["legal", "outcome"], id=3)
        assert answer["id"] == 3
        assert str(answer["error"]).startswith(f"plugin nim failed in {where}")


def test_lines_are_cut_at_a_size_and_the_next_is_whole() -> None:
    huge = b"x" * (3 << 20)
    source = io.BytesIO(b"a\n\n" + huge + b"\nb\r\n" + huge)
    assert list(lines(source)) == [b"a", b"", None, b"b\r", None]
    assert list(lines(io.BytesIO(b"last"))) == [b"last"]


def test_xiangqi_is_asked_in_its_notations(xiangqi: Service) -> None:
    answer = ask(xiangqi, moves=["h3e3", "h10g8"], ask=["legal", "outcome", "view", "position"], seat="red")
    legal = answer["legal"]
    assert isinstance(legal, list)
    assert "h1g3" in legal
    assert legal == sorted(legal)
    assert len(legal) == 35
    assert answer["view"] == answer["position"]
    illegal = ask(xiangqi, moves=["h3e3", "h8h1"], ask=["legal"])
    assert str(illegal["error"]).startswith("moves: move 2: ")
    impossible = ask(xiangqi, position="4k4/9/9/9/9/9/9/9/9/4K4 w", ask=["legal"])
    assert str(impossible["error"]).startswith("position: ")


@pytest.mark.parametrize("game", sorted(MINIS.games))
def test_every_kind_of_game_is_played_by_texts_alone(game: str) -> None:
    opened = MINIS.open(game)
    served, seats, rng, moves = Service(opened), opened.rules().seats, Random(game), []
    for _ in range(20):
        answer = ask(served, moves=moves, ask=["legal", "outcome", "position", "adjudicate"])
        assert set(answer) == {"legal", "outcome", "position", "adjudicate"}, answer
        if answer["outcome"] is not None:
            break
        legal = answer["legal"]
        assert isinstance(legal, list)
        moves.append(rng.choice(legal))
        again = ask(served, position=answer["position"], moves=moves[-1:], ask=["position"])
        assert again == ask(served, moves=moves, ask=["position"]), "a position's text goes on as the game does"
        for seat in seats:
            assert "view" in ask(served, moves=moves, ask=["view"], seat=seat.name)
    assert len(moves) > 1
