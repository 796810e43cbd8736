"""Pictures of every window and game from a real window, in both languages, small and large, at 1x and 2x.

``tools/run shots [FOLDER]`` (by default ``shots``) writes a PNG for each, and ``sheet.png`` with all of them. On X11 it
starts an Xvfb of its own.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageGrab

from qipan.clock import Control
from qipan.host import Host
from qipan.journal import Journal
from qipan.paths import user_paths
from qipan.session import Session
from qipan.settings import Settings
from qipan.settings import save as save_settings
from qipan.tk import begin
from qipan.tk.app import App
from qipan.tk.launcher.page import Launcher
from qipan.tk.rules_page import show_rules
from qipan.tk.table.page import Table

SCREEN = (2600, 1700)
_SETTLE = 1.2  # seconds a window rests before it is taken
_SHEET = 480  # the width of one picture on the sheet
BROKEN = 'api = 3\nid = "hexwar"\nversion = "0.3"\nlicence = "MIT"\nname = { en = "Hexwar", zh = "六角战" }\n'


class Shot(NamedTuple):
    """One picture: its file's name, the window's size in design pixels, its looks, and what is done before."""

    name: str
    size: tuple[int, int] = (1280, 800)
    mode: str = "light"
    language: str = "en"
    scale: float = 1
    theme: str = "classic"
    act: Callable[[App], object] = lambda app: None


# -- what is done before a picture is taken ----------------------------------------------------------------------
def launcher(app: App) -> Launcher:
    """The open launcher."""
    assert isinstance(app.page, Launcher)
    return app.page


def go(place: str) -> Callable[[App], object]:
    """Goes to a place of the launcher's rail."""
    return lambda app: launcher(app).go(place)


def choose(name: str) -> Callable[[App], object]:
    """Shows a game, or "!plugin", at the launcher's right."""
    return lambda app: launcher(app).choose(name)


def rules(game: str) -> Callable[[App], object]:
    """Opens the rules of a game, where it has a page of them."""
    return lambda app: show_rules(app, app.host.games[game])


def sit(game: str, plies: int, lift: bool = False) -> Callable[[App], object]:
    """Sits down at a table where some moves were made, the same at each run; ``lift``: with a piece in hand."""

    def act(app: App) -> None:
        opened = app.host.open(game)
        position = opened.info.thumbnail.position
        begin.start_game(app, opened, names=("Lin Mei", "Chen Wei"), clock="10+5", position=position)
        assert isinstance(app.page, Table)
        pump(app, 0.3)
        table, rng = app.page, Random(11)
        for _ in range(plies):
            moves = table.session.legal()
            if not moves or table.session.outcome is not None:
                break
            table.session.play(rng.choice(moves))
            pump(app, 0.05)
        if lift:
            pump(app, 0.5)
            _lift(app, table)

    return act


def _lift(app: App, table: Table) -> None:
    """Clicks the piece that can go to the most points."""
    starts = [move.path[0] for move in table.session.legal() if len(move.path) > 1]
    layout = table.board.layout
    if not starts or layout is None:
        return
    x, y = layout.xy(max(set(starts), key=lambda point: (starts.count(point), point)))
    table.board.event_generate("<Button-1>", x=round(x), y=round(y))
    table.board.event_generate("<ButtonRelease-1>", x=round(x), y=round(y))


def shots(games: Sequence[str]) -> list[Shot]:
    """All pictures, the launcher's first."""
    first = games[0] if games else ""
    found = [
        Shot("launcher"),
        Shot("launcher-dark-zh", mode="dark", language="zh"),
        Shot("launcher-2x", scale=2),
        Shot("launcher-small", (900, 640)),
        Shot("launcher-small-game-zh", (900, 640), "dark", "zh", act=choose(first)),
        Shot("launcher-large", (1920, 1080)),
        Shot("launcher-large-zh", (2560, 1440), language="zh"),
        Shot("continue-zh", language="zh", act=go("continue")),
        Shot("plugins", act=go("plugins")),
        Shot("broken-plugin", mode="dark", act=choose("!hexwar")),
        Shot("keys-zh", language="zh", act=App.open_help),
        Shot("settings", act=App.open_settings),
        Shot("settings-dark-zh", mode="dark", language="zh", act=App.open_settings),
    ]
    for game in games:
        found += [
            Shot(f"{game}", act=sit(game, 6)),
            Shot(f"{game}-lifted-zh", language="zh", act=sit(game, 6, lift=True)),
            Shot(f"{game}-dark-zh-small", (900, 700), "dark", "zh", act=sit(game, 7)),
            Shot(f"{game}-large", (1920, 1080), "dark", act=sit(game, 8)),
            Shot(f"{game}-2x", scale=2, act=sit(game, 6, lift=True)),
            Shot(f"{game}-rules", act=rules(game)),
            Shot(f"{game}-rules-dark-zh-2x", mode="dark", language="zh", scale=2, act=rules(game)),
        ]
    return found


