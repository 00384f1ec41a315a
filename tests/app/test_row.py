"""The rules of the shown row, after any events, without a browser."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.files import catalog
from tinkerformer.model.matrices.address import PROBABILITIES, CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState
from tinkerformer.view_model.bars import words_before
from tinkerformer.view_model.focus import Focus, Follow, Followed, held_at
from tinkerformer.view_model.row import Row, Sight, row_after, shown_row

FIRST = catalog.first("phrases")
START, *WORDS = FIRST.target
OTHER_SOURCE = ("a", "small", "dog", "sleeps", "under", "my", "bed")
POSITIONS = st.integers(0, len(WORDS))
NUMBERS = [
    CellAddress(PROBABILITIES, 3, 0),
    CellAddress("target.embedding", 1, 0),
    CellAddress("target.W_e", 2, 0),
]
FOCI = [
    Focus(),
    *(Focus(number=number) for number in NUMBERS),
    *(Focus(Followed(stack, k)) for stack in ("encoder", "decoder") for k in (0, 2, 5)),
]
# Some of the written words, in order.
TARGETS = st.sets(st.sampled_from(WORDS)).map(lambda kept: [w for w in WORDS if w in kept])


def writes(words, number: float) -> Scenario:
    """Return the first scenario with one other number and other written words."""
    return FIRST.with_value("source.W_e", (0, 0), number).with_written((START, *words))


SCENARIOS = st.one_of(
    st.builds(writes, TARGETS, st.floats(-1, 1)),
    st.builds(lambda words: FIRST.trained(FIRST.weights, 7).with_written((START, *words)), TARGETS),
    st.sampled_from([Scenario(), FIRST.with_tokens("source", OTHER_SOURCE)]),
    st.just(Scenario().with_setting("decoder_layers", 0)),
    st.just(FIRST.with_writing(False)),
)


def sight_of(scenario: Scenario, focus: Focus, asked: int | None, learning: bool) -> Sight:
    """Return a sight whose followed word is in the text, as the state guarantees."""
    return Sight(scenario, focus._replace(word=held_at(focus.word, scenario)), asked, learning)


SIGHTS = st.tuples(
    SCENARIOS,
    st.sampled_from(FOCI),
    st.none() | POSITIONS,
    st.booleans(),
).map(lambda values: sight_of(*values))


def seen(*sights: Sight) -> Row:
    """Return the shown row after these events; the location keeps the last requested row."""
    row = Row()
    for sight in sights:
        row = row_after(row, sight)
    return row


def after(row: Row, scenario: Scenario, focus: Focus | None = None, **changes) -> Row:
    """Return the shown row after another scenario or focus."""
    focus = row.seen.focus if focus is None else focus
    return row_after(row, Sight(scenario, focus, row.asked, **changes))


@settings(max_examples=300, deadline=None)
@given(st.lists(SIGHTS, min_size=1, max_size=8), st.none() | POSITIONS, st.none() | POSITIONS)
def test_the_shown_row_is_a_position_of_the_text(sights, swings, turns):
    scenario = sights[-1].scenario
    at = shown_row(seen(*sights), scenario, swings, turns)
    assert 0 <= at < len(scenario.output_tokens)


@settings(max_examples=200, deadline=None)
@given(st.lists(SIGHTS, min_size=1, max_size=8))
def test_showing_the_same_row_again_changes_nothing(sights):
    row = seen(*sights)
    once = row.seen._replace(asked=row.asked)
    assert row_after(row, once) == row._replace(seen=once)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(WORDS), st.lists(TARGETS, max_size=6))
def test_a_requested_row_is_shown_while_the_text_has_its_word(word, targets):
    row = seen(Sight(FIRST, Focus(), FIRST.target.index(word)))
    for number, words in enumerate(targets):
        kept = [each for each in WORDS if each in {word, *words}]
        now = writes(kept, number)
        row = after(row, now)
        assert now.target[shown_row(row, now)] == word
    assert shown_row(after(row, FIRST), FIRST) == FIRST.target.index(word)  # as by undo


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(TARGETS, st.booleans()), max_size=6), st.none() | POSITIONS)
def test_the_steps_of_a_training_keep_the_row(moments, asked):
    row = first = seen(Sight(FIRST, Focus(), asked))
    for k, (words, learning) in enumerate(moments):
        moment = FIRST.trained(FIRST.weights, k + 1).with_written((START, *words))
        row = after(row, moment, learning=learning)
        assert shown_row(row, moment) <= shown_row(first, FIRST)
    assert shown_row(after(row, FIRST), FIRST) == shown_row(first, FIRST)


@given(st.sampled_from([FIRST.with_tokens("source", OTHER_SOURCE), Scenario()]), POSITIONS)
def test_another_text_or_model_ends_a_request_for_a_row(other, asked):
    row = after(seen(Sight(FIRST, Focus(), asked)), other)
    assert row.asked is None
    assert shown_row(row, other) == shown_row(seen(Sight(other, Focus())), other)
    followed = after(seen(Sight(FIRST, Focus(), asked)), other, Focus(Followed("decoder", 2)))
    assert followed.asked == 2


@pytest.mark.parametrize(
    ("focus", "at"), [(Focus(number=NUMBERS[0]), 3), (Focus(Followed("decoder", 2)), 2)]
)
def test_a_new_focus_shows_its_row_and_releasing_it_keeps_the_row(focus, at):
    row = after(seen(Sight(FIRST, Focus(), 5)), FIRST, focus)
    assert shown_row(row, FIRST) == at
    assert shown_row(after(row, FIRST, Focus()), FIRST) == at
    asked = row_after(row, Sight(FIRST, focus, 4))  # the reader chooses another position
    assert shown_row(after(asked, writes(WORDS, 1), focus), FIRST) == 4


@pytest.mark.parametrize("focus", [Focus(number=NUMBERS[2]), Focus(Followed("encoder", 2))])
def test_a_focus_without_a_row_keeps_the_shown_row(focus):
    assert shown_row(after(seen(Sight(FIRST, Focus(), 5)), FIRST, focus), FIRST) == 5


@pytest.mark.parametrize("followed", [["encoder", 6], ["decoder", 2]])
def test_the_row_stays_while_a_number_is_held_and_becomes_the_changed_word_on_release(followed):
    state = AppState(FIRST)
    state.go("asked", 2)
    state.go("followed", followed)
    first = state.position
    for value in (-1.5, -3.5):
        number = state.scenario.with_value("encoder.0.self_attn.norm", (6, 2), value)
        state.change(number, "number", press=1, held=True)
        assert state.position == first
    state.release()
    assert FIRST.target[:8] != state.scenario.target[:8], "the word of the seventh row is another"
    assert state.position == 6
    if followed == ["decoder", 2]:
        assert state.location.followed == Followed("decoder", 6)


def test_the_row_of_a_typed_text_also_stays_while_a_number_is_held():
    state = AppState(FIRST.with_writing(False))
    state.go("asked", 2)
    number = state.scenario.with_value("encoder.0.self_attn.norm", (6, 2), -3.5)
    state.change(number, "number", press=1, held=True)
    assert state.position == 2
    state.release()
    assert state.position == 6


def test_a_change_of_the_drawing_keeps_the_row_chosen_after_an_edit():
    state = AppState(FIRST)
    state.change(state.scenario.with_value("encoder.0.self_attn.norm", (6, 2), -3.5))
    assert state.position == 6
    state.follow(["decoder", 2])
    for name, value in (("palette", "safe"), ("plane", "change"), ("plane", "value")):
        state.change(state.scenario.with_view(name, value))
        assert (state.position, state.location.followed) == (2, Followed("decoder", 2))


def test_another_pace_during_a_training_run_keeps_the_followed_word_although_it_rewrites_the_text():
    state = AppState(FIRST)
    state.follow(["decoder", 2])
    state.learning = True
    state.replace_weights(None, 1)
    state.replace_weights(FIRST.weights, 2)  # too soon to write another text
    target = state.scenario.target
    state.change(state.scenario.with_view("pace", "full"))
    assert state.scenario.target != target
    assert state.location.followed == ("decoder", 2)


def test_after_another_text_the_row_is_that_of_the_followed_word_even_beside_a_number():
    state = AppState(catalog.first("blanks"))
    state.select(CellAddress(PROBABILITIES, 0, 1))
    state.update(Follow(Followed("encoder", 1), is_beside=True))
    state.change(state.scenario.with_tokens("source", state.scenario.source[::-1]))
    assert state.position == state.location.followed.position


@settings(max_examples=20, deadline=None)
@given(POSITIONS, st.none() | POSITIONS)
def test_an_oscillation_shows_the_row_of_its_word_and_then_the_earlier_row(answer, asked):
    state = AppState()
    state.go("asked", asked)
    before = state.position
    swing = state.oscillation._replace(on=True)
    state.update(answer=(answer, 0), oscillation=swing)
    assert state.position == answer
    state.oscillation = swing._replace(on=False)
    assert (state.position, state.location.asked) == (before, asked)


def test_only_the_likeliest_words_of_a_large_vocabulary_are_compared(monkeypatch):
    monkeypatch.setattr("tinkerformer.view_model.bars.MOST_WORDS", 3)
    numbers = np.random.default_rng(0).random((len(FIRST.target), len(FIRST.output_vocabulary)))
    found = words_before(FIRST, "after “le chat”", None, numbers)
    assert sorted(found.values()) == pytest.approx(sorted(numbers[2])[-3:], rel=1e-5)
    assert {FIRST.output_vocabulary.index(word) for word in found} == {*numbers[2].argsort()[-3:]}


@pytest.mark.parametrize(
    ("followed", "shown"), [(None, 5), (["encoder", 1], 5), (["decoder", 2], 2)]
)
def test_during_an_oscillation_the_followed_row_or_the_most_affected_row_is_shown(followed, shown):
    state = AppState(FIRST)
    state.go("followed", followed)
    swings = state.oscillation._replace(on=True)
    assert state.current._replace(oscillation=swings, answer=(5, 0)).position == shown
