"""``tools/run test``: no stage is left out, and a run without tests is no success."""

import sys
from pathlib import Path

import pytest
import stages


def pytest_says(folder: Path, test: str, monkeypatch: pytest.MonkeyPatch) -> tuple[stages.Ran, str]:
    """Runs the pytest stage over `folder` with one test file; gives how it ended and its closing line."""
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (folder / "test_it.py").write_text(test)
    monkeypatch.setattr(stages, "ROOT", folder)
    tests = stages.Tests(("-p", "no:cacheprovider"))
    return stages.attempt("pytest", tests), tests.closing


def test_the_test_run_fails_where_no_test_ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran, closing = pytest_says(tmp_path, "", monkeypatch)
    assert ran.fault == "pytest: exit 5"
    assert "no tests ran in" in closing
    ran, closing = pytest_says(tmp_path, "def test_a(): pass\ndef test_b(): assert 0\n", monkeypatch)
    assert ran.fault == "pytest: exit 1"
    assert "1 failed, 1 passed in" in closing
    ran, closing = pytest_says(tmp_path, "def test_a(): pass\n", monkeypatch)
    assert ran.fault == ""
    assert "1 passed in" in closing


def test_every_stage_runs_and_one_failure_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        stages.run(sys.executable, "-c", "import sys; print('seen'); sys.exit('also seen')")

    monkeypatch.setattr(stages.Tests, "__call__", lambda self: setattr(self, "closing", "3 passed in 1.00s"))
    for name in ("lint", "types", "wheel"):
        monkeypatch.setattr(stages, name, lambda: None)
    assert stages.main([]) == 0
    monkeypatch.setattr(stages, "types", fails)
    capsys.readouterr()
    assert stages.main([]) == 1
    out = capsys.readouterr().out
    assert "exit 1\nseen\nalso seen\n" in out
    ends = [line.split()[:2] for line in out.splitlines()[-5:-1]]
    assert ends == [["ruff", "ok"], ["mypy", "FAILED"], ["pytest", "ok"], ["wheel", "ok"]]
    assert out.splitlines()[-1] == "3 passed in 1.00s"
