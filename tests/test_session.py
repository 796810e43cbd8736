"""A game in play: moves, take-backs, draws, claims, variations, secrets, chance, and rules that break."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
import small_games as games
from good_games import Crossing

import qipan
from qipan import acts
from qipan.acts import Acted, Edited, Ended, Played, PluginFault, Refused, TakenBack
from qipan.clock import Control
from qipan.fence import Fence
from qipan.rules import Ruleset
from qipan.session import Cursor, Mark, Policy, Session
from qipan.values import CHANCE, HIDDEN, NOBODY, Claim, Move, Moved, Note, Outcome, Piece, Position, Removed, Revealed
from qipan.words import LANGUAGES, Words

PACKAGE = Path(qipan.__file__).parent


class Time:
    """A hand-turned watch."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def begin(
    rules: Ruleset | None = None, info: object = games.HEAP, *, policy: Policy = "free", control: str = "none",
    seed: int = 1, time: Time | None = None,
) -> Session:  # fmt: skip
    return Session(
        info, rules or games.Heap(), {}, rng=Random(seed), now=time or Time(), policy=policy,  # type: ignore[arg-type]
        control=Control.parse(control),
    )  # fmt: skip


def take(session: Session, *counts: int) -> None:
    for count in counts:
        session.play(Move(session.tip.position.turn, (count - 1,)))


def refused(why: str) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, match=f"^{why}$")


def test_a_game_is_played_to_its_end_and_watchers_hear_it() -> None:
    session, heard = begin(games.Heap(4)), []
    stop = session.subscribe(heard.append)
    take(session, 3)
    assert session.waiting() == (1,)
    take(session, 1)
    assert session.outcome == Outcome((1,), Note("no-stones"))
    first, second = session.path[1:]
    assert heard == [Played(first), Played(second), Ended(session.outcome)]
    assert session.waiting() == ()
    assert session.legal() == ()
    with refused("game-over"):
        take(session, 1)
    stop()
    session.comment(first, "three at once")
    assert len(heard) == 3


def test_illegal_moves_are_refused_with_the_reason_the_rules_know() -> None:
    session = begin(games.Heap(2))
    for move, why in [
        (Move(0, (2,)), Note("too-few", (2,))),
        (Move(1, (0,)), Note("not-your-turn")),
        (Move(CHANCE, (0,)), Note("not-your-turn")),
        (Move(0, (99,)), Note("illegal")),
        (Move(7, (0,)), Note("not-your-turn")),
        (Move(0, (0,), "hop"), Note("illegal")),
    ]:
        with pytest.raises(Refused) as caught:
            session.play(move)
        assert caught.value.note == why, move
    assert session.tip is session.root
    assert not session.root.children


def test_watchers_that_play_are_heard_in_order_by_all() -> None:
    session, first, second = begin(), [], []

    def answer(change: object) -> None:
        first.append(change)
        if isinstance(change, Played) and change.node.ply == 1:
            take(session, 2)

    session.subscribe(answer)
    session.subscribe(second.append)
    take(session, 1)
    assert [change.node.ply for change in second] == [1, 2]
    assert first == second


def test_what_is_taken_back_stays_and_is_played_again() -> None:
    session, heard = begin(), []
    take(session, 1, 2, 3)
    third = session.tip
    session.subscribe(heard.append)
    session.take_back()
    session.take_back()
    assert session.tip.ply == 1
    assert heard[0] == Acted(acts.TakeBack(NOBODY, third.parent.id))
    assert heard[1] == TakenBack(third.parent)
    session.redo()
    session.redo()
    assert session.tip is third
    with refused("no-redo"):
        session.redo()
    assert third.acts == [acts.TakeBack(NOBODY, 2)]


def test_another_move_after_a_take_back_is_the_main_line_and_the_old_one_a_variation() -> None:
    session = begin()
    take(session, 1, 2)
    old = session.tip
    session.take_back()
    take(session, 3)
    assert session.root.children[0].children == [session.tip, old]
    session.take_back()
    session.play(old.move)
    assert session.tip is old
    assert session.root.children[0].children[0] is old
    assert [len(session.line), len(session.path)] == [3, 3]