# -- taking them -------------------------------------------------------------------------------------------------
def pump(app: App, seconds: float) -> None:
    """Lets the window live for a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.root.update()
        time.sleep(0.01)


def take(shot: Shot, folder: Path, home: Path) -> tuple[Path, list[BaseException]]:
    """Takes one picture; gives its file and what went wrong in the window."""
    os.environ["QIPAN_SCALE"] = f"{shot.scale:g}"
    os.environ["QIPAN_HOME"] = str(home)
    settings = Settings(theme=shot.theme, width=shot.size[0], height=shot.size[1])
    settings.language, settings.mode = shot.language, shot.mode  # type: ignore[assignment]
    save_settings(user_paths().settings, settings)
    app = App(rng=Random(1))
    app.root.geometry("+0+0")
    app.open_launcher()
    app.root.update()
    app.root.focus_force()
    pump(app, _SETTLE)
    shot.act(app)
    pump(app, _SETTLE)
    root = app.root
    x, y = root.winfo_rootx(), root.winfo_rooty()
    screen = ImageGrab.grab(xdisplay=os.environ.get("DISPLAY")) if sys.platform == "linux" else ImageGrab.grab()
    file = folder / f"{shot.name}.png"
    screen.crop((x, y, x + root.winfo_width(), y + root.winfo_height())).convert("RGB").save(file, optimize=True)
    app.close()
    return file, app.faults


def furnish(home: Path) -> list[str]:
    """Fills the user's folder: left games, and a plugin that is broken; gives the ids of all games."""
    os.environ["QIPAN_HOME"] = str(home)
    host = Host.scan(entry_points=False)
    games = list(host.games)
    for number, game in enumerate(games[:2] * 2):
        opened = host.open(game)
        rules = opened.rules()
        journal = Journal.create(user_paths().journals, f"left-{number}")
        names = (("Lin Mei", "Chen Wei"), ("Anna", ""))[number % 2]
        session = Session(
            opened.info, rules, opened.info.settle({}), rng=Random(number), now=time.monotonic, names=names,
            control=Control.parse("10+5"), journal=journal,
        )  # fmt: skip
        rng = Random(number)
        for _ in range(21 + 9 * number):
            if session.outcome is None:
                session.play(rng.choice(session.legal()))
        session.close()
    plugin = user_paths().plugins / "hexwar"
    plugin.mkdir(parents=True)
    (plugin / "plugin.toml").write_text(BROKEN, "utf-8")
    return games


def sheet(files: Sequence[Path], target: Path) -> None:
    """All pictures on one, each with its name."""
    across, line = 4, 22
    small = []
    for file in files:
        with Image.open(file) as picture:
            tall = round(_SHEET * picture.height / picture.width)
            small.append(picture.convert("RGB").resize((_SHEET, tall), Image.Resampling.LANCZOS))
    rows = [range(n, min(n + across, len(small))) for n in range(0, len(small), across)]
    heights = [max(small[n].height for n in row) + line + 8 for row in rows]
    whole = Image.new("RGB", (across * (_SHEET + 8) + 8, sum(heights) + 8), "#7B8892")
    draw, y = ImageDraw.Draw(whole), 8
    for row, height in zip(rows, heights, strict=True):
        for column, number in enumerate(row):
            x = 8 + column * (_SHEET + 8)
            draw.text((x, y + 4), files[number].stem, fill="#FFFFFF")
            whole.paste(small[number], (x, y + line))
        y += height
    whole.save(target, optimize=True)


@contextlib.contextmanager
def display() -> Iterator[None]:
    """An X server of its own where windows need one. Raises SystemExit where there is none."""
    if sys.platform in ("win32", "darwin"):
        yield
        return
    reading, writing = os.pipe()
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    try:
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    except FileNotFoundError:
        raise SystemExit("shots: Xvfb is not installed") from None
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], 30)
        number = os.read(reading, 32).decode().strip() if ready else ""
        if not number:
            raise SystemExit("shots: Xvfb did not start")
        os.environ["DISPLAY"] = f":{number}"
        yield
    finally:
        os.close(reading)
        server.terminate()
        server.wait(10)


def main(argv: Sequence[str]) -> int:
    """Takes all pictures into the folder; 1 where a window had a fault."""
    folder = Path(argv[0] if argv else "shots")
    folder.mkdir(parents=True, exist_ok=True)
    files, faulty = [], False
    with display(), tempfile.TemporaryDirectory() as home:
        games = furnish(Path(home))
        for shot in shots(games):
            file, faults = take(shot, folder, Path(home))
            files.append(file)
            faulty = faulty or bool(faults)
            print(file, *(f"FAULT: {fault!r}" for fault in faults), flush=True)
    sheet(files, folder / "sheet.png")
    print(folder / "sheet.png")
    return int(faulty)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
