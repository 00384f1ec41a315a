"""The rules of the focus, for any events, without a browser."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.model.inference.followed_lane import place_in
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState
from tinkerformer.view_model.focus import (
    Focus,
    Follow,
    Followed,
    LeftFocus,
    Mark,
    Replaced,
    Return,
    Select,
    focus_after,
    moved,
)
from tinkerformer.view_model.last_edit import LetGo

from transformer_math.data.tokenizer import SOS

CHAT, NOIR = Followed("decoder", 1), Followed("decoder", 2)
CELL, OTHER = CellAddress("source.embedding", 1, 2), CellAddress("source.embedding", 0, 0)
TEXTS = [
    Scenario().with_tokens("source", ["a", *more]).with_tokens("target", [SOS, *more])
    for more in ([], ["cat"], ["cat", "sat"], ["dog", "cat", "sat"])
]
WORDS = [Followed(stack, k) for stack in ("encoder", "decoder") for k in range(4)]


def there(word, scenario):
    """Return the word if the text has it, because the page offers only such words."""
    return moved(word, scenario, scenario)


EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("follow"), st.none() | st.sampled_from(WORDS), st.booleans()),
        st.tuples(st.just("select"), st.sampled_from([None, CELL, OTHER]), st.integers(0, 2)),
        st.tuples(st.just("mark"), st.sampled_from([None, CELL, OTHER])),
        st.tuples(st.just("escape")),
        st.tuples(st.just("text"), st.sampled_from(TEXTS)),
        st.tuples(st.just("model"), st.sampled_from(TEXTS), st.none() | st.sampled_from(WORDS)),
        st.tuples(st.just("undo")),
    ),
    max_size=25,
)


def event_of(name, rest, focus, scenario, left):
    """Return an event, and the scenario that is shown after it."""
    if name == "follow":
        return Follow(there(rest[0], scenario), rest[1]), scenario
    if name == "select":
        return Select(*rest), scenario
    if name == "mark":
        return Mark(*rest), scenario
    if name == "escape":
        return (Follow(None) if focus.word else Select()), scenario
    if name == "text":
        return Replaced(scenario, rest[0]), rest[0]
    if name == "model":
        return Replaced(scenario, rest[0], there(rest[1], rest[0])), rest[0]
    before, kept = left.pop() if left else (scenario, LeftFocus())
    return Return(before, kept), before


@settings(max_examples=500, deadline=None)
@given(EVENTS)
def test_everything_in_focus_exists(events):
    focus, scenario = Focus(), TEXTS[0]
    left = []
    for name, *rest in events:
        before = scenario
        event, scenario = event_of(name, rest, focus, scenario, left)
        if scenario is not before and name != "undo":
            left.append((before, focus.left()))
        focus = focus_after(focus, event)
        for word in (focus.word, focus.back):
            assert word is None or place_in(*word, scenario) == word.position
        assert focus.back is None or (focus.number is not None and focus.word is None)
        assert focus.place is None or focus.number is not None or focus.word == focus.place
        if name == "select" and rest[0] is not None:
            assert (focus.word, focus.number) == (None, rest[0])


@settings(max_examples=200, deadline=None)
@given(EVENTS)
def test_a_few_presses_of_escape_remove_all_focus(events):
    focus, scenario, left = Focus(), TEXTS[0], []
    for name, *rest in events:
        event, scenario = event_of(name, rest, focus, scenario, left)
        focus = focus_after(focus, event)
    for _ in range(3):
        focus = focus_after(focus, event_of("escape", (), focus, scenario, left)[0])
    assert (focus.word, focus.number, focus.back) == (None, None, None)


def test_releasing_a_number_puts_the_word_before_it_back_in_focus():
    focus = focus_after(Focus(NOIR, place=NOIR), Select(CELL))
    focus = focus_after(focus, Select(OTHER))
    assert focus == Focus(number=OTHER, back=NOIR)
    assert focus_after(focus, Select()) == Focus(NOIR, place=NOIR)
    assert focus_after(focus, Follow(None)) == focus


def test_following_a_word_beside_an_oscillating_number_keeps_the_number_in_focus():
    focus = focus_after(Focus(number=CELL), Follow(CHAT, is_beside=True))
    assert (focus.word, focus.number) == (CHAT, CELL)
    assert focus_after(focus, Follow(NOIR)).number is None


def test_the_word_behind_a_number_moves_with_its_text_and_is_removed_with_it():
    short, long = TEXTS[2], TEXTS[3]  # after the start token: "cat sat" and "dog cat sat"
    focus = Focus(number=CELL, back=Followed("decoder", 1))
    focus = focus_after(focus, Replaced(short, long))
    assert focus.back == Followed("decoder", 2)
    assert focus_after(focus, Replaced(long, TEXTS[0])).back is None


DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("follow"), st.none() | st.sampled_from(WORDS)),
        st.tuples(st.just("select"), st.sampled_from([None, CELL, OTHER])),
        st.tuples(st.just("go"), st.none() | st.sampled_from(WORDS[:2])),
        st.tuples(st.just("show"), st.sampled_from(TEXTS)),
        st.tuples(st.just("edit"), st.integers(1, 9)),
        st.tuples(st.sampled_from(["escape", "undo", "redo", "swing"])),
    ),
    max_size=14,
)


@settings(max_examples=100, deadline=None)
@given(DEEDS)
def test_the_state_shows_the_focus(deeds):
    """After any changes in any order, location and selection agree with the focus."""
    state = AppState(TEXTS[2])
    for k, (name, *rest) in enumerate(deeds):
        if name == "follow":
            state.follow(rest[0] and list(rest[0]))
        elif name == "go":
            state.go("followed", rest[0] and list(rest[0]))
        elif name == "select":
            state.select(rest[0])
        elif name == "show":
            state.change(rest[0])
        elif name == "edit":
            state.change(state.scenario.with_value("source.W_e", (0, 0), rest[0]), of=k)
        elif name == "swing":
            state.oscillation = state.oscillation._replace(on=state.selection is not None)
        else:
            getattr(state, name)()
        assert (state.location.followed, state.selection) == (
            state.current.focus.word,
            state.current.focus.number,
        )
        word = state.current.focus.word
        assert word is None or place_in(*word, state.scenario) == word.position
        assert state.selection is not None or not state.oscillation.on
        assert 0 <= state.position < len(state.scenario.output_tokens)
        assert state.current.row.asked == state.location.asked


def test_an_edit_moves_the_focus_to_the_written_word_that_it_changed():
    state = AppState()
    state.follow(["decoder", 2])
    words = state.scenario.source
    hen = ["hen" if word == "cat" else word for word in words]
    state.change(state.scenario.with_tokens("source", hen))
    state.update(LetGo(state.now()))
    told = state.view_model.change
    assert told.is_traced
    assert state.current.focus.word == Followed("decoder", 0)  # "le" becomes "la"
    state.undo()
    assert state.current.focus.word == Followed("decoder", 2)
    state.follow(None)
    state.change(state.scenario.with_tokens("source", hen))
    assert state.current.focus.word is None


def test_the_word_that_a_model_opens_with_replaces_the_selected_number():
    focus = Focus(number=CELL, back=NOIR)
    opened = focus_after(focus, Replaced(TEXTS[0], TEXTS[1], there(CHAT, TEXTS[1])))
    assert opened == Focus(there(CHAT, TEXTS[1]), place=there(CHAT, TEXTS[1]))