def test_the_end_by_an_act_is_taken_back_before_the_move() -> None:
    session = begin()
    take(session, 1)
    session.resign(1)
    assert session.outcome == Outcome((0,), Note("resign", ("seat.black",)))
    with refused("game-over"):
        session.resign(0)
    session.take_back()
    assert session.outcome is None
    assert session.tip.ply == 1
    session.take_back()
    assert session.tip is session.root
    with refused("no-take-back"):
        session.take_back()


def test_the_end_by_the_rules_is_taken_back_with_its_move() -> None:
    session = begin(games.Heap(1))
    take(session, 1)
    assert session.outcome
    session.take_back()
    assert session.tip is session.root
    assert session.outcome is None
    session.redo()
    assert session.outcome == Outcome((0,), Note("no-stones"))


def test_reset_goes_to_the_start_and_keeps_the_game() -> None:
    time = Time()
    session = begin(control="1", time=time)
    time.now = 20
    take(session, 1, 1)
    session.reset()
    assert session.tip is session.root
    assert session.root.children[0].children
    assert [reading.main for reading in session.clock.readings(time())] == [60, 60]


def test_under_agreed_the_others_are_asked() -> None:
    session = begin(policy="agreed")
    take(session, 1, 2)
    session.take_back(0)
    assert session.asked is not None
    assert session.asked.node is session.root
    assert session.tip.ply == 2
    with refused("no-request"):
        session.answer_back(0, True)
    session.answer_back(1, False)
    assert session.asked is None
    assert session.tip.ply == 2
    session.take_back(1)
    session.answer_back(0, True)
    assert session.tip.ply == 1
    with refused("no-pause"):
        session.pause()
    session.take_back(0)
    take(session, 3)
    assert session.asked is None, "a move lets the request lapse"
    with refused("no-request"):
        session.answer_back(1, True)


def test_a_draw_needs_all_who_live() -> None:
    session = begin(games.Lively(), games.LIVELY)
    session.offer_draw(0)
    with refused("draw-offered"):
        session.offer_draw(0)
    with refused("no-offer"):
        session.answer_draw(0, True)
    session.answer_draw(1, True)
    assert session.outcome is None
    assert session.agreed == (1,)
    session.offer_draw(2)
    assert session.outcome == Outcome((), Note("agreed"))
    assert session.root.acts == [acts.OfferDraw(0), acts.AnswerDraw(1, True), acts.AnswerDraw(2, True)]


def test_an_offer_lapses_when_another_seat_moves_and_is_refused_by_a_no() -> None:
    session = begin()
    session.offer_draw(0)
    take(session, 1)
    assert session.offer == 0, "one's own move leaves the offer"
    take(session, 1)
    assert session.offer is None
    session.offer_draw(1)
    session.answer_draw(0, False)
    assert session.offer is None
    assert session.outcome is None


def test_the_rules_say_what_a_concession_does() -> None:
    session = begin(games.Lively(), games.LIVELY)
    with refused("king-stays"):
        session.resign(0)
    take(session, 1)
    session.resign(1)
    node = session.tip
    assert (node.why, node.move, node.parent.acts) == ("resign", Move(1, (), "resign"), [acts.Resign(1)])
    assert session.waiting() == (2,)
    assert session.outcome is None
    with refused("not-in-game"):
        session.resign(1)
    session.leave(2)
    assert session.outcome == Outcome((0,), Note("last"))
    session.take_back()
    assert session.tip is node
    assert session.outcome is None


def test_time_that_the_rules_forgive_is_not_asked_of_again() -> None:
    time = Time()
    session = begin(games.Lively(), games.LIVELY, control="1", time=time)
    time.now = 61
    assert session.tick() == 0
    assert session.outcome is None
    assert session.root.acts == [acts.Flag(0)]
    assert session.tick() is None
    take(session, 1)
    assert session.tip.ply == 1


