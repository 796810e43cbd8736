"""A real window for every test: an Xvfb of its own, a fresh application, a failure for all that goes wrong unseen."""

from __future__ import annotations

import logging
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Protocol

import pytest

from qipan import settings
from qipan.paths import Paths, user_paths
from qipan.tk.app import App, Start

SCREEN = "2600x1700x24"  # a depth that screenshots need
_NOTHING = Start()
START = 30.0  # seconds an X server may take


class MakeApp(Protocol):
    """Makes an application; the fixture ends it."""

    def __call__(
        self, start: Start = ..., *, size: tuple[int, int] = ..., language: str = ..., mode: str = ...,
        launcher: bool = ...,
    ) -> App: ...


class _Errors(logging.Handler):
    """Keeps what was logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The name of an X display, in the environment too."""
    if sys.platform in ("win32", "darwin"):
        yield ""
        return
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], START)
        number = os.read(reading, 32).decode().strip() if ready else ""
        assert number, "Xvfb did not start"
        before = os.environ.get("DISPLAY")
        os.environ["DISPLAY"] = f":{number}"
        yield f":{number}"
        if before is None:
            del os.environ["DISPLAY"]
        else:
            os.environ["DISPLAY"] = before
    finally:
        os.close(reading)
        server.terminate()
        server.wait(10)


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where all tests keep the launcher's pictures, so that each is painted once."""
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture
def home(tmp_path: Path, pictures: Path, monkeypatch: pytest.MonkeyPatch) -> Paths:
    """The user's folders, empty and in the test's own place."""
    monkeypatch.setenv("QIPAN_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "pictures").symlink_to(pictures, target_is_directory=True)
    monkeypatch.delenv("QIPAN_SCALE", raising=False)
    return user_paths()


@pytest.fixture
def errors() -> Iterator[list[str]]:
    """The errors logged so far; a test that expects some clears the list, the others fail."""
    handler = _Errors()
    logging.getLogger("qipan").addHandler(handler)
    yield handler.messages
    logging.getLogger("qipan").removeHandler(handler)


@pytest.fixture
def make_app(display: str, home: Paths, errors: list[str]) -> Iterator[MakeApp]:
    """Makes applications with the settings of ``home`` (those told, at first); each is ended and looked at."""
    made: list[App] = []

    def make(
        start: Start = _NOTHING, *, size: tuple[int, int] = (1280, 800), language: str = "en", mode: str = "light",
        launcher: bool = True,
    ) -> App:  # fmt: skip
        if not home.settings.exists():
            wanted: Any = {"language": language, "mode": mode, "width": size[0], "height": size[1]}
            settings.save(home.settings, settings.Settings(**wanted))
        app = App(start, rng=Random(5))
        if launcher:
            app.open_first()
        app.root.update()
        app.root.focus_force()
        app.root.update()
        made.append(app)
        return app

    yield make
    for app in made:
        if not app.ended:
            app.root.update()
            app.close()
    faults = [fault for app in made for fault in app.faults]
    assert not faults, f"exceptions in the window: {faults}"
    assert not errors, f"logged as errors: {errors}"


@pytest.fixture
def app(make_app: MakeApp) -> App:
    """The launcher in a window of 1280x800, in English, light."""
    return make_app()


@pytest.fixture
def wait_until() -> Callable[[App, Callable[[], object]], None]:
    """Pumps the window's events until a condition holds; fails after ten seconds."""

    def wait(app: App, condition: Callable[[], object]) -> None:
        end = time.monotonic() + 10
        while not condition():
            assert time.monotonic() < end, "it did not happen within ten seconds"
            app.root.update()
            time.sleep(0.005)

    return wait
