"""Random use of a whole page, by rules; the invariants must hold after each rule."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from unittest import mock

from hypothesis import currently_in_test_context, note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tinkerformer.board import structure, tab_session
from tinkerformer.features.learn import tab
from tinkerformer.files import catalog
from tinkerformer.learning import controller, pace
from tinkerformer.model.inference.followed_lane import place_in
from tinkerformer.session import calm, state
from tinkerformer.transport.runtime import concurrency, derived
from tinkerformer.view_model import last_edit
from tinkerformer.view_model.focus import Followed

from tests.app.whole_app import gestures, invariants
from tests.app.whole_app.browser import Browser, Thing

# The models that are so small that a training step takes almost no time.
MODELS = ("phrases", "sandbox", "document-table", "document-positions", "own-pairs")
# The intervals of each module that limit how often something is done.
CLOCKS: dict[ModuleType, tuple[str, ...]] = {
    controller: ("SLICE_SECONDS", "QUEUE_POLL_SECONDS", "FRAME_SECONDS"),
    pace: ("LONGEST",),
    tab_session: ("KEEP_SECONDS",),
    derived: ("REFRESH_SECONDS",),
    calm: ("CALM_SECONDS",),
    state: ("WRITTEN_SECONDS",),
    tab: ("UPDATE_SECONDS",),
    last_edit: ("EDIT_SECONDS",),
}
MOST_PULLED = 3_000  # the largest model in which words are pulled: each number becomes an edit
PAIRS = "".join(f"{a}{b},{b}{a}\n" for a in "abcd" for b in "abcd")


class Log(logging.Handler):
    """Records logged warnings and errors, which normal use of the page must not cause."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(logging.Formatter().format(record))


def steady() -> ExitStack:
    """Make the page repeatable: without threads, as in a browser, and without time limits."""
    patched = ExitStack()
    patched.enter_context(mock.patch.object(concurrency, "IN_BROWSER", True))
    for module, names in CLOCKS.items():
        for name in names:
            patched.enter_context(mock.patch.object(module, name, 0.0))
    return patched