def test_a_move_after_the_flag_fell_comes_too_late() -> None:
    time, heard = Time(), []
    session = begin(control="1", time=time)
    session.subscribe(heard.append)
    take(session, 1)
    time.now = 60
    with refused("game-over"):
        take(session, 1)
    assert session.outcome == Outcome((0,), Note("time", ("seat.black",)))
    assert heard[1:] == [Acted(acts.Flag(1)), Ended(session.outcome)]
    assert session.clock.readings(time())[1].main == 0
    session.take_back()
    assert session.outcome is None
    assert session.clock.readings(time())[1].main == 60


def test_clocks_go_back_in_free_play_alone() -> None:
    left = {}
    for policy in ("free", "agreed"):
        time = Time()
        session = begin(control="10+5", time=time, policy=policy)  # type: ignore[arg-type]
        for _ in range(3):
            time.now += 30
            take(session, 1)
        assert session.tip.spent == 30
        session.take_back(0)
        if policy == "agreed":
            session.answer_back(1, True)
        left[policy] = [reading.main for reading in session.clock.readings(time())]
    assert left == {"free": [575, 575], "agreed": [550, 575]}


def test_paused_games_wait() -> None:
    time = Time()
    session = begin(control="1", time=time)
    session.pause()
    time.now = 1000
    assert session.tick() is None
    with refused("paused"):
        take(session, 1)
    session.pause(False)
    time.now = 1010
    assert session.clock.remaining(0, time()).main == 50
    assert session.root.acts == [acts.Pause(NOBODY), acts.Resume(NOBODY)]


def test_the_judge_advises_offers_and_ends() -> None:
    session = begin(games.Judged())
    take(session, 1, 1)
    assert session.advice == Note("slow", (2,))
    assert session.claim is None
    with refused("no-claim"):
        session.claim_draw(0)
    take(session, 1, 1)
    assert session.claim == Claim(Outcome((), Note("repeats")), (0,))
    assert session.advice is None
    with refused("no-claim"):
        session.claim_draw(1)
    session.take_back()
    assert session.claim is None
    assert session.advice == Note("slow", (3,))
    session.redo()
    session.claim_draw(0)
    assert session.outcome == Outcome((), Note("repeats"))
    session.take_back()
    take(session, 1, 1)
    assert session.outcome == Outcome((), Note("long"))


def test_the_judge_is_asked_once_a_move_and_long_games_stay_fast() -> None:
    class Counting(games.Heap):
        asked = 0

        def adjudicate(self, line: object) -> None:
            self.asked += 1

    rules = Counting(5001)
    session = begin(rules)
    for number in range(5000):
        session.play(Move(number % 2, (0,)))
    assert rules.asked == 5001  # the start too
    assert len(session.line) == 5001
    assert session.line[-1].position is session.tip.position


def test_chance_draws_by_itself_and_a_take_back_does_not_cross_it() -> None:
    session, heard = begin(games.Dice(), games.DICE), []
    assert session.tip.ply == 1, "the first roll"
    assert session.tip.move.seat == CHANCE
    session.subscribe(heard.append)
    node = session.play(session.legal()[0])
    assert node.parent.ply == 1
    assert session.tip.parent is node
    assert heard == [Played(node), Played(session.tip)]
    with refused("take-back-final"):
        session.take_back()


def test_the_same_draw_comes_again_after_a_take_back() -> None:
    class Soft(games.Dice):
        def apply(self, position: Position, move: Move) -> object:  # type: ignore[override]
            return super().apply(position, move)._replace(final=False)

    session = begin(Soft(), games.DICE)
    node = session.play(session.legal()[0])
    drawn = session.tip
    session.take_back()
    assert session.tip is node.parent, "a take-back ends where a seat is to move"
    session.redo()
    assert session.tip is drawn
    session.reset()
    assert session.tip.ply == 1
    session.play(node.move)
    assert session.tip is drawn
    assert len(node.children) == 1


def test_draws_follow_the_odds() -> None:
    counts = [0, 0, 0]
    rng = Random(5)
    fence = begin(games.Dice(), games.DICE).fence
    for _ in range(3000):
        move = fence.draw(fence.rules.initial(rng), rng)
        counts[move.path[0]] += 1
    assert counts[0] < counts[1] < counts[2]
    assert abs(counts[2] - 1500) < 150


