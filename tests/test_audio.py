"""Sound: the cue files, the helper that plays them, and a table that never waits for either."""

import array
import importlib.util
import json
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time
import wave
from pathlib import Path

import pytest

from qipan.audio import helper
from qipan.audio.player import CUES, DEFAULT_CUES, Player, cue_file

ROOT = Path(__file__).resolve().parents[1]
XIANGQI = ROOT / "plugins" / "xiangqi" / "sounds"
HELPER = Path(helper.__file__)
log = logging.getLogger(__name__)


def until(condition, seconds=8.0):
    """Whether the condition holds within some seconds."""
    end = time.monotonic() + seconds
    while not (held := condition()) and time.monotonic() < end:
        time.sleep(0.005)
    return held


def alive(pid):
    """Whether a process runs (a dead one that nobody has waited for does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def samples_of(path):
    with wave.open(str(path)) as reader:
        return reader.readframes(reader.getnframes())


def write_wav(path, samples, channels=1, width=2, rate=44100):
    with wave.open(str(path), "wb") as writer:
        writer.setparams((channels, width, rate, 0, "NONE", ""))
        writer.writeframes(samples)
    return path


STUCK = 20.0  # seconds; nobody waits so long but one who waits for a helper that never answers


@pytest.fixture
def said():
    return []


@pytest.fixture
def player(said, monkeypatch):
    """A player with the real helper, patient with a busy machine; closed afterwards."""
    monkeypatch.setattr("qipan.audio.player._STALE", STUCK)
    with_helper = Player(volume=1.0, log=said.append)
    yield with_helper
    with_helper.close()


@pytest.fixture
def ears(tmp_path, monkeypatch):
    """Makes ALSA write each play into a file of its own; gives what has been heard so far, in order."""
    folder = tmp_path / "heard"
    folder.mkdir()
    config = tmp_path / "asound.conf"
    config.write_text(
        "pcm.null { type null }\n"
        "pcm.!default { type file slave.pcm null format raw truncate false perm 0600 "
        f'file "{folder}/play" }}\n'
    )
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))
    return lambda: [file.read_bytes() for file in sorted(folder.iterdir())]


@pytest.fixture
def deaf(tmp_path, monkeypatch):
    """No sound device, and no program of the system that plays."""
    config = tmp_path / "no-device.conf"
    config.write_text("")
    monkeypatch.setenv("ALSA_CONFIG_PATH", str(config))
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    return programs


def script(tmp_path, text):
    """The command line of a helper of another mind."""
    file = tmp_path / "other_helper.py"
    file.write_text(text)
    return [sys.executable, "-P", str(file)]


def make_sounds():
    spec = importlib.util.spec_from_file_location("make_sounds", ROOT / "tools" / "make_sounds.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- the files ---


def test_the_committed_cues_are_what_the_tool_makes(tmp_path, capsys):
    tool = make_sounds()
    assert tool.main(["--check"]) == 0
    name = "platform/qipan/audio/cues/select.wav"
    tool.FILES = {name: tool.FILES[name]}
    capsys.readouterr()
    assert tool.main([], root=tmp_path) == 0
    assert tool.main(["--check"], root=tmp_path) == 0
    spoilt = tmp_path / name
    assert spoilt.read_bytes() == (ROOT / name).read_bytes()
    spoilt.write_bytes(spoilt.read_bytes()[:-1] + b"\x01")
    assert tool.main(["--check"], root=tmp_path) == 1
    assert capsys.readouterr().out == f"{name}: written\n{name}: differs\n"


def test_every_committed_cue_is_made_by_the_tool_and_no_two_are_alike():
    files = [*DEFAULT_CUES.iterdir(), *XIANGQI.iterdir()]
    assert {str(file.relative_to(ROOT)) for file in files} == set(make_sounds().FILES)
    assert len({file.read_bytes() for file in files}) == len(files)


@pytest.mark.parametrize("folders", [(), (XIANGQI,)], ids=["platform", "xiangqi"])
@pytest.mark.parametrize("name", CUES)
def test_a_cue_is_short_quiet_at_both_ends_and_not_clipped(name, folders):
    file = cue_file(name, folders)
    assert file.stat().st_size < 150_000
    sound = helper.read(file, 1.0)
    assert (sound.channels, sound.rate) == (1, 44100)
    values = array.array("h", sound.samples)
    assert abs(values[0]) <= 8
    assert max(map(abs, values[-20:])) <= 8
    assert 0.15 * 32768 < max(map(abs, values)) < 0.75 * 32768
    assert abs(sum(values) / len(values)) < 20


def test_cues_keep_their_order_of_loudness():
    peak = {name: max(map(abs, array.array("h", samples_of(DEFAULT_CUES / f"{name}.wav")))) for name in CUES}
    assert peak["select"] < peak["illegal"] < peak["move"] < peak["capture"]


def test_a_plugin_overrides_the_platform_cue_by_cue(tmp_path):
    assert cue_file("move", [XIANGQI]) == XIANGQI / "move.wav"
    assert cue_file("begin", [XIANGQI]) == DEFAULT_CUES / "begin.wav"
    (tmp_path / "dice.wav").write_bytes(b"")
    assert cue_file("dice", [tmp_path, XIANGQI]) == tmp_path / "dice.wav"
    assert cue_file("dice", [XIANGQI]) is None


def test_no_cue_is_found_outside_its_folder(tmp_path):
    inside = tmp_path / "sounds"
    inside.mkdir()
    write_wav(tmp_path / "secret.wav", b"\0\0")
    (inside / "link.wav").symlink_to(tmp_path / "secret.wav")
    assert cue_file("../secret", [inside]) is None
    assert cue_file("link", [inside]) is None
    assert cue_file("", [inside]) is None


# --- reading a WAV ---


def test_damaged_and_foreign_files_are_refused_by_name(tmp_path):
    good = (DEFAULT_CUES / "move.wav").read_bytes()
    (tmp_path / "cut.wav").write_bytes(good[:-100])
    (tmp_path / "text.wav").write_text("not a sound")
    (tmp_path / "empty.wav").write_bytes(b"")
    (tmp_path / "folder.wav").mkdir()
    os.mkfifo(tmp_path / "pipe.wav")
    write_wav(tmp_path / "silent.wav", b"")
    write_wav(tmp_path / "bits.wav", b"\0" * 300, width=3)
    write_wav(tmp_path / "many.wav", b"\0" * 300, channels=3)
    write_wav(tmp_path / "rate.wav", b"\0" * 300, rate=44101)
    write_wav(tmp_path / "large.wav", b"\0" * helper.LIMIT)
    float_format = bytearray(good)
    float_format[20] = 3
    (tmp_path / "float.wav").write_bytes(float_format)
    files = [*sorted(tmp_path.iterdir()), tmp_path / "missing.wav"]
    assert len(files) == 12
    for file in files:
        with pytest.raises(helper.RefusedError, match=file.name):
            helper.read(file, 1.0)
    with pytest.raises(helper.RefusedError, match="larger than 2097152 bytes"):
        helper.read(tmp_path / "large.wav", 1.0)


def test_any_spoilt_byte_gives_a_sound_or_a_refusal(tmp_path):
    good = (DEFAULT_CUES / "select.wav").read_bytes()
    dice = random.Random(5)
    file = tmp_path / "spoilt.wav"
    refused = 0
    for _ in range(1500):
        data = bytearray(good)
        for _ in range(dice.randint(1, 3)):
            data[dice.randrange(48)] = dice.randrange(256)
        file.write_bytes(data[: dice.choice([20, 44, 300, len(data)])])
        try:
            sound = helper.read(file, 0.5)
        except helper.RefusedError:
            refused += 1
        else:
            assert len(sound.samples) % (2 * sound.channels) == 0
    assert 0 < refused < 1500


def test_volume_scales_the_samples():
    before = array.array("h", [0, 2, -2, 1000, -1000, 32766, -32768])
    assert helper.scaled(before.tobytes(), 0.5) == array.array("h", [0, 1, -1, 500, -500, 16383, -16384]).tobytes()
    assert helper.scaled(before.tobytes(), 1.0) == before.tobytes()
    assert set(helper.scaled(before.tobytes(), 0.0)) == {0}


# --- the helper with a device ---


def test_what_is_heard_equals_the_cue_files(ears, player, said):
    files = [cue_file(name, folders) for folders in ((), (XIANGQI,)) for name in CUES]
    for number, file in enumerate(files, 1):
        player.play(file)
        wanted = samples_of(file)
        assert until(lambda n=number, w=wanted: len(ears()) == n and len(ears()[-1]) >= len(w))
        assert ears()[-1] == wanted
    assert len(ears()) == 14
    assert said == []


def test_cues_played_at_once_are_all_heard(ears, player):
    files = [DEFAULT_CUES / f"{name}.wav" for name in ("move", "capture", "check")]
    for file in files:
        player.play(file)
    wanted = sorted(samples_of(file) for file in files)
    assert until(lambda: sorted(ears()) == wanted)


def test_half_the_volume_is_half_the_sample_and_mute_is_nothing(ears, player, said):
    player.set_muted(True)
    player.play(DEFAULT_CUES / "begin.wav")
    player.set_muted(False)
    player.set_volume(0)
    player.play(DEFAULT_CUES / "begin.wav")
    assert player._process is None, "a helper was started for nothing"
    player.set_volume(0.5)
    player.play(DEFAULT_CUES / "move.wav")
    wanted = samples_of(DEFAULT_CUES / "move.wav")
    assert until(lambda: ears() and len(ears()[0]) == len(wanted))
    heard = array.array("h", ears()[0])
    assert all(abs(2 * half - whole) <= 1 for half, whole in zip(heard, array.array("h", wanted), strict=True))
    assert len(ears()) == 1
    assert said == []


def test_a_damaged_file_is_told_once_and_the_next_cue_is_heard(ears, player, said, tmp_path):
    bad = tmp_path / "bad.wav"
    bad.write_bytes(b"RIFF")
    player.play(bad)
    player.play(bad)
    player.play(DEFAULT_CUES / "select.wav")
    wanted = samples_of(DEFAULT_CUES / "select.wav")
    assert until(lambda: ears() == [wanted])
    assert len(said) == 1
    assert str(bad) in said[0]


def test_the_helper_runs_on_the_systems_malloc_and_away_from_the_folders_modules(ears, player):
    player.play(DEFAULT_CUES / "select.wav")
    assert until(ears)
    pid = player._process.pid
    assert b"PYTHONMALLOC=malloc" in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    assert Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[1:3] == [b"-P", str(HELPER).encode()]


# --- no device ---


def test_without_a_device_there_is_silence_and_one_log_line(deaf, player, said, capfd):
    for _ in range(5):
        player.play(DEFAULT_CUES / "move.wav")
    assert until(lambda: said)
    assert until(lambda: player._process is None), "a helper without use goes on"
    player.play(DEFAULT_CUES / "move.wav")
    player.close()
    assert len(said) == 1
    assert said[0].startswith("No sound: simpleaudio: ")
    assert "\n" not in said[0]
    assert capfd.readouterr() == ("", "")


def test_the_system_player_steps_in(deaf, player, said, tmp_path):
    heard = tmp_path / "heard.raw"
    (deaf / "aplay").write_text(f'#!/bin/sh\nexec /bin/cat >> "{heard}"\n')
    (deaf / "aplay").chmod(0o755)
    (deaf / "pacat").write_text("#!/bin/sh\nexit 1\n")
    (deaf / "pacat").chmod(0o755)
    player.play(DEFAULT_CUES / "move.wav")
    assert until(lambda: said)
    player.play(DEFAULT_CUES / "select.wav")
    wanted = samples_of(DEFAULT_CUES / "move.wav") + samples_of(DEFAULT_CUES / "select.wav")
    assert until(lambda: heard.exists() and heard.read_bytes() == wanted)
    player.close()
    assert len(said) == 1
    assert said[0].startswith("Sound is played by aplay (simpleaudio: ")
    assert "pacat: it ended with code 1" in said[0]


class _OneAtATime:
    """Stands for simpleaudio on a device that refuses a second sound."""

    def __init__(self):
        self.sounds = []
        self.busy = False

    def play_buffer(self, samples, channels, width, rate):
        if self.busy:
            raise OSError("busy")
        self.busy = True
        self.sounds.append(samples)
        return self

    def is_playing(self):
        return self.busy

    def stop_all(self):
        self.stopping = True

    def wait_done(self):
        assert self.stopping
        self.busy = False


def test_a_device_that_takes_one_sound_gets_the_newest(monkeypatch):
    library = _OneAtATime()
    monkeypatch.setitem(sys.modules, "simpleaudio", library)
    speaker = helper.Speaker(iter([("simpleaudio", helper.SimpleAudio)]))
    first, second = DEFAULT_CUES / "move.wav", DEFAULT_CUES / "capture.wav"
    assert speaker.serve(first, 1.0) == {"say": None, "off": False}
    assert speaker.serve(second, 1.0) == {"say": None, "off": False}
    assert library.sounds == [samples_of(first), samples_of(second)]


# --- a helper that is slow, stuck or dead ---


def test_play_never_waits_for_a_stopped_helper(ears, player, said):
    player.play(DEFAULT_CUES / "select.wav")
    assert until(ears)
    pid = player._process.pid
    os.kill(pid, signal.SIGSTOP)
    spent = []
    for _ in range(2000):
        start = time.perf_counter()
        player.play(DEFAULT_CUES / "move.wav")
        spent.append(time.perf_counter() - start)
    assert sum(spent) < STUCK, "a play that waits for the helper waits until it is continued"
    start = time.monotonic()
    player.close()
    assert time.monotonic() - start < STUCK
    assert not alive(pid)
    assert said == []


def test_the_first_play_does_not_wait_for_the_helper_to_start(tmp_path, said):
    player = Player(log=said.append, command=script(tmp_path, "import time\ntime.sleep(60)"))
    start = time.monotonic()
    player.play(DEFAULT_CUES / "move.wav")
    assert time.monotonic() - start < STUCK
    assert until(lambda: player._process)
    start = time.monotonic()
    player.close()
    assert time.monotonic() - start < STUCK
    assert said == []


def test_cues_that_waited_too_long_are_not_played_late(ears, player, said, monkeypatch):
    monkeypatch.setattr("qipan.audio.player._STALE", 0.5)
    select, move, capture = (samples_of(DEFAULT_CUES / f"{name}.wav") for name in ("select", "move", "capture"))
    player.play(DEFAULT_CUES / "select.wav")
    assert until(lambda: ears() == [select])
    pid = player._process.pid
    os.kill(pid, signal.SIGSTOP)
    for _ in range(20):
        player.play(DEFAULT_CUES / "move.wav")
    time.sleep(0.7)
    os.kill(pid, signal.SIGCONT)
    # One move was on its way; the others should have been dropped.
    assert until(lambda: ears() == [select, move])
    player.play(DEFAULT_CUES / "capture.wav")
    assert until(lambda: ears() == [select, move, capture]), [len(sound) for sound in ears()]
    assert said == []


def test_a_killed_helper_is_replaced(ears, player, said):
    player.play(DEFAULT_CUES / "select.wav")
    assert until(ears)
    os.kill(player._process.pid, signal.SIGKILL)
    player.play(DEFAULT_CUES / "move.wav")  # finds the helper dead
    assert until(lambda: said)
    player.play(DEFAULT_CUES / "capture.wav")
    assert until(lambda: samples_of(DEFAULT_CUES / "capture.wav") in ears())
    assert said == ["The sound helper ended with code -9; it is started again."]


def test_a_helper_that_keeps_dying_is_given_up(tmp_path, said):
    player = Player(log=said.append, command=script(tmp_path, "raise SystemExit(7)"))
    for lines in (1, 2, 3, 3, 3):
        player.play(DEFAULT_CUES / "move.wav")
        assert until(lambda n=lines: len(said) == n)
    assert until(lambda: not player._thread.is_alive())
    player.close()
    again = "The sound helper ended with code 7; it is started again."
    assert said == [again, again, "The sound helper ended with code 7; sound stays off."]


@pytest.mark.parametrize("answer", ["nonsense", "[]", "\\xff"])
def test_an_answer_that_makes_no_sense_is_a_dead_helper(tmp_path, said, answer):
    text = f"import sys\nsys.stdin.readline()\nsys.stdout.buffer.write(b'{answer}\\n')"
    player = Player(log=said.append, command=script(tmp_path, text))
    player.play(DEFAULT_CUES / "move.wav")
    assert until(lambda: said)
    player.close()
    assert said == ["The sound helper said something else than an answer; it is started again."]


def test_a_helper_that_cannot_be_started_is_told(tmp_path, said):
    player = Player(log=said.append, command=[str(tmp_path / "nothing")])
    for tries in range(1, 4):
        player.play(DEFAULT_CUES / "move.wav")
        assert until(lambda n=tries: len(said) == n)
    player.close()
    assert all("does not start" in line for line in said)


def test_nothing_is_left_after_close(ears, said):
    before = threading.active_count()
    player = Player(log=said.append)
    player.play(DEFAULT_CUES / "end.wav")
    assert until(ears)
    pid = player._process.pid
    start = time.monotonic()
    player.close()
    player.close()
    assert time.monotonic() - start < STUCK
    assert not Path(f"/proc/{pid}").exists(), "a zombie"
    assert threading.active_count() == before
    player.play(DEFAULT_CUES / "move.wav")
    assert threading.active_count() == before


def test_a_helper_that_lingers_is_ended(tmp_path, said):
    text = "import sys, time\nfor line in sys.stdin:\n    print('{}', flush=True)\ntime.sleep(60)"
    player = Player(log=said.append, command=script(tmp_path, text))
    player.play(DEFAULT_CUES / "move.wav")
    assert until(lambda: player._process)
    pid = player._process.pid
    start = time.monotonic()
    player.close()
    assert time.monotonic() - start < STUCK
    assert not alive(pid)
    assert said == []


def test_a_player_that_played_nothing_closes():
    Player(log=log.error).close()


PARENT = """
import sys, time
from pathlib import Path
from qipan.audio.player import DEFAULT_CUES, Player
player = Player(log=print)
player.play(DEFAULT_CUES / "end.wav")
while player._process is None:
    time.sleep(0.01)
