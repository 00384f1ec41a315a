"""The page's statements at a moment are true of the numbers of that moment, after any events.

Every claim of the view model is computed here again, from the logits and attention weights of the
pass and the probabilities set by hand. ``TINKERFORMER_TRUTH_CASES`` sets the number of cases.
"""

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinkerformer.explain.row_names import row_names
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.right_text import known_right_text
from tinkerformer.model.inference.text import joined_text
from tinkerformer.model.inference.writing import looks_ahead
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.silences import Silence
from tinkerformer.model.scenario.task_words import moment_words, task_words
from tinkerformer.session.state import AppState
from tinkerformer.view_model.last_edit import Rested
from tinkerformer.view_model.marks import target_row
from tinkerformer.view_model.view_model import ViewModel

CASES = int(os.environ.get("TINKERFORMER_TRUTH_CASES", "300"))
MODELS = [catalog.first(name) for name in ("phrases", "next-word", "blanks")]
MODELS += [Scenario(), Scenario().with_setting("decoder_layers", 0)]
NUMBERS = [
    CellAddress("encoder.0.feed_forward.W_1", 1, 2),
    CellAddress("decoder.0.feed_forward.b_2", 0, 1),
    CellAddress("output.W_out", 2, 1),
    CellAddress("output.probabilities", 1, 3),
]
SILENCES = [
    Silence("encoder.0.self_attn.head.0.context"),
    Silence("decoder.0.cross_attn.head.1.context", row=1),
    Silence("decoder.0.feed_forward.out", to="mean"),
    Silence("decoder.0.cross_attn.head.0.context", to="mean"),
    Silence("decoder.0.cross_attn.out", row=2),
]
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.sampled_from(NUMBERS), st.floats(-8, 8), st.booleans()),
        st.tuples(st.just("text"), st.integers(0, 20), st.integers(0, 20)),
        st.tuples(st.just("follow"), st.sampled_from(["encoder", "decoder"]), st.integers(0, 6)),
        st.tuples(st.just("row"), st.integers(0, 9)),
        st.tuples(st.just("heat"), st.sampled_from(["0", "0.3", "1", "2"])),
        st.tuples(st.just("train"), st.booleans()),
        st.tuples(st.just("model"), st.integers(0, 4)),
        st.tuples(st.just("silence"), st.sampled_from(SILENCES)),
        st.tuples(st.just("writes"), st.booleans()),
        st.tuples(st.just("size"), st.sampled_from([8, 12])),
        st.tuples(st.sampled_from(["release", "undo", "redo", "select", "swing", "dropout"])),
    ),
    min_size=1,
    max_size=8,
)


def do(state: AppState, deed: tuple) -> None:
    scenario = state.scenario
    match deed:
        case ("set", (path, row, column), value, held):
            shape = scenario.shape(path)
            if shape is not None:
                new = scenario.with_value(path, (row, column)[-len(shape) :], value)
                state.change(new, of=path, press=1 if held else 0, held=held)
        case ("text", at, word):
            words = [w for w in scenario.source_vocabulary if w and w[0] != "<"]
            source = list(scenario.source)
            if source and words:
                source[at % len(source)] = words[word % len(words)]
                state.change(scenario.with_tokens("source", source))
        case ("follow", stack, at):
            state.follow([stack, at])
        case ("row", at):
            state.go("asked", at)
        case ("heat", heat):
            state.decode = state.decode.changed("temperature", heat)
        case ("train", is_on):
            state.learning = is_on
        case ("model", model):
            state.change(MODELS[model])
        case ("silence", silence):
            if scenario.has_part(silence):
                state.change(scenario.with_silence(silence))
        case ("writes", on):
            if scenario.can_write:
                state.change(scenario.with_writing(on))
        case ("size", size):
            if not scenario.locked.why:
                state.change(scenario.with_setting("d_model", size))
        case ("select",):
            state.select(next((n for n in NUMBERS if scenario.shape(n.path)), None))
        case ("swing",):
            on = not state.oscillation.on and state.selection is not None
            state.oscillation = state.oscillation._replace(on=on)
        case ("dropout",):
            state.change(scenario.with_training(not scenario.training))
        case (name,):
            getattr(state, name)()


def shares(scenario: Scenario) -> np.ndarray:
    """Return the softmax of each row of logits, in float64, with the probabilities set by hand.

    The temperature of sampling changes nothing.
    """
    rows = np.asarray(ForwardPassRunner().trace(scenario)["output.logits"].value, float)
    powers = np.exp(rows - rows.max(-1, keepdims=True))
    found = powers / powers.sum(-1, keepdims=True)
    for cell, value in scenario.overrides().get("output.probabilities", {}).items():
        found[cell] = value
    return found


