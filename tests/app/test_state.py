from dataclasses import replace

import hypothesis.strategies as st
from hypothesis import given, settings
from tinkerformer.model.inference.followed_lane import place_in
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.oscillation import Oscillation
from tinkerformer.model.scenario.longest_texts import MOST_KEPT, LongestTexts
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.view_model.focus import Follow, Followed, LeftFocus, Select
from tinkerformer.view_model.last_edit import Changed, LetGo, Rested
from tinkerformer.view_model.page_location import PageLocation
from tinkerformer.view_model.state import Set, State

PLAIN = Scenario()
TEXTS = [PLAIN, *(replace(PLAIN, source=PLAIN.source[:n]) for n in (1, 2, 4))]
TEXTS += [text.with_written(("<sos>", "a", "b")[:n]) for text in TEXTS[:2] for n in (1, 2, 3)]
WORDS = [Followed(stack, at) for stack in ("encoder", "decoder") for at in (0, 1, 4, 60)]
NUMBERS = [CellAddress("source.sum", 1, 0), CellAddress("output.logits", 2, 1)]
VALUES = st.fixed_dictionaries(
    {},
    optional={
        "scenario": st.sampled_from(TEXTS),
        "selection": st.none() | st.sampled_from(NUMBERS),
        "location": st.builds(
            PageLocation,
            form=st.sampled_from(["picture", "idea:words"]),
            followed=st.none() | st.sampled_from(WORDS),
            asked=st.none() | st.integers(0, 9),
        ),
        "oscillation": st.builds(Oscillation, on=st.booleans()),
        "answer": st.none() | st.tuples(st.integers(0, 9), st.integers(0, 5)),
        "held": st.booleans(),
        "dragging": st.booleans(),
        "learning": st.booleans(),
    },
)
LEFT = st.builds(LeftFocus, st.none() | st.sampled_from(WORDS), st.booleans())
TURNS = st.none() | st.integers(0, 5)
EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), VALUES, TURNS, st.none() | LEFT, st.booleans()),
        st.tuples(st.just("focus"), st.builds(Follow, st.none() | st.sampled_from(WORDS[:3]))),
        st.tuples(st.just("focus"), st.builds(Select, st.none() | st.sampled_from(NUMBERS))),
        st.tuples(st.just("edit"), st.sampled_from(TEXTS), st.integers(0, 3)),
        st.tuples(st.sampled_from(["let go", "rested"])),
    ),
    max_size=12,
)


def first() -> State:
    return State.first(PLAIN, PageLocation(), Oscillation())


def happened(state: State, deed: tuple, at: float) -> State:
    match deed:
        case ("set", values, turns, left, restored):
            left = left if "scenario" in values else None
            return state.after(
                Set(values, at, turns=turns, left=left, is_restored=restored and left is None)
            )
        case ("focus", event):
            return state.after(event)
        case ("edit", scenario, press):
            noted = state.after(Changed(state.scenario, scenario, at, "cell", press))
            return noted.after(Set({"scenario": scenario}, at))
        case ("let go",):
            return state.after(LetGo(at))
    return state.after(Rested(at))


@settings(max_examples=2_000, deadline=None)
@given(EVENTS)
def test_every_part_of_a_state_belongs_to_the_same_moment(deeds):
    state = first()
    for at, deed in enumerate(deeds):
        before, state = state, happened(state, deed, float(at))
        location, focus, edit = state.location, state.focus, state.last_edit
        assert state.selection == focus.number
        assert location.followed == focus.word
        assert location.asked == state.row.asked
        assert 0 <= state.position < len(state.scenario.output_tokens)
        assert edit is None or edit.after == state.scenario
        assert (edit is None) <= (state.scenario is before.scenario)
        assert (state.editing > 0) == (edit is not None and edit.ended is None)
        assert focus.word is None or place_in(*focus.word, state.scenario) == focus.word.position


def test_a_shorter_text_keeps_the_space_of_the_longest_text_so_far():
    def read(state: State, count: int, **other) -> State:
        now = replace(PLAIN, source=("the",) * count, **other)
        return state.after(Set({"scenario": now}, 0))

    state = read(read(read(first(), 9), 2), 4)
    assert state.longest_texts == LongestTexts(9, len(PLAIN.target))
    # Very long texts have space only while they are shown.
    assert read(state, MOST_KEPT + 1).longest_texts == state.longest_texts
    # Another model has its own texts, and a model in training writes long texts at first.
    assert read(state, 3, model="other").longest_texts.source == 3
    learns = state.after(Set({"learning": True}, 0))
    assert learns.longest_texts.source == 4
    assert read(read(learns, MOST_KEPT + 1), 2).longest_texts.source == MOST_KEPT + 1


def test_an_oscillation_ends_when_its_number_is_released():
    state = first().after(Select(NUMBERS[0])).after(Set({"oscillation": Oscillation(on=True)}, 0))
    assert state.oscillation.on
    assert not state.after(Select(NUMBERS[1])).oscillation.on
    assert not state.after(Follow(WORDS[0])).oscillation.on


def test_a_changed_scenario_is_a_step_of_undo_only_if_the_event_says_so():
    other = PLAIN.with_value("source.W_e", (0, 0), 2)
    edit = first().after(Set({"scenario": other}, 1.0)).last_edit
    assert (edit.before, edit.after, edit.is_step) == (PLAIN, other, False)
    noted = first().after(Changed(PLAIN, other, 1.0, "cell"))
    assert noted.after(Set({"scenario": other}, 1.0)).last_edit.is_step


def test_a_scenario_that_is_set_with_a_location_has_its_focus():
    location = PageLocation(followed=Followed("encoder", 1))
    state = first().after(Select(NUMBERS[0]))
    both = state.after(Set({"scenario": TEXTS[3], "location": location}, 0.0))
    assert (both.focus.word, both.location.followed) == (Followed("encoder", 1),) * 2


def test_a_restored_session_has_no_requested_row():
    asked = first().after(Set({"location": PageLocation(asked=2)}, 0.0))
    assert asked.position == 2
    restored = Set({"scenario": TEXTS[1], "location": PageLocation()}, 1.0, is_restored=True)
    assert asked.after(restored).row.asked is None
