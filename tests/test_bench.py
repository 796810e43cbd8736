"""The bench: what it compares does the same work, its windows come up and move, its JSON has one shape. No timing."""

from __future__ import annotations

import json
import os

import bench
import bench_windows
import pytest


def test_works_are_interleaved_and_the_best_round_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    clock = iter([0.0, 4.0, 4.0, 5.0, 5.0, 7.0, 7.0, 10.0, 10.0, 13.0, 13.0, 15.0])
    monkeypatch.setattr(bench.time, "process_time", lambda: next(clock))
    best = bench.interleaved([("a", lambda: ran.append("a"), 2), ("b", lambda: ran.append("b"), 1)])
    assert "".join(ran) == "aab" * bench.ROUNDS
    assert best == {"a": 1.0, "b": 1.0}


def test_the_rules_are_compared_at_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    import bench_rules

    class Board:
        """As much of cchess as the works ask for, with no moves."""

        def __init__(self, fen: str) -> None:
            assert fen == bench_rules.START

        def create_moves(self) -> list[tuple[int, int]]:
            return []

    class Cchess:
        ChessBoard = Board

    real = bench_rules.importlib.import_module
    monkeypatch.setattr(
        bench_rules.importlib, "import_module", lambda name: Cchess if name == "cchess" else real(name)
    )
    works = {name: work for name, work, _ in bench_rules.works()}
    assert [name.split(":")[0] for name in works] == ["legal moves"] * 4 + ["perft(3)"] * 4
    works["perft(3): qipan searcher"]()
    works["legal moves: qipan rules"]()
    assert len(works["legal moves: pyffish"]()) == len(works["legal moves: qipan searcher"]()) == 44
    with pytest.raises(SystemExit, match=r"perft\(3\) is 0, not 79666"):
        works["perft(3): cchess"]()


def test_a_missing_rival_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(works: object) -> dict[str, float]:
        raise ModuleNotFoundError("No module named 'cchess'", name="cchess")

    monkeypatch.setattr(bench, "interleaved", missing)
    monkeypatch.setattr("bench_rules.works", list)
    with pytest.raises(SystemExit, match=r"bench: cchess is missing\. Run: .* -m pip install"):
        bench.bench_rules()


def test_the_launcher_is_drawn_in_a_window_of_its_own() -> None:
    before = os.environ.get("DISPLAY")
    rows = bench_windows.launcher_figures(1)
    assert [name for name, _, _ in rows] == [
        "bare Tk window with one label", "launcher, first start", "launcher, later starts",
    ]  # fmt: skip
    bare, first, later = (seconds for _, seconds, _ in rows)
    assert 0 < bare < min(first, later) < 60
    assert [note.rpartition(": ")[0].partition(", ")[2] for _, _, note in rows] == ["", "goal 0.7 s", "goal 0.7 s"]
    assert os.environ.get("DISPLAY") == before


def test_frames_of_a_pulse_and_of_moves_are_taken() -> None:
    rows = bench_windows.frame_figures(1, beats=4, moves=2)
    assert [name for name, _, _ in rows] == [
        f"{kind} at {scale}x, {share}" for scale in (1, 2) for kind in ("pulse", "move") for share in ("p50", "p99")
    ]
    assert all(0 < seconds < 10 for _, seconds, _ in rows)
    assert int(rows[2][2].split()[1]) >= 4, "two moves have several frames"


def test_parts_and_goals() -> None:
    ordered = [float(n) for n in range(200)]
    assert (bench_windows.part(ordered, 0.5), bench_windows.part(ordered, 0.99)) == (100, 198)
    assert bench_windows.part([7.0], 0.99) == 7
    assert bench_windows._goal(0.69, 0.7) == "goal 0.7 s: reached"
    assert bench_windows._goal(0.016, 0.016) == "goal 16 ms: MISSED"


def test_the_answer_in_lines_and_in_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def bench_some() -> list[bench.Figure]:
        """Something measured."""
        return [bench.Figure("ours", 0.0000042), bench.Figure("theirs", 1.5, "2 x ours")]

    monkeypatch.setattr(bench, "PARTS", {"some": bench_some})
    assert bench.main(["some", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "some": [
            {"name": "ours", "seconds": 0.0000042, "note": ""},
            {"name": "theirs", "seconds": 1.5, "note": "2 x ours"},
        ]
    }
    assert bench.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "some: Something measured."
    assert [" ".join(line.split()) for line in lines[1:]] == ["ours 4.2 us", "theirs 1.500 s 2 x ours"]
    with pytest.raises(SystemExit):
        bench.main(["nothing"])
    assert "'nothing' is none of some" in capsys.readouterr().err


def test_the_help_names_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        bench.main(["--help"])
    told = capsys.readouterr().out
    assert "[]" not in told
    assert ", ".join(bench.PARTS) in " ".join(told.split())
