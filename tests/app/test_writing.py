import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tinkerformer.files import catalog
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.inference.text import edited_parameters, with_text
from tinkerformer.model.inference.writing import (
    drafted_target,
    predicts_end,
    with_written_target,
    written_limit,
)
from tinkerformer.model.inference.written_words import changed_words
from tinkerformer.model.scenario.locked_sizes import LockedSizes
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState

from tests.app.learner import WORDS, small
from transformer_math.data import dates
from transformer_math.decoding import Decoding, greedy_decode

PHRASES, DATES = catalog.first("phrases"), catalog.first("dates")
SANDBOX = Scenario().with_writing(True)
MODELS = {"phrases": PHRASES, "dates": DATES, "sandbox": SANDBOX, "own": small(WORDS, "word")}
SLOWLY = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def written(scenario: Scenario) -> tuple[str, ...]:
    return with_written_target(scenario, ForwardPassRunner()).target


def word_by_word(scenario: Scenario) -> tuple[tuple[str, ...], float]:
    """Write in the simplest way, with a pass for each prefix; also return the closest choice."""
    known = scenario.vocabulary
    tokens, narrow = [known.start], np.inf
    while len(tokens) < written_limit(scenario):
        prefix = scenario.with_written(tuple(tokens))
        row = ForwardPassRunner().trace(prefix)["output.probabilities"].value[-1].astype(float)
        words = prefix.target_vocabulary
        row[[i for i, word in enumerate(words) if word in known.forbidden]] = -np.inf
        best, second = np.argsort(-row, kind="stable")[:2]
        narrow = min(narrow, (row[best] - row[second]) / max(1, abs(row[best])))
        if words[best] == known.end:
            break
        tokens.append(words[best])
    return tuple(tokens), narrow


def agree(scenario: Scenario) -> bool:
    """Return whether the words equal those written one by one; ties within rounding may differ."""
    expected, narrow = word_by_word(scenario)
    return narrow < 1e-5 or written(scenario) == expected


@st.composite
def texts(draw, name):
    """Draw a text for a model, with words that it has not learned."""
    scenario = MODELS[name]
    if name == "phrases" and draw(st.booleans()):
        pairs = scenario.data.pairs()
        row, _ = pairs.rows(np.array([draw(st.integers(0, pairs.train_count - 1))]))
        return scenario.with_tokens("source", pairs.source_tokenizer.decode(row[0]).split())
    if name == "dates":
        return with_text(scenario, f"{draw(st.dates(min_value=FIRST, max_value=LAST)):%Y-%m-%d}")
    words = st.sampled_from(scenario.source_vocabulary)
    words = words if scenario.vocabulary.closed else words | st.text("xyz", min_size=1, max_size=3)
    return scenario.with_tokens("source", draw(st.lists(words, min_size=1, max_size=9)))


FIRST, LAST = dates.datetime.date(1000, 1, 1), dates.datetime.date(2999, 12, 31)


@st.composite
def edited(draw, name, parameters=True):
    """Draw a text, and cells of parameters or of computed matrices that are set."""
    scenario = draw(texts(name))
    # The text begins with any words, which must not affect the written ones.
    guess = draw(st.lists(st.sampled_from(scenario.target_vocabulary), max_size=6))
    scenario = scenario.with_written((scenario.vocabulary.start, *guess))
    trace = ForwardPassRunner().trace(scenario)
    paths = [p for p in trace if scenario.shape(p) and scenario.is_parameter(p) == parameters]
    for _ in range(draw(st.integers(0, 6))):
        path = draw(st.sampled_from(paths))
        index = tuple(draw(st.integers(0, n - 1)) for n in scenario.shape(path))
        size = draw(st.sampled_from([1.0, 10.0, 1000.0]))
        scenario = scenario.with_value(path, index, draw(st.floats(-size, size, width=32)))
    return scenario


# -- comparison with slower ways -------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_with_any_weights_the_text_is_that_of_greedy_decoding(name):
    @SLOWLY
    @given(scenario=edited(name))
    def check(scenario):
        known = scenario.vocabulary
        runner = ForwardPassRunner()
        shown = scenario.with_written((known.start,))
        model = runner.model(shown)
        start, end = known.row("target", known.start), known.row("target", known.end)
        words = shown.target_vocabulary
        found = greedy_decode(
            model.with_parameters(edited_parameters(shown, model)),
            shown.ids("source"),
            Decoding(start, end, max_length=written_limit(scenario) - 1),
        )
        expected = (known.start, *(words[i] for i in found.rows()[0]))
        if written(scenario) != expected:  # a tie within rounding may go either way
            top = np.sort(found.probabilities[0, : found.lengths[0]], axis=-1)[:, -2:]
            assert (top[:, 1] / top[:, 0]).min() < 1 + 1e-4
        again = with_written_target(scenario, runner)
        assert predicts_end(again, runner) == bool(found.finished[0]) or len(
            again.target
        ) == written_limit(scenario)

    check()


