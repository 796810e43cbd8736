"""Proofs: each with small numbers; one that is killed goes on; a contradiction is told and makes the exit code 1."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from random import Random

import proof
import pytest
from proofs.fuzz import Readers, judged, mutated
from proofs.run import Shown, State, carry_out, figures
from proofs.steps import Found, Proof

from qipan.values import Fault

TOOL = Path(proof.__file__)


@pytest.mark.parametrize("name", proof.PROOFS)
def test_each_proof_holds_with_small_numbers(name: str, tmp_path: Path) -> None:
    shown = carry_out(proof.PROOFS[name], small=True, folder=tmp_path, made_at="here")
    assert shown.ok, shown.state.faults
    assert shown.state.done == shown.state.steps > 0
    assert min(sum(shown.state.counts.values()), len(shown.figures)) > 0
    assert list(tmp_path.iterdir()) == [], "a finished proof leaves nothing to go on with"


def counting(ran: list[int], stop_at: int = -1, wrong: Sequence[int] = ()) -> Proof:
    def step(number: int) -> Found:
        if number == stop_at:
            raise KeyboardInterrupt
        ran.append(number)
        return Found({"steps": 1, "sum": number}, tuple(f"{number} is wrong" for _ in range(number in wrong)))

    return Proof("counting", "Numbers add up.", lambda small, seed: [partial(step, n) for n in range(10)])


def test_a_stopped_proof_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs.run._SAVED", 0.0)
    ran: list[int] = []
    with pytest.raises(KeyboardInterrupt):
        carry_out(counting(ran, stop_at=6, wrong=[2]), folder=tmp_path, made_at="here")
    shown = carry_out(counting(ran), folder=tmp_path, made_at="here")
    assert ran == list(range(10)), "no step was done twice or left out"
    assert shown.state.counts == {"steps": 10, "sum": 45}
    assert (shown.ok, shown.state.faults) == (False, ["2 is wrong"]), "a fault found before the stop is kept"


@pytest.mark.parametrize(("seed", "commit"), [(2, "here"), (1, "elsewhere")])
def test_another_proof_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, commit: str
) -> None:
    monkeypatch.setattr("proofs.run._SAVED", 0.0)
    with pytest.raises(KeyboardInterrupt):
        carry_out(counting([], stop_at=6), folder=tmp_path, made_at="here")
    ran: list[int] = []
    carry_out(counting(ran), seed=seed, folder=tmp_path, made_at=commit)
    assert ran == list(range(10))


@pytest.mark.parametrize("data", [b"", b"{}", b'{"proof":"counting"', b'{"proof":7}', b"\xff"])
def test_a_damaged_state_begins_afresh(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "counting.json").write_bytes(data)
    ran: list[int] = []
    assert carry_out(counting(ran), folder=tmp_path, made_at="here").ok
    assert ran == list(range(10))


def run(*words: str, wait: Callable[[], bool] | None = None) -> tuple[int, str]:
    """Runs the tool; with ``wait`` it is killed once that holds."""
    command = [sys.executable, str(TOOL), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        end = time.monotonic() + 60
        while wait is not None and not wait() and program.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        if wait is not None:
            program.kill()  # nothing, where it has ended by itself
        out, err = program.communicate(timeout=120)
    return program.returncode, out + err


def test_a_killed_program_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "fuzz.json"
    words = ("fuzz", "--small", "--seed", "5", "--folder", str(tmp_path))
    code, _ = run(*words, wait=file.exists)
    assert code in (-signal.SIGKILL, 0)  # 0: it was quicker than one save
    code, text = run(*words)
    assert code == 0, text
    assert text.startswith("fuzz     ok     600 mutations")
    assert "seed 5" in text
    assert not file.exists()


def test_a_contradiction_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(proof.PROOFS, "counting", counting([], wrong=[3, 7]))
    assert proof.main(["counting", "--folder", str(tmp_path)]) == 1
    text = capsys.readouterr().out
    assert text.startswith("counting BROKEN 10 steps, 45 sum, 2 FAULTS; seed 1, ")
    assert text.splitlines()[1:] == ["         3 is wrong", "         7 is wrong"]


def test_a_step_that_raises_is_a_fault_and_the_others_are_done(tmp_path: Path) -> None:
    def breaks() -> Found:
        raise RuntimeError("no luck")

    def fine() -> Found:
        return Found({"steps": 1})

    shown = carry_out(Proof("p", "", lambda small, seed: [fine, breaks, fine]), folder=tmp_path, made_at="here")
    assert shown.state.faults == ["step 2 raised RuntimeError: no luck"]
    assert (shown.ok, shown.figures) == (False, "2 steps, 1 FAULTS")


def test_an_unknown_proof_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        proof.main(["nothing"])
    assert stop.value.code == 2
    assert "there is no proof 'nothing' (there is: perft, pyffish," in capsys.readouterr().err


def test_figures_and_the_row_of_the_page() -> None:
    state = State("counting", 3, 10, "abc", 10, {"games": 1200, "plies": 5}, seconds=65.2, cpu=60.0)
    assert figures(state, "games") == "1,200 games, 5 plies, 20 games a second of CPU"
    line = proof.row(counting([]), Shown(state, "a | b"), date(2030, 1, 2))
    assert line == "| `counting` | Numbers add up. | a / b | 3 | 1 min 05 s | `abc` | 2030-01-02 |"
    page = proof.PAGE.read_text("utf-8")
    once = proof.put(page, "counting", line)
    assert once.count("`counting`") == 1
    assert proof.put(once, "counting", line) == once
    assert len(once.splitlines()) == len(page.splitlines()) + 1
    with pytest.raises(ValueError, match="no table"):
        proof.put("nothing", "counting", line)


def test_what_is_no_fault_in_one_line_is_found() -> None:
    def raises(error: Exception) -> Callable[[bytes], None]:
        def feed(data: bytes) -> None:
            raise error

        return feed

    assert judged(lambda data: None, b"") == ("read", "")
    assert judged(raises(Fault("line 3: bad")), b"") == ("refused in one line", "")
    assert judged(raises(Fault("two\nlines")), b"")[1] == "a refusal of 2 lines: 'two\\nlines'"
    assert judged(raises(Fault(" ")), b"")[1]
    assert judged(raises(RecursionError("deep")), b"") == ("", "RecursionError: deep")


def test_the_samples_are_read_and_damage_is_refused(tmp_path: Path) -> None:
    readers = Readers(tmp_path)
    for kind, (samples, feed) in readers.feeds.items():
        for sample in samples:
            assert judged(feed, sample) == ("read", ""), (kind, sample)
        rng = Random(kind)
        damaged = [judged(feed, mutated(samples[0], rng)) for _ in range(40)]
        assert ("refused in one line", "") in damaged, kind


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("words", b'"a" = ' + b"[" * 3000),
        ("manifests", b"api = " + b"[" * 3000),
        ("position texts", b'mini_banqi [{"a1":["soldier",0,[1e999],1]},0,[],"",null,[]]'),
        ("PGN", b'[Game "Chinese ' + b"k" * 3000 + b'"]\n\n*\n'),
    ],
)
def test_what_mutations_once_brought_out_is_refused(tmp_path: Path, kind: str, data: bytes) -> None:
    assert judged(Readers(tmp_path).feeds[kind][1], data) == ("refused in one line", "")