def check_sentence(state: AppState) -> None:
    scenario, sentence = state.scenario, state.view_model.sentence
    rows = shares(scenario)
    words = scenario.output_vocabulary
    if not scenario.writes_itself:
        assert (*sentence.probabilities, sentence.moves) == ("",)
        return
    for at, said in enumerate(sentence.probabilities):
        expected = None if at == 0 else rows[at - 1, words.index(scenario.target[at])]
        assert said == (None if expected is None else pytest.approx(expected, abs=2e-4))
    if sentence.end is not None:
        assert sentence.end == pytest.approx(rows[-1, words.index("<eos>")], abs=2e-4)
    right = known_right_text(scenario)
    written = joined_text(scenario, scenario.target)
    is_right = right is not None and written == right and sentence.end is not None
    assert sentence.verdict.verdict.startswith("✓") == is_right
    assert sentence.verdict.verdict.startswith("✗") == (right is not None and not is_right)
    reasons = {
        "swings": state.oscillation.on,
        "dropout": scenario.training,
        "trains": state.learning,
        "dragged": state.held,
        "ahead": looks_ahead(scenario),
    }
    assert sentence.moves == next((name for name, on in reasons.items() if on), "")
    for word, is_new in zip(scenario.target, sentence.changed, strict=True):
        edit = state.current.last_edit
        assert not is_new or (edit is not None and edit.before.target != scenario.target), word
    assert not sentence.would or state.held


def check_what_letting_go_writes(state: AppState) -> None:
    """The sentence shown while a number is held is the sentence that the model then writes."""
    promised, held = state.view_model.sentence.would, state.scenario
    is_held = state.held
    if is_held:
        state.release()
        written = joined_text(state.scenario, state.scenario.target)
        assert promised in ("", written)
        is_unknown = held.training  # dropout draws other masks for each text
        assert promised or is_unknown or state.scenario.target == held.target


def check_decoding(state: AppState) -> None:
    """Check, at rest, that each word is the likeliest one after those before, and then the end."""
    scenario = state.scenario
    if state.held or state.learning or scenario.training or not scenario.writes_itself:
        return
    words = scenario.output_vocabulary
    *found, last = [words[k] for k in shares(scenario).argmax(-1)]
    assert tuple(found) == scenario.target[1:]
    assert (last == "<eos>") == (state.view_model.sentence.end is not None)


def test_the_earlier_likeliest_word_is_named_until_undo() -> None:
    state = AppState()
    assert state.view_model.bars.written  # so that the numbers before the edit are computed
    source = ["white" if word == "black" else word for word in state.scenario.source]
    state.change(state.scenario.with_tokens("source", source))
    state.update(location=state.location._replace(asked=2))  # after "le chat"
    assert state.view_model.bars.named == ["noir", "blanc"]
    state.undo()
    state.update(location=state.location._replace(asked=2))
    assert state.view_model.bars.named == ["noir"]


def check_bars(state: AppState) -> None:
    scenario, bars = state.scenario, state.view_model.bars
    assert 0 <= bars.value < len(bars.rows) == len(bars.written)
    if scenario.settings.decoder_layers:
        written = [w for w in bars.written if w not in ("", "<eos>")]
        assert written == [w for w in scenario.target[1:] if w != "<eos>"]
    unread = "", scenario.vocabulary.pad
    right = scenario.label_tokens[bars.value : bars.value + 1]
    assert {bars.written[bars.value], *right} <= {*bars.named, *unread}
    edit = state.current.last_edit
    resting = state.oscillation.on
    before = scenario if resting or edit is None else edit.before
    if not bars.before:
        return
    rows = shares(before)
    row = row_names(before).index(bars.rows[bars.value])
    for word, share in bars.before.items():
        assert share == pytest.approx(rows[row, before.output_vocabulary.index(word)], abs=1e-5)
    was = max(bars.before, key=lambda word: bars.before[word])
    is_back = not resting and edit is not None and edit.goes_back
    assert was in bars.named or was in unread or is_back


def check_change(state: AppState) -> None:
    """The stated change is the change that undo takes back, and is stated only at rest."""
    found, would = state.view_model.change, state.view_model.sentence.would
    if would:
        assert (found.cause, found.effect) == ("", f"On release, it writes: {would}")
    elif found is not None:
        edit = state.current.last_edit
        assert edit.ended is not None
        assert not state.oscillation.on
        assert state.history.past[-1].scenario is edit.before
        assert edit.before.has_numbers_of(state.scenario) is False