@pytest.mark.parametrize("name", ["phrases", "sandbox"])
def test_with_computed_numbers_set_the_text_is_the_same_as_word_by_word(name):
    @SLOWLY
    @given(scenario=edited(name, parameters=False))
    def check(scenario):
        assert agree(scenario)

    check()


@pytest.mark.parametrize("name", MODELS)
def test_without_the_causal_mask_the_text_is_the_same_as_word_by_word(name):
    @settings(SLOWLY, max_examples=5)
    @given(scenario=edited(name))
    def check(scenario):
        assert agree(scenario.with_setting("causal_mask", False))

    check()


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("positions", "learned"),
        ("positions", "none"),
        ("norm", "pre"),
        ("residual", False),
        ("tie_output", True),
        ("output_bias", True),
        ("heads", "1"),
        ("decoder_layers", "3"),
    ],
)
def test_every_kind_of_model_writes_the_same_as_word_by_word(name, raw):
    for scenario in (SANDBOX, MODELS["own"].with_tokens("source", ["red", "zebra"])):
        assert agree(scenario.with_setting(name, raw))


def test_with_a_weight_on_a_later_word_the_text_is_the_same_as_word_by_word():
    """Such a weight refers to a word that is not yet written when it is needed."""
    for query, key in ((0, 3), (1, 2), (2, 6)):
        for path in ("weights", "masked_scores", "scores"):
            scenario = PHRASES.with_value(f"decoder.0.self_attn.{path}", (0, query, key), 50)
            assert agree(scenario), (path, query, key)
            assert agree(dataclasses.replace(scenario, target=("<sos>", "le", "chien"))), path


# -- independence of the words before --------------------------------------------------------------


def test_a_typed_end_token_does_not_end_the_written_text():
    for typed in (["<sos>", "<eos>"], ["<sos>", "le", "<eos>", "chat"]):
        assert written(PHRASES.with_tokens("target", typed).with_writing(True)) == PHRASES.target
    start = MODELS["own"].with_tokens("source", ["x"])  # this model predicts the end at once
    assert written(start) == written(start.with_written(("<sos>", "<eos>"))) == ("<sos>",)


@pytest.mark.parametrize("name", ["phrases", "dates"])
def test_while_a_number_is_held_the_shown_sentence_is_the_one_that_release_writes(name):
    runner = ForwardPassRunner()
    scenario = with_written_target(MODELS[name].with_writing(True), runner)
    written_before = scenario.target
    found = set()
    for value in (-4, -0.5, 0.5, 4.5):
        held = scenario.with_value("source.embedding", (1, 2), value)
        drafted = drafted_target(held, runner)
        assert drafted == with_written_target(held, runner).target
        found.add(drafted)
    assert len(found - {written_before}) > 1
    assert drafted_target(scenario.with_training(True), runner) == ()


def test_a_typed_target_is_unchanged():
    typed = PHRASES.with_tokens("target", ["<sos>", "non"])
    assert not typed.writes_itself
    assert with_written_target(typed, ForwardPassRunner()) is typed
    assert written(typed.with_writing(True)) == PHRASES.target


# -- the end of the text ---------------------------------------------------------------------------


def never_ending() -> Scenario:
    """Return a model whose end token is as unlikely as possible, by its bias."""
    scenario = PHRASES.with_setting("output_bias", True)
    end = scenario.vocabulary.row("target", "<eos>")
    return scenario.with_value("output.b_out", (end,), -1000)


@pytest.mark.parametrize(("words", "most"), [(1, 6), (7, 18), (30, 64), (64, 64)])
def test_a_text_without_an_end_is_cut_at_the_limit(words, most):
    scenario = never_ending().with_tokens("source", ["the"] * words)
    runner = ForwardPassRunner()
    found = with_written_target(scenario, runner)
    assert len(found.target) == written_limit(found) == most
    assert not predicts_end(found, runner)
    assert "<eos>" not in found.target
    assert agree(scenario)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_a_text_ends_with_the_last_learned_position(most):
    locked = LockedSizes(max_positions=most)
    scenario = dataclasses.replace(never_ending(), locked=locked, source=("the",) * most)
    scenario = scenario.with_setting("positions", "learned")
    assert len(written(scenario)) == most
    assert agree(scenario)


def test_a_model_that_predicts_the_end_at_once_writes_nothing():
    scenario = PHRASES.with_setting("output_bias", True)
    end = scenario.vocabulary.row("target", "<eos>")
    assert written(scenario.with_value("output.b_out", (end,), 1000)) == ("<sos>",)


