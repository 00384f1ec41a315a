import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.board.edit_end import EditEnd
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.change import Change
from tinkerformer.session.pending_changes import Arrived
from tinkerformer.session.state import AppState
from tinkerformer.session.undo import Step, UndoHistory
from tinkerformer.transport.runtime.page_session import PageSession
from tinkerformer.view_model import last_edit
from tinkerformer.view_model.last_edit import (
    EDIT_SECONDS,
    HELD,
    TRAINING,
    Changed,
    LetGo,
    Rested,
    edit_after,
)

PLAIN = Scenario()


def edited(value, column=0):
    return PLAIN.with_value("source.W_e", (0, column), value) if value else PLAIN


SCENARIOS = [edited(value) for value in range(4)]
MOMENT = "moment"  # a step of a run that is shown without training
SEEN_AS = ["cell", "other", TRAINING, MOMENT, None]
EVENTS = st.lists(
    st.one_of(
        st.tuples(
            st.just("change"),
            st.sampled_from(SCENARIOS),
            st.sampled_from(SEEN_AS),
            st.sampled_from([0, 1, 2]),
        ),
        st.tuples(st.just("colors")),
        st.tuples(st.just("let go")),
        st.tuples(st.just("rest")),
        st.tuples(st.just("undo")),
        st.tuples(st.just("redo")),
        st.tuples(st.just("wait"), st.sampled_from([0.1, EDIT_SECONDS, 5.0])),
    ),
    max_size=25,
)


def event_of(name, rest, shown, now):
    """Return an event, and the scenario that is shown after it."""
    if name == "change":
        after, of, press = rest
        if of in (TRAINING, MOMENT):
            return Changed(shown, after, now, TRAINING, HELD if of == TRAINING else 0, False), after
        return Changed(shown, after, now, of, press), after
    if name == "colors":
        after = shown.with_view("palette", "safe" if shown.view.palette != "safe" else "blue-red")
        return Changed(shown, after, now), after
    return (LetGo(now) if name == "let go" else Rested(now)), shown


@settings(max_examples=300, deadline=None)
@given(EVENTS)
def test_after_any_events_an_edit_is_well_formed(events):
    edit, shown, now = None, PLAIN, 0.0
    for name, *rest in events:
        if name in ("undo", "redo"):
            continue
        if name == "wait":
            now += rest[0]
            continue
        event, shown = event_of(name, rest, shown, now)
        last, edit = edit, edit_after(edit, event)
        if edit is None:
            continue
        assert edit.after is shown
        assert edit.began <= edit.moved <= now
        assert edit.ended is None or edit.moved <= edit.ended <= now
        if last is not None and edit.number == last.number:
            assert (edit.before, edit.began, edit.of) == (last.before, last.began, last.of)
            # An edit that has ended remains so, unless another step of a training run is shown.
            assert edit.of == TRAINING or last.ended is None or edit.ended == last.ended
        elif last is not None:
            assert edit.before is last.after
            assert (edit.number, edit.began) == (last.number + 1, now)
        if name == "let go":
            assert edit.ended is not None
        if name == "rest" and not edit.press:
            assert (edit.ended is not None) == (now >= edit.rests_at or last.ended is not None)


@settings(max_examples=300, deadline=None)
@given(EVENTS)
def test_undo_restores_the_scenario_with_which_the_page_compares(events):
    history, edit, shown, now = UndoHistory(), None, PLAIN, 0.0
    for name, *rest in events:
        if name == "wait":
            now += rest[0]
            continue
        if name in ("undo", "redo"):
            found = getattr(history, name)(Step(shown))
            if found is None:
                continue
            event, shown = Changed(shown, found.scenario, now, is_step=False), found.scenario
        else:
            event, shown = event_of(name, rest, shown, now)
        edit = edit_after(edit, event)
        if not isinstance(event, Changed) or event.before.has_numbers_of(event.after):
            continue
        if event.is_step:
            history.record(edit)
        is_change = not edit.before.has_numbers_of(edit.after)
        if (event.is_step or name == "redo") and is_change:
            assert history.takes_back(edit)
            back = history.copy().undo(Step(shown))
            assert back is not None
            assert back.scenario.has_numbers_of(edit.before)


def test_moves_of_one_press_are_one_edit_until_its_release():
    edit = edit_after(None, Changed(edited(0), edited(1), 0.0, "cell", 3))
    edit = edit_after(edit, Changed(edited(1), edited(2), 60.0, "cell", 3))
    assert (edit.before, edit.after, edit.number, edit.ended) == (edited(0), edited(2), 1, None)
    edit = edit_after(edit, Rested(120.0))
    assert edit.ended is None
    edit = edit_after(edit, LetGo(121.0))
    assert edit.ended == 121.0
    later = edit_after(edit, Changed(edited(2), edited(3), 122.0, "cell", 3))
    assert (later.before, later.number) == (edited(2), 2)


def test_all_steps_of_a_training_run_are_one_edit_at_any_pace():
    edit = edit_after(None, Changed(edited(0), edited(1), 0.0, TRAINING, HELD, False))
    edit = edit_after(edit, LetGo(5.0))
    last = Changed(edited(1), edited(2), 5.1, TRAINING, 0, False)  # the last step of the run
    edit = edit_after(edit_after(edit, last), Rested(6.0))
    assert (edit.before, edit.number, edit.ended) == (edited(0), 1, 6.0)
    for at, value in ((60.0, 3), (120.0, 1), (180.0, 2)):
        gone = Changed(edit.after, edited(value), at, TRAINING, 0, False)
        edit = edit_after(edit_after(edit, gone), Rested(at + EDIT_SECONDS))
        assert (edit.before, edit.after, edit.number) == (edited(0), edited(value), 1)
        assert edit.ended == at + EDIT_SECONDS
    next_edit = edit_after(edit, Changed(edited(2), edited(3), 200.0, TRAINING, HELD, False))
    assert (next_edit.before, next_edit.number) == (edited(2), 2)