def is_silent(scenario: Scenario, head: int, row: int) -> bool:
    """Return whether a head adds nothing to a row of the last cross-attention."""
    last = scenario.settings.decoder_layers - 1
    scope = f"decoder.{last}.cross_attn"
    paths = f"{scope}.head.{head}.context", f"{scope}.out"
    return any(s.path in paths and s.row in (None, row) for s in scenario.silences)


def check_marks(state: AppState) -> None:
    scenario, marks, word = state.scenario, state.view_model.marks, state.location.followed
    assert marks["source"]["followed"] == (word is not None and word.stack == "encoder")
    assert marks["target"]["followed"] == (word is not None and word.stack == "decoder")
    if word is not None and word.stack == "decoder":
        at = marks["target"]["focus"]
        if scenario.writes_itself:
            assert target_row(scenario, at) == at - 1 == word.position
        else:  # the word that is read, as in the row of the picture
            assert target_row(scenario, at) == at == word.position < len(scenario.target)
    if word is None:
        assert marks["source"]["focus"] is None is marks["target"]["focus"]
    elif word.stack == "decoder" and scenario.config.kind == "encoder-decoder":
        path = f"decoder.{scenario.settings.decoder_layers - 1}.cross_attn.weights"
        heard = [k for k in range(scenario.settings.heads) if not is_silent(scenario, k, word[1])]
        weights = state.trace[path].value[heard, word.position]
        focus = marks["source"]["focus"]
        is_marked = heard and not (state.oscillation.on or state.learning)
        assert weights[:, focus].max() == weights.max() if is_marked else focus is None
    elif word.stack == "encoder":
        assert marks["source"]["focus"] == word.position


def check_guide(state: AppState) -> None:
    """The guide names the task only of a model that learned it and was not changed since."""
    scenario, guide = state.scenario, state.view_model.guide
    if state.learning:
        assert guide.line.startswith(f"Training: step {scenario.steps_taken:,} of ")
        return
    count, does = scenario.config.parameter_count(), task_words(scenario.data).does
    changed = scenario.changed_since_training
    is_changed = bool(changed)
    last = f"You can change its {count:,} weights and all numbers computed from them."
    last = f"The change: {changed}." if changed else last
    assert guide.line.endswith(f". {last}")
    assert ("changed after its training" in guide.line) == is_changed
    is_trained = scenario.weights is not None and not is_changed
    moment = moment_words(scenario)
    is_said = bool(moment) and not is_changed
    assert (f" at {moment} of its training." in guide.line) == is_said
    assert bool(does and f" that {does}." in guide.line) == bool(does and is_trained and not moment)
    is_random = scenario.weights is None and not is_changed and not moment
    assert (" with random weights." in guide.line) == is_random
    writes = bool(scenario.settings.decoder_layers)
    assert ("predict the next" in dict(guide.reading)["row"]) == writes


@settings(max_examples=CASES, deadline=None)
@given(st.integers(0, len(MODELS) - 1), DEEDS)
def test_every_statement_agrees_with_the_numbers_of_its_moment(model, deeds):
    state = AppState(MODELS[model])
    for deed in deeds:
        do(state, deed)
        check_sentence(state)
        check_bars(state)
        check_marks(state)
        check_guide(state)
        check_change(state)
        check_decoding(state)
    check_what_letting_go_writes(state)


def test_a_state_has_one_view_model_until_something_changes():
    state = AppState(MODELS[0])
    known = state.view_model
    assert state.view_model is known
    state.go("asked", 2)
    assert state.view_model is not known
    assert (known.bars.value, state.view_model.bars.value) == (known.moment.state.position, 2)


def test_the_end_of_an_edit_computes_only_the_statements_about_the_edit_again():
    now = [0.0]
    state = AppState(MODELS[0], clock=lambda: now[0])
    state.change(state.scenario.with_value("output.W_out", (0, 0), 3.0), "number")
    going = state.view_model
    assert (going.sentence, going.bars, going.marks, going.guide, going.change)[-1] is None
    now[0] = 10.0
    state.update(Rested(now[0]))
    at_rest, fresh = state.view_model, ViewModel(state.view_model.moment)
    assert at_rest.change is not None
    for part in ("sentence", "bars", "marks", "guide"):
        assert getattr(at_rest, part) is getattr(going, part) == getattr(fresh, part)
    state.go("asked", 2)
    state.change(state.scenario.with_value("output.W_out", (0, 0), -3.0), "number")
    assert state.view_model.sentence is not at_rest.sentence
