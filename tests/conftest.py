"""What tests of several files need: the command line in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from qipan.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs words and gives the exit code, stdout and stderr."""

    def ran(*words: str) -> tuple[int, str, str]:
        code = main(words)
        out, err = capsys.readouterr()
        return code, out, err

    return ran
