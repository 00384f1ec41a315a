import random
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, ClassVar, NamedTuple
from unittest import mock

import pytest
from tinkerformer.board.structure import OTHER_CELL
from tinkerformer.model.inference import cost
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.structure import is_same_cell, structure_digest
from tinkerformer.session.undo import Step
from tinkerformer.transport.port import inbox, wire
from tinkerformer.transport.port.inbox import APART, GONE, OTHER, TOO_MANY
from tinkerformer.transport.runtime import concurrency

from tests.app.whole_app.browser import Browser

W_Q, W_K, ROW = ("encoder.0.self_attn.head.0.W_q", "encoder.0.self_attn.head.0.W_k", "source.W_e")
OUT = "encoder.0.self_attn.out"
WORDS = ("the", "black", "white", "cat", "dog", "sat", "sleeps")
SEEDS = range(12)
LENGTH = 14


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Run background work in the event loop, without threads."""
    with mock.patch.object(concurrency, "IN_BROWSER", True):
        yield
    while Person.opened:
        Person.opened.pop().close()


class Done(NamedTuple):
    """An action of a user.

    Attributes:
        pause: ms since the last action.
        to: the class of the component.
        content: the message.
        field: a field that identifies the component if its class has several.
    """

    pause: float
    to: str
    content: dict[str, Any]
    field: str = ""


def cell(kind: str, path: str, i: int, j: int, press: int, **more: object) -> Done:
    content = {"type": kind, "path": path, "i": i, "j": j, "press": press, **more}
    return Done(5, "BoardComponent", content)


def change(name: str, value: object, to: str = "SettingsForm") -> Done:
    return Done(5, to, {"type": "change", "name": name, "value": value}, name)


UNDO, REDO = (Done(5, "BoardComponent", {"type": kind}) for kind in ("undo", "redo"))


def choose(name: str) -> Done:
    return Done(5, "Models", {"type": "choose", "id": 1, "name": name})


def tokens(*words: str) -> Done:
    return Done(5, "Tokens", {"type": "tokens", "name": "source", "tokens": list(words)})


def script(chance: random.Random) -> list[Done]:
    """Draw the actions of a user, some in quick succession."""
    found: list[Done] = []
    for press in range(1, LENGTH):
        path, i, j = chance.choice((W_Q, W_K, ROW, OUT)), chance.randrange(3), chance.randrange(3)
        kind = chance.choice(("set", "set", "set", "restore", "silence", *OTHERS))
        if kind == "set":
            moves = chance.randint(1, 3)
            found += [cell("set", path, i, j, press, value=press + k / 10) for k in range(moves)]
        elif kind == "restore":
            found.append(cell("restore", path, i, j, press))
        elif kind == "silence":
            to = chance.choice(("zero", None))
            said = {"type": "silence", "path": OUT, "row": None, "column": j, "to": to}
            found.append(Done(5, "BoardComponent", said))
        else:
            found.append(OTHERS[kind](chance))
        found[-1] = found[-1]._replace(pause=chance.choice((5.0, 5.0, 600.0, 2500.0)))
    return found


OTHERS = {
    "undo": lambda _: UNDO,
    "again": lambda _: UNDO,
    "redo": lambda _: REDO,
    "tokens": lambda chance: tokens(*chance.choices(WORDS, k=chance.randint(1, 5))),
    "norm": lambda chance: change("norm", chance.choice(("pre", "post"))),
    "heads": lambda chance: change("heads", chance.choice(("1", "2", "4"))),
    "dropout": lambda chance: change("training", chance.random() < 0.5, "Form"),
    "model": lambda chance: choose(chance.choice(("phrases", "sandbox"))),
}


class Person:
    """A user who acts on a page without waiting for its answers."""

    opened: ClassVar[list[Browser]] = []

    def __init__(self, model: str = "sandbox") -> None:
        self.browser = Browser()
        self.opened.append(self.browser)
        self.do(choose(model))
        self.browser.page.state.history.past.clear()  # so that undo does not reach another model

    def _thing(self, done: Done) -> Any:
        things = [each for each in self.browser.things.values() if each.name == done.to]
        if not done.field:
            return things[0]
        with_field = [t for t in things if any(f["name"] == done.field for f in t["fields"])]
        return with_field[0]

    def written(self, done: Done) -> tuple[str, Any]:
        self.browser.time += done.pause - 1000.0  # the page adds a second itself
        return self.browser.written("message", self._thing(done), done.content)

    def do(self, done: Done) -> str:
        """Do an action, wait for its consequences, and return why it was refused."""
        text, buffers = self.written(done)

        async def turn() -> None:
            self.browser.port.receive(text, buffers)
            await self.browser._rest()

        self.browser.loop.run_until_complete(turn())
        return self.browser.answers[self.browser.number]

    def hurry(self, all_done: list[Done], chance: random.Random | None = None) -> list[str]:
        """Do actions without waiting, several or all at once; return why each was refused."""
        numbers = []

        async def turn(some: list[tuple[str, Any]]) -> None:
            for text, buffers in some:
                self.browser.port.receive(text, buffers)

        async def rest() -> None:
            await self.browser._rest()

        left = list(all_done)
        while left:
            count = chance.randint(1, 5) if chance else len(left)
            some, left = left[:count], left[count:]
            written = []
            for done in some:
                written.append(self.written(done))
                numbers.append(self.browser.number)
            self.browser.loop.run_until_complete(turn(written))
            if chance and chance.random() < 0.5:
                self.browser.loop.run_until_complete(rest())
        self.browser.loop.run_until_complete(rest())
        return [self.browser.answers[number] for number in numbers]

    def outcome(self) -> tuple[Scenario, list[Scenario], list[Scenario]]:
        """Return the state of the page, and the states that undo and redo reach."""
        state = self.browser.page.state
        assert all(isinstance(step, Step) for step in state.history.past)
        past, future = (
            [step.scenario for step in side] for side in (state.history.past, state.history.future)
        )
        return state.scenario, past, future


@pytest.fixture(params=["at once", "beside the page"])
def where(request: pytest.FixtureRequest) -> Iterator[str]:
    """Compute passes at once, or all of them as for a large model."""
    with ExitStack() as patched:
        if request.param != "at once":
            patched.enter_context(mock.patch.object(cost, "INLINE", 0))
        yield request.param


@pytest.mark.parametrize("seed", SEEDS)
def test_actions_in_a_hurry_have_the_result_of_actions_with_waiting(seed: int, where: str) -> None:
    """The patient user omits the actions that were refused because their cell was removed."""
    hurried, patient = Person(), Person()
    all_done = script(random.Random(seed))
    refused = hurried.hurry(all_done, random.Random(-seed))
    carried_out = [
        done for done, why in zip(all_done, refused, strict=True) if why not in (OTHER, OTHER_CELL)
    ]
    pause = 0.0
    for done, why in zip(all_done, refused, strict=True):
        if why in (OTHER, OTHER_CELL):
            pause += done.pause
        else:
            assert patient.do(done._replace(pause=done.pause + pause)) == why
            pause = 0.0
    assert carried_out, where
    assert hurried.outcome() == patient.outcome()


@pytest.mark.parametrize("seed", SEEDS)
def test_actions_are_never_refused_if_the_cells_remain(seed: int, where: str) -> None:
    chance = random.Random(seed)
    all_done = [
        done
        for done in script(chance)
        if done.to in ("BoardComponent", "Form") or done.field == "norm"
    ]
    hurried, patient = Person(), Person()
    refused = hurried.hurry(all_done, random.Random(-seed))
    assert set(refused) <= {""}, where
    assert [patient.do(done) for done in all_done] == refused
    assert hurried.outcome() == patient.outcome()


def test_an_edit_that_arrives_after_the_choice_of_another_model_is_refused(where: str) -> None:
    person = Person("phrases")
    before = person.browser.page.state.scenario
    edits = [cell("set", W_Q, 0, 1, 1, value=2.5), cell("set", W_Q, 0, 2, 2, value=3.5)]
    late = cell("set", W_Q, 0, 0, 3, value=4.5)
    assert person.hurry([*edits, choose("dates"), late]) == ["", "", "", OTHER_CELL]
    state = person.browser.page.state
    assert (state.scenario.model, dict(state.scenario.edits)) == ("dates", {})
    assert person.browser.notices[-1] == OTHER_CELL, where
    assert person.do(UNDO) == ""
    values = {edit.place[1:]: x for edit, x in state.scenario.edits.items()}
    assert values == {(0, 1): 2.5, (0, 2): 3.5}
    assert [person.do(UNDO), person.do(UNDO)] == ["", ""]
    assert state.scenario.edits == before.edits


def test_steps_of_undo_depend_on_the_time_of_actions_and_not_on_their_arrival() -> None:
    """Changes of one list in quick succession are one step of undo."""
    for pause, steps in ((300.0, 1), (2500.0, 2)):
        person = Person()
        start = len(person.browser.page.state.history.past)
        done = [tokens("the", "cat")._replace(pause=5000.0), tokens("the", "dog")]
        done[1] = done[1]._replace(pause=pause)
        person.hurry(done)
        assert len(person.browser.page.state.history.past) - start == steps


def test_a_message_that_arrives_three_times_is_carried_out_once() -> None:
    person = Person()
    person.do(cell("set", W_Q, 0, 0, 1, value=1.0))
    person.do(cell("set", W_K, 0, 0, 2, value=2.0))
    text, buffers = person.written(UNDO)
    for _ in range(3):
        person.browser.port.receive(text, buffers)
    assert len(person.browser.page.state.scenario.edits) == 1


def test_actions_on_removed_rows_are_refused() -> None:
    """A position is chosen by its index, and then the text changes."""
    person = Person()
    target = {"type": "tokens", "name": "target", "tokens": ["<sos>", "est", "assis"]}
    pull = Done(5, "Prediction", {"type": "pull", "row": 1, "word": "chat", "value": 0.5})
    assert person.hurry([Done(5, "Tokens", target), pull]) == ["", OTHER]
    assert person.browser.page.state.before_experiment is None
    assert person.do(pull) == ""
    assert person.browser.page.state.before_experiment is not None


def test_the_browser_restores_a_property_that_was_refused() -> None:
    """A browser takes back values that it has already set."""
    person = Person()
    pull = person.browser.thing("Pull")
    person.browser.model = "another"
    person.browser.set(pull, count="three")
    assert person.browser.answers[person.browser.number] == OTHER
    assert pull["count"] == "any"


def test_every_message_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person()
    page = person.browser
    gone = [9999, {"type": "undo"}, GONE]
    board, chips = (page.thing(name).number for name in ("BoardComponent", "Tokens"))
    long = {"type": "tokens", "name": "source", "tokens": ["x" * 1001]}
    cases = [
        gone,
        [board, {"type": "no such"}, "This was not accepted"],
        [board, {"type": "set", "path": "no.such", "i": 0, "j": 0, "value": 1.0}, "no.such"],
        [board, {"type": "set", "path": W_Q, "i": 0, "j": 0, "value": 1e9}, "Type a number from"],
        [chips, long, "This was not accepted"],
        [chips, {**long, "tokens": ["a"]}, ""],
    ]
    for to, content, sentence in cases:
        page.number += 1
        page.port.receive(*wire.write(["message", to, content, {"n": page.number}]))
        answer = page.answers[page.number]
        assert answer == "" if not sentence else sentence in answer
        if sentence:
            assert page.notices[-1] == answer
    monkeypatch.setattr(inbox, "MOST_WAITING", 3)
    monkeypatch.setattr(cost, "INLINE", 0)
    assert person.hurry([tokens("c"), *[tokens("b")] * 5]) == ["", "", "", *[TOO_MANY] * 3]


def test_a_failed_action_is_answered_and_the_page_continues(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    person = Person()

    def fail(*_: object) -> None:
        raise TypeError("planted")

    with monkeypatch.context() as patched:
        patched.setattr(type(person.browser.page.state), "undo", fail)
        assert person.do(UNDO) == inbox.FAILED
    assert "planted" in caplog.text
    assert person.browser.notices[-1] == inbox.FAILED
    assert person.do(cell("set", W_Q, 0, 0, 1, value=1.0)) == ""


def test_a_page_that_differs_from_the_program_is_updated() -> None:
    person = Person()
    page = person.browser
    board = page.board

    def compare(posts: int) -> str:
        page.number += 1
        content = {"posts": posts, "version": board.holds}
        page.port.receive(*wire.write(["compare", 0, content, {"n": page.number}]))
        return page.answers[page.number]

    assert board.holds == page.page.state.version
    assert compare(page.posts) == ""
    # A frame is lost, and so is a new value of a list.
    heard = page.port._post
    page.port._post = lambda text, buffers: None  # type: ignore[method-assign]
    with page.port.turn():
        page.page.state.change(page.page.state.scenario.with_value(W_Q, (0, 0), 7.0))
        page.page.state.change(page.page.state.scenario.with_tokens("source", ["a", "b"]))
    page.port._post = heard  # type: ignore[method-assign]
    assert compare(page.posts) == ""  # a frame may still be under way
    assert page.thing("Tokens")["lists"][0]["tokens"] != ["a", "b"]
    assert compare(page.port._posts) == APART
    assert page.notices[-1] == APART
    assert page.thing("Tokens")["lists"][0]["tokens"] == ["a", "b"]
    page.loop.run_until_complete(page._rest())
    assert board.holds == page.page.state.version
    index = next(k for k, m in enumerate(board.manifest["matrices"]) if m["path"] == W_Q)
    assert board.matrices[index].values[0, 0, 0] == 7.0
    page.posts = page.port._posts
    assert compare(page.posts) == ""


# -- cells that an address means -------------------------------------------------------------------

SANDBOX = Scenario()


@pytest.mark.parametrize(
    ("after", "path", "row", "column", "is_same"),
    [
        (SANDBOX, W_Q, 0, 0, True),
        (SANDBOX.with_value(W_Q, (0, 0), 3.0), W_Q, 0, 0, True),
        (SANDBOX.with_setting("d_model", 16), W_Q, 0, 0, False),
        (SANDBOX.with_setting("norm", "pre"), W_Q, 0, 0, True),
        (SANDBOX.with_tokens("source", ["a", "cat"]), W_Q, 0, 0, True),
        # The second word is "cat" in both texts, but the first word differs.
        (SANDBOX.with_tokens("source", ["a", "cat"]), OUT, 1, 0, True),
        (SANDBOX.with_tokens("source", ["a", "cat"]), OUT, 0, 0, False),
        (SANDBOX.with_tokens("source", ["a", "cat"]), OUT, 4, 0, False),
        (SANDBOX.with_tokens("source", ["a", "cat"]), OUT, None, 2, True),
        (SANDBOX.with_tokens("source", ["cat", "the"]), ROW, 0, 1, False),
        (SANDBOX.with_tokens("source", ["the", "dog"]), ROW, 0, 1, True),
        (SANDBOX.with_tokens("source", ["cat", "the"]), "encoder.0.self_attn.head.1.weights", 0, 0,
         False),
        (SANDBOX.with_tokens("source", ["cat", "the"]), "encoder.0.self_attn.gamma", 0, 3, True),
        (SANDBOX.with_tokens("target", ["<sos>", "la"]), "decoder.0.self_attn.out", 0, 0, True),
        (SANDBOX.with_tokens("target", ["<sos>", "la"]), "decoder.0.self_attn.out", 1, 0, False),
        (SANDBOX.with_tokens("target", ["<sos>", "la"]), "no.such", 0, 0, False),
    ],
)  # fmt: skip
def test_an_address_means_the_same_cell_or_another_one_after_a_change(
    after: Scenario, path: str, row: int | None, column: int, is_same: bool
) -> None:
    assert is_same_cell(SANDBOX, after, path, row, column) is is_same
    if not is_same and path != "no.such":
        assert structure_digest(SANDBOX) != structure_digest(after)


def test_a_word_that_the_model_rewrites_remains_the_same_cell() -> None:
    before = SANDBOX.with_writing(True).with_written(("<sos>", "le", "chat"))
    after = before.with_written(("<sos>", "sur", "chat", "est"))
    assert is_same_cell(before, after, "decoder.0.self_attn.out", 1, 0)
    assert structure_digest(before) == structure_digest(before.with_value(W_Q, (0, 0), 2.0))


def test_a_pull_is_refused_only_if_its_own_row_has_changed(where: str) -> None:
    """The pull itself often changes the words after it."""
    person = Person("phrases")
    (bars,) = (each for each in person.browser.things.values() if each.name == "Prediction")

    def pull(row: int) -> Done:
        return Done(5, "Prediction", {"type": "pull", "row": row, "word": "noir", "value": 0.5})

    words = {"type": "tokens", "name": "target", "tokens": ["<sos>", "le", "chat"]}
    shorter, last = Done(5, "Tokens", words), len(bars["rows"]) - 1
    assert person.hurry([shorter, pull(2), pull(last)]) == ["", "", OTHER]