class WholeApp(RuleBasedStateMachine):
    """A page, its browser, and a user who can do anything that the page allows."""

    def __init__(self) -> None:
        super().__init__()
        self.steady = steady()
        self.log = Log()
        logging.getLogger().addHandler(self.log)
        self.browser = Browser(note=_note)
        self.presses = 0
        self.opened = ""  # the session that the page was opened with

    def teardown(self) -> None:
        self.steady.close()
        logging.getLogger().removeHandler(self.log)
        self.browser.close()

    @initialize(name=st.sampled_from(MODELS))
    def open_a_model(self, name: str) -> None:
        self.choose(name)

    def choose(self, name: str) -> None:
        if name == "own-pairs":
            self.browser.set(self.browser.thing("Tabs", label="Rooms"), value="train")
            for message in (
                {"type": "part", "name": "own.csv", "bytes": PAIRS.encode(), "first": True},
                {"type": "open", "row": None},
                {"type": "choose", "name": "unit", "value": "character"},
                {"type": "train"},
            ):
                self.browser.say("TrainOn", {"id": 0, **message})
            self.browser.say("TrainingBar", {"type": "press", "name": "pause"})
            assert self.browser.page.state.scenario.model == name
        else:
            self.browser.say("Models", {"type": "choose", "id": 0, "name": name})

    # -- invariants --------------------------------------------------------------------------------

    @invariant()
    def nothing_is_logged(self) -> None:
        assert not self.log.said, "\n".join(self.log.said)

    @invariant()
    def all_is_as_it_must_be(self) -> None:
        if self.browser.works:
            invariants.no_fault_is_said(self.browser)
        else:
            invariants.check(self.browser)

    @contextmanager
    def step(self) -> Iterator[None]:
        """Check that the action in the context, if it is a step, can be undone and redone."""
        page = self.browser.page.state
        before, steps = page.scenario, page.steps
        word = _word_in_focus(page)
        moved = self.browser.works or page.before_experiment  # another process changes it
        yield
        after = page.scenario
        word_after = _word_in_focus(page)
        rests = not (page.oscillation.on or moved or page.before_experiment or self.browser.works)
        if page.steps != steps + 1 or not rests:
            return
        self._press("undo")
        assert page.scenario == before.with_view_settings(page.scenario.view), "undo ≠ identity"
        assert _is_same_focus(word, _word_in_focus(page)), "undo leads to another word"
        self.all_is_as_it_must_be()
        self._press("redo")
        assert page.scenario == after.with_view_settings(page.scenario.view), "redo ≠ identity"
        assert _is_same_focus(word_after, _word_in_focus(page)), "redo leads to another word"

    def _press(self, name: str) -> None:
        """Press a button of the header."""
        for form in self.browser.named("Form"):
            for field in form["fields"]:
                if field["name"] == name and not field.get("disabled"):
                    self.browser.say(form, {"type": "change", "name": name, "value": True})
                    return

    def pick(self, data: st.DataObject, *names: str) -> Thing | None:
        """Draw one of the enabled components of these classes, or None."""
        found = [each for each in self.browser.named(*names) if not each["disabled"]]
        return gestures.one(data.draw, found) if found else None

    # -- numbers -----------------------------------------------------------------------------------

    @rule(data=st.data(), value=gestures.NUMBERS)
    def set_a_number(self, data: st.DataObject, value: float) -> None:
        entry, path, i, j = gestures.cell(data.draw, self.browser)
        if entry.get("fixed") or entry.get("products"):
            return
        self.presses += 1
        with self.step():
            self.browser.set_cell(path, i, j, value, self.presses)
            if data.draw(st.booleans()):
                self.browser.set_cell(path, i, j, value / 2, self.presses)

    @rule(data=st.data())
    def select_a_number(self, data: st.DataObject) -> None:
        _, path, i, j = gestures.cell(data.draw, self.browser)
        self.browser.say("BoardComponent", {"type": "select", "path": path, "i": i, "j": j})

    @rule(data=st.data())
    def restore_a_number(self, data: st.DataObject) -> None:
        edits = sorted(self.browser.page.state.scenario.edits, key=repr)
        _, path, i, j = gestures.cell(data.draw, self.browser)
        if edits and data.draw(st.booleans()):
            edit = gestures.one(data.draw, edits)
            place = [at for at in edit.place if isinstance(at, int)]
            if len(place) == 2 == len(edit.place):
                path, (i, j) = edit.path, place
        with self.step():
            self.browser.say("BoardComponent", {"type": "restore", "path": path, "i": i, "j": j})

    @rule(data=st.data(), to=st.sampled_from(["zero", "mean", None]))
    def silence_a_part(self, data: st.DataObject, to: str | None) -> None:
        _, path, i, j = gestures.cell(data.draw, self.browser)
        row, column = (data.draw(st.sampled_from([None, at])) for at in (i, j))
        message = {"type": "silence", "path": path, "row": row, "column": column, "to": to}
        with self.step():
            self.browser.say("BoardComponent", message)

    @rule(on=st.booleans(), amplitude=st.floats(0.1, 5))
    def let_it_swing(self, on: bool, amplitude: float) -> None:
        message = {"type": "oscillate", "on": on, "amplitude": amplitude, "period": 2.0}
        self.browser.say("BoardComponent", message)
        invariants.the_swing_is_the_mathematics(self.browser)

    @rule(data=st.data())
    def look_around(self, data: st.DataObject) -> None:
        gestures.on_board(data.draw, self.browser)

    # -- controls ----------------------------------------------------------------------------------

    @rule(data=st.data())
    def edit_tokens(self, data: st.DataObject) -> None:
        tokens = self.pick(data, "Tokens")
        if tokens is not None:
            with self.step():
                gestures.on_tokens(data.draw, self.browser, tokens)

    @rule(data=st.data())
    def fill_in_a_form(self, data: st.DataObject) -> None:
        form = self.pick(data, *gestures.FORMS)
        names = {"undo", "redo"}
        if form is not None and not names & {field["name"] for field in form["fields"]}:
            with self.step():
                gestures.on_form(data.draw, self.browser, form)
        elif form is not None:
            gestures.on_form(data.draw, self.browser, form)

    @rule(data=st.data())
    def use_the_inspector(self, data: st.DataObject) -> None:
        inspector = self.pick(data, "Inspector")
        if inspector is not None and inspector["details"]:
            with self.step():
                gestures.on_inspector(data.draw, self.browser, inspector)

    @rule(data=st.data())
    def use_another_control(self, data: st.DataObject) -> None:
        thing = self.pick(data, *gestures.OTHERS)
        if thing is not None and not (thing.name == "Notice" and not thing["said"].get("button")):
            gestures.on_other(data.draw, self.browser, thing)

    @rule(data=st.data(), value=st.sampled_from([0.0, 0.3, 0.9]))
    def pull_a_word(self, data: st.DataObject, value: float) -> None:
        prediction = self.pick(data, "Prediction")
        is_small = self.browser.page.state.scenario.config.parameter_count() < MOST_PULLED
        if prediction is None or not prediction["rows"] or not is_small:
            return
        row = data.draw(st.integers(0, len(prediction["rows"]) - 1))
        word = gestures.one(data.draw, self.browser.page.state.scenario.output_vocabulary)
        message = {"type": "pull", "row": row, "word": word, "value": value}
        self.browser.say(prediction, message)

    @precondition(lambda self: self.browser.pulls)
    @rule(data=st.data())
    def end_the_pull(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(self.browser.thing("Pull")["shown"]["presses"]))
        self.browser.say("Pull", {"type": "press", "name": name})
        assert not self.browser.pulls

    @rule(data=st.data())
    def open_a_view(self, data: st.DataObject) -> None:
        kinds = [("Rooms", "tabs"), ("Forms of the model", "tabs"), ("Drawer", "drawers")]
        label, choices = data.draw(st.sampled_from(kinds))
        control = self.browser.thing("Drawer" if label == "Drawer" else "Tabs", label=label)
        names = [name for name, _ in control[choices]]
        self.browser.set(control, value=data.draw(st.sampled_from(names)))

    @rule(name=st.sampled_from(["undo", "redo"]))
    def go_back_and_forth(self, name: str) -> None:
        self._press(name)

    @rule(name=st.sampled_from(MODELS))
    def open_another_model(self, name: str) -> None:
        with self.step():
            self.choose(name)

    @rule(data=st.data())
    def use_the_open_lesson(self, data: st.DataObject) -> None:
        panel = self.browser.thing("LessonPanel")
        if panel["value"]:
            gestures.on_lesson(data.draw, self.browser, panel)

    @rule(data=st.data())
    def make_files(self, data: st.DataObject) -> None:
        gestures.on_exports(data.draw, self.browser, self.browser.thing("Exports"))

    # -- training ----------------------------------------------------------------------------------

    @rule(name=st.sampled_from(["play", "pause", "step", "step", "reset"]))
    def train(self, name: str) -> None:
        self.browser.say("TrainingBar", {"type": "press", "name": name})

    @precondition(lambda self: self.browser.trains)
    @rule()
    def hold_the_training(self) -> None:
        self.browser.say("TrainingBar", {"type": "press", "name": "pause"})
        self.browser.until(lambda: not self.browser.trains)

    # -- sessions ----------------------------------------------------------------------------------

    @precondition(lambda self: self._is_kept)
    @rule()
    def reload(self) -> None:
        """Reopen the page with the session that its tab stores, and continue there."""
        self._go_on_as(Browser(saved=self.browser.board.session, note=_note))

    @precondition(lambda self: self._is_kept)
    @rule()
    def share(self) -> None:
        """Open the link or the file that the page shares, as another user would."""
        self.browser.say("Share", {"type": "ask", "stage": ""})
        said = self.browser.thing("Share").said.pop()
        if self._is_first_of_its_kind:
            kept = {"link": said["code"]} if said["code"] else {"saved": said["text"]}
            self._go_on_as(Browser(**kept, note=_note))

    @property
    def _is_kept(self) -> bool:
        """Return whether the tab stores the whole session, and the page was not opened with it."""
        page = self.browser.page.state
        if self.opened == self.browser.board.session:
            return False
        is_tried = page.before_experiment is not None
        return not (self.browser.works or is_tried or page.scenario.model == "file")

    @property
    def _is_first_of_its_kind(self) -> bool:
        """Return whether the model has its first weights, because a link contains no others."""
        scenario = self.browser.page.state.scenario
        if scenario.model == "own-pairs":
            return scenario.weights is None
        return scenario.weights == catalog.first(scenario.model).weights

    def _go_on_as(self, other: Browser) -> None:
        now, its = self.browser.page.state, other.page.state
        try:
            assert not any("could not" in said for said in other.notices), other.notices
            assert its.scenario.target == now.scenario.target
            assert invariants.numbers_set(its.scenario) == invariants.numbers_set(now.scenario)
            invariants.check(other)
            if now.location.view in structure.ON_BOARD and not now.oscillation.on:
                invariants.the_same_is_shown(self.browser, other)
        finally:
            old, self.browser = self.browser, other
            self.opened = other.board.session
            old.close()


NUMBER = "number"  # a selected number is in focus, and no word


def _word_in_focus(page: state.AppState) -> Followed | str | None:
    """Return the followed word if the sentence has it, or ``NUMBER`` for a selected number."""
    word = page.location.followed
    if word is None:
        return None if page.selection is None else NUMBER
    return word if place_in(*word, page.scenario) == word.position else None


def _is_same_focus(before: Followed | str | None, now: Followed | str | None) -> bool:
    """Return whether both are the same word; a number counts as the same as anything."""
    return before == now or NUMBER in (before, now)


def _note(said: str) -> None:
    """Add a line to the report of a failing example."""
    if currently_in_test_context():
        note(said)