print(player._process.pid, flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["time.sleep(60)", "sys.exit()"], ids=["killed", "left without close"])
def test_the_helper_ends_with_its_parent(ears, then):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "platform")}
    command = [sys.executable, "-c", PARENT.format(then=then)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as parent:
        pid = int(parent.stdout.readline())
        if "sleep" in then:
            parent.kill()
        code = parent.wait(5)
        assert code == (-9 if "sleep" in then else 0)
    assert until(lambda: not alive(pid), 3)


def test_the_helper_speaks_json_lines_and_ends_with_its_input(deaf, tmp_path):
    (tmp_path / "simpleaudio.py").write_text(
        "import os\nprint('chatter', flush=True)\nos.write(1, b'chatter')\n"
        "def play_buffer(*sound):\n    raise ValueError('two\\nlines')\n"
    )
    (tmp_path / "bad.wav").write_bytes(b"RIFF")
    files = [tmp_path / "bad.wav", DEFAULT_CUES / "move.wav"]
    text = "".join(json.dumps({"play": str(file), "volume": 1}) + "\n" for file in files)
    command = [sys.executable, "-P", HELPER]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=10, env=environment)
    refused, silent = [json.loads(line) for line in done.stdout.splitlines()]
    assert refused["off"] is False
    assert "bad.wav" in refused["say"]
    assert silent == {"say": "No sound: simpleaudio: two lines", "off": True}
    assert done.returncode == 0