def test_secrets_stay_secret_and_each_step_is_seen_once() -> None:
    session = begin(games.Secret(), games.SECRET)
    take(session, 2)
    with refused("take-back-final"):
        session.take_back()
    with refused("no-variations"):
        session.add(session.root, Move(0, (0,)))
    mine, theirs = session.seen(0), session.seen(1)
    assert mine[1].move == Move(0, (1,))
    assert isinstance(mine[1].events[0], Revealed)
    assert theirs[1].move is None
    assert theirs[1].events == ()
    assert theirs[1].view.cells[1].kind == HIDDEN
    assert mine[1].view.cells[1].kind == "stone"
    assert session.events(session.tip, NOBODY) == ()
    take(session, 1)
    again = session.seen(0)
    assert again[1] is mine[1]
    assert len(again) == 3
    session.resign(0)
    assert session.add(session.root, Move(0, (0,))).played is False


def test_variations_comments_and_marks() -> None:
    session, heard = begin(), []
    take(session, 1, 1)
    session.subscribe(heard.append)
    two, three = session.add(session.root, Move(0, (1,))), session.add(session.root, Move(0, (2,)))
    assert session.add(session.root, Move(0, (1,))) is two
    with refused("not-your-turn"):
        session.add(two, Move(0, (0,)))
    assert [child.move.path for child in session.root.children] == [(0,), (1,), (2,)]
    session.promote(three)
    assert session.root.children[1:] == [three, two]
    with refused("played-line"):
        session.promote(three)
    with refused("played-line"):
        session.delete(session.path[1])
    session.delete(two)
    gone = Cursor(session, two)
    for edit in (
        lambda: gone.play(Move(1, (0,))), lambda: session.comment(two, "x"), lambda: session.mark(two, []),
        lambda: session.promote(two), lambda: session.delete(two),
    ):  # fmt: skip
        with refused("removed"):
            edit()
    assert session.root.children[1:] == [three]
    session.comment(three, "妙着")
    session.mark(three, [Mark((0, 2)), Mark((1,), "good")])
    assert (three.comment, three.marks) == ("妙着", (Mark((0, 2)), Mark((1,), "good")))
    assert heard[0] == Edited(session.root)
    assert heard[-1] == Edited(three)
    for text in ("x" * 20_001,):
        with refused("comment-too-long"):
            session.comment(three, text)


def test_a_tried_move_is_not_redone_but_can_be_played() -> None:
    session = begin()
    tried = session.add(session.tip, Move(0, (1,)))
    with refused("no-redo"):
        session.redo()
    session.play(Move(0, (1,)))
    assert session.tip is tried
    assert tried.played


def test_a_cursor_reads_tries_and_plays() -> None:
    session = begin()
    cursor = Cursor(session)
    cursor.play(Move(0, (0,)))
    cursor.play(Move(1, (0,)))
    assert cursor.at_tip
    assert session.tip.ply == 2
    cursor.first()
    tried = cursor.play(Move(0, (2,)))
    assert not tried.played
    assert session.tip.ply == 2
    assert cursor.node is tried
    cursor.back()
    assert cursor.forward() is tried, "forward retraces the way one came"
    cursor.back()
    assert cursor.go(session.root) is session.root
    assert cursor.forward() is session.path[1], "else it follows the game"
    assert cursor.end() is session.tip
    assert cursor.forward() is session.tip
    session.resign(0)
    variation = cursor.play(Move(0, (1,)))
    assert session.tip.ply == 2
    assert variation.parent is session.tip
    assert cursor.last() is session.tip