def test_numbers_that_are_too_large_are_reported_in_a_sentence():
    scenario = small()
    arrays = {
        path: np.full(shape, 3e38, np.float32)
        for path, shape in scenario.learned_config.parameter_shapes().items()
    }
    own = scenario.own_vocabulary
    from tinkerformer.model.scenario.weights import Weights

    huge = scenario.trained(Weights(arrays, own.source, own.target), 1)
    with np.errstate(all="ignore"):
        with pytest.raises(ValueError, match=r"too large to compute what the model would write\.$"):
            written(huge)
        state = AppState(scenario)
        state.replace_weights(huge.weights, 1)
        assert state.scenario.steps_taken == 1
        assert state.scenario.target == scenario.target
        with pytest.raises(ValueError, match="too large"):
            AppState(scenario).change(huge)


# -- models that can write -------------------------------------------------------------------------


@pytest.mark.parametrize("layers", ["encoder_layers", "decoder_layers"])
def test_a_model_of_one_stack_does_not_write(layers):
    half = PHRASES.with_setting(layers, "0")
    assert (half.can_write, half.writes_itself) == (False, False)
    with pytest.raises(ValueError, match=r"Only a model with an encoder, a decoder.*\.$"):
        half.with_writing(True)
    assert with_written_target(half, ForwardPassRunner()) is half


def test_a_model_stops_writing_when_the_end_token_is_removed():
    state = AppState(SANDBOX)
    state.change(SANDBOX.with_answers(["le", "chat", "<eos>"]))
    assert state.scenario.writes_itself
    state.change(state.scenario.with_answers(["le", "chat"]))
    assert (state.scenario.can_write, state.scenario.writes_itself) == (False, False)
    with pytest.raises(ValueError, match="an end token"):
        state.scenario.with_writing(True)


# -- words that were not learned -------------------------------------------------------------------


def test_only_learned_words_are_written():
    typed = PHRASES.with_tokens("target", ["<sos>", "zèbre", "le"])
    assert "zèbre" in typed.target_vocabulary
    assert typed.vocabulary.unlearned("target", ["zèbre"]) == ()
    # Even if it is the likeliest:
    row = typed.vocabulary.row("target", "zèbre")
    for column in range(8):
        typed = typed.with_value("output.W_out", (column, row), 1000 * (-1) ** column)
        typed = typed.with_value("target.W_e", (row, column), -5)
    writing = typed.with_writing(True)
    assert written(writing) == PHRASES.target
    state = AppState(typed)
    state.change(writing)
    assert state.scenario.target_vocabulary == PHRASES.target_vocabulary
    assert len(state.scenario.edits) == 16  # the edits have no effect


@SLOWLY
@given(
    words=st.lists(
        st.text(min_size=1, max_size=24).filter(lambda word: word not in ("<sos>", "<pad>")),
        min_size=1,
        max_size=12,
    )
)
@example(words=["zebra", "the", "zebra", "Zebra"])
@example(words=["<eos>", "\u0000", " "])
def test_unknown_words_get_random_rows_and_learned_words_keep_theirs(words):
    scenario = PHRASES.with_tokens("source", words)
    known = PHRASES.source_vocabulary
    assert scenario.source_vocabulary[: len(known)] == known
    new = tuple(dict.fromkeys(word for word in words if word not in known))
    assert scenario.source_vocabulary[len(known) :] == new
    for word in known:
        assert scenario.vocabulary.row("source", word) == known.index(word)
    parameters = ForwardPassRunner().model(scenario).parameters
    learned = PHRASES.weights.arrays
    for path, array in learned.items():
        np.testing.assert_array_equal(parameters[path][: len(array)], array)
    for at, word in enumerate(new):
        # In an untrained model, the word alone has the same row.
        alone = PHRASES.trained(None, 0).with_tokens("source", [word])
        row = ForwardPassRunner().model(alone).parameters["source.W_e"][-1]
        np.testing.assert_array_equal(parameters["source.W_e"][len(known) + at], row)
        assert np.isfinite(row).all()
    assert agree(scenario)


# -- marked words ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "now", "new"),
    [
        ("a b c", "a b c", "..."),
        ("a b c", "a x c", ".x."),
        ("a b c", "x a b c", "x..."),
        ("a b c", "a c", ".."),
        ("", "a", "x"),
        ("a b", "b a", ".x"),
    ],
)
def test_words_that_only_moved_are_not_marked_as_new(before, now, new):
    found = changed_words(before.split(), now.split())
    if sorted(before.split()) == sorted(now.split()) and before != now:
        assert sum(found) == 1
    else:
        assert "".join("x" if one else "." for one in found) == new