def test_a_change_that_was_requested_before_the_release_belongs_to_the_edit():
    """In a large model, numbers arrive after the pointer is released."""
    edit = edit_after(None, Changed(edited(0), edited(1), 0.0, "cell", 3))
    edit = edit_after(edit, LetGo(2.0))
    edit = edit_after(edit, Changed(edited(1), edited(2), 1.9, "cell", 3))
    assert (edit.before, edit.after, edit.number, edit.ended) == (edited(0), edited(2), 1, 2.0)


def test_a_run_that_trains_during_a_drag_belongs_to_the_drag():
    drag = Changed(edited(0), edited(1), 0.0, "cell", 3)
    step = Changed(edited(1), edited(2), 0.1, TRAINING, HELD, is_step=False)
    edit = edit_after(edit_after(None, drag), step)
    edit = edit_after(edit, Changed(edited(2), edited(3), 0.2, "cell", 3))
    assert (edit.before, edit.after, edit.number, edit.of) == (edited(0), edited(3), 1, "cell")


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


DEEDS = st.lists(
    st.sampled_from(["drag", "key", "once", "release", "undo", "redo", "train", "rest", "wait"]),
    max_size=14,
)


@settings(max_examples=80, deadline=None)
@given(DEEDS)
def test_the_last_edit_of_the_state_leads_to_the_shown_scenario(deeds):
    """After any events, the last edit leads to the shown scenario, and ends by one rule."""
    state = AppState(PLAIN, clock=Clock())
    for k, deed in enumerate(deeds):
        if deed in ("drag", "key", "once"):
            press, of = int(deed == "drag"), None if deed == "once" else "cell"
            changed = state.scenario.with_value("source.W_e", (0, 0), k + 1.0)
            state.change(changed, of, press, held=deed == "drag")
        elif deed == "train":
            state.replace_weights(None, k)
        elif deed == "rest":
            state.update(Rested(state.clock()))
        elif deed == "wait":
            state.clock.now += EDIT_SECONDS
        else:
            getattr(state, deed)()
        edit = state.current.last_edit
        assert edit is None or edit.after is state.scenario
        is_open = edit is not None and edit.ended is None
        assert state.editing == (edit.number if is_open else 0)
    state.release()
    state.clock.now += EDIT_SECONDS
    state.update(Rested(state.clock()))
    assert not state.editing


def test_an_edit_ends_with_the_last_move_of_its_press():
    """The picture sends the last move of a drag without `held`."""
    state = AppState(PLAIN)
    state.change(edited(1), "cell", 1, held=True)
    assert state.editing
    state.change(edited(2), "cell", 1, held=False)
    assert not state.editing
    assert len(state.history.past) == 1


@pytest.mark.parametrize("is_late", [True, False])
def test_an_edit_that_is_computed_in_a_thread_ends_after_its_pointer_is_released(is_late):
    state = AppState(PLAIN, clock=Clock())
    change = Change(edited(1), "cell", 1, at=1.0)
    if is_late:
        state.clock.now = 2.0
        state.release()
    state._arrive(Arrived([change], edited(1), state.runner))
    assert bool(state.editing) != is_late
    state.release()
    assert not state.editing
    assert state.history.takes_back(state.current.last_edit)


def test_a_kept_experiment_is_one_edit_that_undo_takes_back():
    state = AppState(PLAIN)
    for value in (1, 2):
        state.experiment.show(edited(value), PLAIN)
    assert (state.current.last_edit.before, state.current.last_edit.number, state.editing) == (
        PLAIN,
        1,
        1,
    )
    state.experiment.keep()
    assert (state.current.last_edit.before, state.current.last_edit.after) == (PLAIN, edited(2))
    assert state.history.takes_back(state.current.last_edit)
    assert not state.editing


@pytest.mark.parametrize("held", [False, True])
def test_an_edit_ends_after_a_time_unless_a_pointer_holds_it(monkeypatch, held):
    monkeypatch.setattr(last_edit, "EDIT_SECONDS", 0.0)
    state = AppState(PLAIN)

    async def edit():
        EditEnd(state, PageSession())
        state.change(edited(1), "cell", press=int(held), held=held)
        assert state.editing
        if held:
            await asyncio.sleep(0.01)
            assert state.editing
            state.release()
        while state.editing:
            await asyncio.sleep(0)

    asyncio.run(edit())
    assert state.current.last_edit.ended is not None


class Closing(PageSession):
    """A session that can be closed."""

    def __init__(self):
        self.closing = []

    def on_close(self, function):
        self.closing.append(function)


def test_an_edit_does_not_end_on_a_closed_page(monkeypatch):
    monkeypatch.setattr(last_edit, "EDIT_SECONDS", 0.0)
    state, page = AppState(PLAIN), Closing()

    async def edit():
        EditEnd(state, page)
        state.change(edited(1), "cell")
        for close in page.closing:
            close()
        await asyncio.sleep(0.01)

    asyncio.run(edit())
    assert state.editing


@pytest.mark.parametrize("is_page", [True, False])
def test_without_an_event_loop_an_edit_on_a_page_ends_at_once(is_page):
    state = AppState(PLAIN)
    if is_page:
        EditEnd(state, PageSession())
    state.change(edited(1), "cell")
    assert bool(state.editing) != is_page