@pytest.mark.parametrize(
    ("method", "answer"),
    [
        ("refusal", RuntimeError), ("apply", KeyError), ("outcome", ZeroDivisionError), ("adjudicate", MemoryError),
        ("waiting", SystemExit), ("apply", None), ("apply", "a step"), ("refusal", "no"), ("outcome", "red won"),
        ("waiting", (9,)), ("waiting", [0]), ("adjudicate", 3), ("apply", games.Step(Position(()))),
        ("apply", games.Step(Position((None,) * 3, 77))), ("apply", games.Step(Position(("stone",) * 3))),
        ("apply", games.Step(Position((Piece("dragon", 0), None, None)))),
        ("apply", games.Step(Position((Piece("stone", 7), None, None)))),
        ("apply", games.Step(Position((None,) * 3), (Moved(0, 99),))),
        ("apply", games.Step(Position((None,) * 3), (Removed(-4),))),
        ("apply", games.Step(Position((None,) * 3), ("red moved",))),
    ],
)  # fmt: skip
def test_broken_rules_leave_the_game_as_it_was(method: str, answer: object) -> None:
    rules = games.Broken(method, answer)
    session, heard = begin(rules), []
    take(session, 1)
    tip, clocks = session.tip, session.clock.running
    session.subscribe(heard.append)
    rules.armed = True
    with pytest.raises(PluginFault) as caught:
        session.play(Move(1, (0,)))
    assert caught.value.method == method
    assert caught.value.game == "heap"
    assert method in str(caught.value)
    rules.armed = False
    assert session.tip is tip
    assert tip.children == []
    assert heard == []
    assert session.clock.running == clocks
    assert len(session.line) == len(session.path) == 2
    take(session, 1)
    assert session.tip.ply == 2


@pytest.mark.parametrize("method", ["legal_moves", "view", "concede", "living"])
def test_broken_questions_are_fenced_too(method: str) -> None:
    rules = games.Broken(method, OSError)
    session = begin(rules)
    rules.armed = True
    asks = {
        "legal_moves": session.legal, "view": lambda: session.view(session.root, 0),
        "concede": lambda: session.resign(0), "living": lambda: session.offer_draw(0),
    }  # fmt: skip
    with pytest.raises(PluginFault, match="planted") as caught:
        asks[method]()
    assert "OSError" in caught.value.traceback
    assert session.outcome is None
    assert session.root.acts == []


@pytest.mark.parametrize("answer", [(1,), (Note("check", (), (99,)),), ("check",)])
def test_notes_that_no_board_can_show_are_the_rules_fault(answer: object) -> None:
    rules = games.Broken("notes", answer)
    session = begin(rules)
    rules.armed = True
    with pytest.raises(PluginFault, match="notes answered"):
        session.fence.notes(session.root.position, 0)


def test_rules_that_never_stop_are_stopped() -> None:
    session = begin(games.Deep())
    with pytest.raises(PluginFault, match="RecursionError"):
        take(session, 1)

    class Endless(games.Dice):
        def apply(self, position: Position, move: Move) -> games.Step:
            return games.Step(position)

    with pytest.raises(PluginFault, match="in a row"):
        begin(Endless(), games.DICE)


def test_every_word_the_platform_says_has_its_sentence() -> None:
    words = Words.load(PACKAGE / "words.toml")
    said: set[str] = {"resign", "time", "away", "plugin-fault"}
    for name in ("session", "standing", "fence", "replay", "rules"):
        said |= set(re.findall(r'Note\("([a-z-]+)"', (PACKAGE / f"{name}.py").read_text(encoding="utf-8")))
    assert len(said) > 20
    assert words.missing(said) == []
    notes = {key for key in words.table if "." not in key}  # the others are other modules' own
    assert notes == said, "a sentence that nothing says"
    for key, sentences in words.table.items():
        places = [set(re.findall(r"\{\d\}", sentences[language])) for language in LANGUAGES]
        assert places[0] == places[1], key


@pytest.mark.parametrize("junk", [[], {}, "stone", 0, ("stone", 0, None, 1), Piece("pebble", 0), Piece("stone", 9)])
def test_a_cell_that_is_no_piece_of_the_game_is_no_position(junk: object) -> None:
    rules = Crossing()
    start = rules.initial(Random(1))
    fence = Fence("crossing", rules)
    assert fence.is_position(start)
    assert not fence.is_position(start._replace(cells=(*start.cells[:4], junk, *start.cells[5:])))  # type: ignore[arg-type]
