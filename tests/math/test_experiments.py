"""Experiments: pulls by their definition, patches compared with whole passes, the lens."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.pulling import wishes
from tests.math.lively import lively
from transformer_math.config import DropoutRates
from transformer_math.experiments import (
    Wish,
    every_unit,
    lens,
    loudest_units,
    mean_values,
    patch_map,
    pull,
    pull_by,
    silenced,
    without_units,
)
from transformer_math.experiments import frames as frames_module
from transformer_math.experiments.lens import stream
from transformer_math.experiments.patch import matched

SOURCE, TARGET = np.array([3, 1, 2, 0]), np.array([1, 4, 2])
PROBABILITIES = "output.probabilities"


@pytest.fixture(scope="module")
def model():
    return lively()


def passes(model):
    """Return a pass with other numbers."""
    return lambda arrays: model(SOURCE, TARGET, overrides=dict(arrays))


def ended(*arguments, **options):
    return list(pull(*arguments, **options))[-1]


# -- pull -----------------------------------------------------------------------------------------


@settings(max_examples=10)
@given(
    st.integers(0, 2),
    st.integers(0, 4),
    st.floats(0.1, 0.9),
    st.sampled_from(["decoder.0.cross_attn.W_v", "output.W_out", "decoder.0.feed_forward.W_2"]),
)
def test_a_pull_reaches_the_requested_probability_and_states_it(row, word, value, path):
    forward = passes(lively())
    before = float(forward({})[PROBABILITIES].value[row, word])
    wish = Wish(PROBABILITIES, (row, word), value)
    end = ended(forward, [wish], {path: None}, limit=40)
    there = float(forward(end.arrays)[PROBABILITIES].value[row, word])
    assert end.reached == (pytest.approx(there, abs=1e-6),)
    past = (there - value) * np.sign(value - before)  # at least the requested value, little more
    assert end.granted == (0 < past <= 0.0101)
    assert end.granted == (end.ending == "granted")
    assert end.ended
    if path == "output.W_out":  # weights of the output can make any word likely
        assert end.granted


@settings(max_examples=8)
@given(st.integers(0, 2**16 - 1))
def test_a_pull_moves_only_free_numbers(bits):
    model = lively()
    start = model.parameters["source.W_e"]
    mask = np.array([bits >> k & 1 for k in range(start.size)], bool).reshape(start.shape)
    mask[0, 0] = True
    wish = Wish(PROBABILITIES, (1, 2), 0.6)
    for at in pull(passes(model), [wish], {"source.W_e": mask}, limit=4):
        assert set(at.arrays) == {"source.W_e"}
        changed = at.arrays["source.W_e"] != start
        assert not changed[~mask].any()
        assert at.distance == pytest.approx(
            np.linalg.norm((at.arrays["source.W_e"] - start).astype(float)), abs=1e-5
        )
        assert at.moved <= mask.sum()


def test_with_few_each_number_moves_more(model):
    wish = [Wish(PROBABILITIES, (1, 2), 0.6)]
    many = ended(passes(model), wish, {"output.W_out": None})
    few = ended(passes(model), wish, {"output.W_out": None}, few=True)
    assert few.granted

    def told(end):  # how many numbers make up nine tenths of the change
        moved = np.abs(end.arrays["output.W_out"] - model.parameters["output.W_out"]).ravel()
        share = np.cumsum(np.sort(moved)[::-1]) / moved.sum()
        return int((share < 0.9).sum()) + 1

    assert told(few) < told(many)
    assert few.largest > many.largest


# Distances of SciPy's SLSQP for wishes of `python -m tests.benchmarks pull` with kinks.
@pytest.mark.parametrize(("number", "slsqp"), [(11, 0.5626), (13, 1.1815), (15, 0.5548)])
def test_a_pull_is_about_as_short_as_that_of_a_general_optimizer(number, slsqp):
    asked = wishes(number + 1)[number]
    *_, end = pull(asked.forward, [asked.wish], asked.free)
    assert end.granted
    assert end.distance < 1.1 * slsqp


@pytest.mark.parametrize("most", [1, 3, 10])
def test_a_pull_by_at_most_some_numbers_changes_no_more(model, most):
    wish = [Wish(PROBABILITIES, (1, 2), 0.6)]
    free = {"output.W_out": None, "decoder.0.cross_attn.W_v": None, "output.b_out": None}
    states = list(pull_by(passes(model), wish, free, most))
    assert [state.ended for state in states] == [False] * (len(states) - 1) + [True]
    end = states[-1]
    changed = {path: x != model.parameters[path] for path, x in end.arrays.items()}
    assert 0 < sum(int(x.sum()) for x in changed.values()) <= most
    assert end.granted  # the word's bias alone suffices
    reached = passes(model)(end.arrays)[PROBABILITIES].value[1, 2]
    assert reached == pytest.approx(0.6, abs=0.006)


def test_a_limited_pull_chooses_only_numbers_that_may_move(model):
    mask = np.zeros_like(model.parameters["output.W_out"], bool)
    mask[0, :3] = True
    wish = [Wish(PROBABILITIES, (1, 2), 0.6)]
    *_, end = pull_by(passes(model), wish, {"output.W_out": mask}, 2, limit=20)
    changed = end.arrays["output.W_out"] != model.parameters["output.W_out"]
    assert 0 < changed.sum() <= 2
    assert not changed[~mask].any()
    with pytest.raises(ValueError, match="most is a whole number from 1"):
        next(pull_by(passes(model), wish, {"output.b_out": None}, 0))


def test_two_wishes_are_granted_together_if_both_are_possible(model):
    both = [Wish(PROBABILITIES, (1, 2), 0.45), Wish(PROBABILITIES, (1, 3), 0.45)]
    assert ended(passes(model), both, {"output.W_out": None}).granted
    too_much = [wish._replace(value=0.7) for wish in both]
    end = ended(passes(model), too_much, {"output.W_out": None})
    assert not end.granted
    assert end.ended
    assert end.ending == "contradiction"


def test_an_attention_weight_can_be_pulled(model):
    path = "decoder.0.cross_attn.head.1.weights"
    end = ended(passes(model), [Wish(path, (1, 2), 0.9)], {"decoder.0.cross_attn.W_q": None})
    trace = passes(model)(end.arrays)
    assert float(trace[path].value[1, 2]) == pytest.approx(0.9, abs=0.01)


def test_numbers_without_effect_on_the_answer_cannot_grant_a_wish(model):
    # The wish is for the second word, which is written before the third is read.
    mask = np.zeros_like(model.parameters["target.W_e"], bool)
    mask[TARGET[2]] = True
    steps = list(pull(passes(model), [Wish(PROBABILITIES, (1, 2), 0.6)], {"target.W_e": mask}))
    assert len(steps) == 1
    assert steps[0].ending == "independent"
    assert not steps[0].granted
    assert steps[0].distance == 0


# -- silence --------------------------------------------------------------------------------------


def test_one_hidden_unit_or_one_row_is_silenced(model):
    trace = model(SOURCE, TARGET)
    path = "encoder.0.feed_forward.activation"
    unit = silenced(trace, path, columns=2)
    assert set(unit) == {(i, 2) for i in range(len(SOURCE))}
    row = silenced(trace, path, rows=1, value=np.arange(trace[path].shape[1]))
    assert row == {(1, j): float(j) for j in range(trace[path].shape[1])}
    with pytest.raises(ValueError, match="rows"):
        silenced(trace, path, rows=99)
    with pytest.raises(ValueError, match="no row for each token"):
        silenced(trace, "source.ids")


# -- units ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("mean", [False, True])
def test_silencing_a_unit_equals_a_pass_without_it(model, mean):
    trace = model(SOURCE, TARGET, training=True, seed=3)
    units = every_unit(trace)
    paths = list(dict.fromkeys(unit.path for unit in units))
    assert len(units) == len(paths) * model.config.feed_forward_width
    value = mean_values(trace, paths) if mean else 0.0
    found = without_units(trace, units[::-3], lambda t: t[PROBABILITIES].value, value)
    for (path, column), row in zip(units[::-3], found, strict=True):
        to = value[path][column] if mean else 0.0
        cells = silenced(trace, path, columns=column, value=to)
        one = model(SOURCE, TARGET, training=True, seed=3, overrides={path: cells})
        np.testing.assert_allclose(row, one[PROBABILITIES].value, atol=1e-6)
    assert len(np.unique(found.round(6), axis=0)) > 2  # some units are 0 anyway


def test_units_computed_in_pieces_have_the_same_effects(model, monkeypatch):
    trace, stopped = model(SOURCE, TARGET), []
    at_once = without_units(trace, every_unit(trace), read)
    monkeypatch.setattr(frames_module, "CACHE_BYTES", 1)
    monkeypatch.setattr(frames_module, "MIN_FRAMES", 2)
    pieces = without_units(trace, every_unit(trace), read, go_on=lambda: stopped.append(1))
    assert len(stopped) == len(every_unit(trace)) // 2
    np.testing.assert_allclose(pieces, at_once, atol=1e-6)


def test_the_loudest_units_add_the_longest_vectors(model):
    trace = model(SOURCE, TARGET)
    some = loudest_units(trace, 5)

    def adds(unit):
        path, column = unit
        out = trace[path.replace("activation", "W_2")].value[column]
        return np.abs(trace[path].value[:, column]).max() * np.linalg.norm(out)

    others = [unit for unit in every_unit(trace) if unit not in some]
    assert min(map(adds, some)) >= max(map(adds, others))
    assert loudest_units(trace, 1000) == every_unit(trace)


# -- patch ----------------------------------------------------------------------------------------


def read(trace):
    return trace[PROBABILITIES].value[..., 1, 2]


def test_patching_a_row_equals_a_pass_with_that_row(model):
    other = np.array([2, 2, 2, 1])
    baseline = model(other, TARGET)
    paths = [*stream(baseline, "encoder"), "decoder.0.cross_attn.context"]
    rows = {p: range(baseline[p].shape[-2]) for p in paths}
    found = patch_map(model(SOURCE, TARGET), baseline, rows, read)
    assert found.now == pytest.approx(float(read(model(SOURCE, TARGET))))
    assert found.baseline == pytest.approx(float(read(baseline)))
    for path in paths:
        for row in rows[path]:
            value = model(SOURCE, TARGET)[path].value.copy()
            value[..., row, :] = baseline[path].value[..., row, :]
            one = model(SOURCE, TARGET, overrides={path: value})
            assert found.patched[path][row] == pytest.approx(float(read(one)), abs=1e-6)


def test_masks_and_overrides_stay_while_a_row_is_patched():
    model = lively(dropout=DropoutRates.paper(0.3))
    cell = {"decoder.0.cross_attn.head.0.weights": {(1, 2): 0.9}}
    now = model(SOURCE, TARGET, training=True, seed=3, overrides=cell)
    baseline = model(np.array([2, 2, 2, 1]), TARGET)
    path = "encoder.0.self_attn.norm"
    found = patch_map(now, baseline, {path: range(len(SOURCE))}, read)
    for row in range(len(SOURCE)):
        value = now[path].value.copy()
        value[row] = baseline[path].value[row]
        one = model(SOURCE, TARGET, training=True, seed=3, overrides={**cell, path: value})
        assert found.patched[path][row] == pytest.approx(float(read(one)), abs=1e-6)


def test_a_map_computed_in_pieces_is_the_same(model, monkeypatch):
    baseline = model(np.array([2, 2, 2, 1]), TARGET)
    rows = {p: range(len(SOURCE)) for p in stream(baseline, "encoder")}
    at_once = patch_map(model(SOURCE, TARGET), baseline, rows, read)
    monkeypatch.setattr(frames_module, "CACHE_BYTES", 1)
    monkeypatch.setattr(frames_module, "MIN_FRAMES", 1)
    one_by_one = patch_map(model(SOURCE, TARGET), baseline, rows, read)
    for path, found in at_once.patched.items():
        np.testing.assert_allclose(one_by_one.patched[path], found, atol=1e-6)


@pytest.mark.parametrize(
    ("now", "then", "found"),
    [
        ("abc", "xyz", [0, 1, 2]),
        ("abcd", "abd", [0, 1, None, 2]),
        ("abd", "abcd", [0, 1, 3]),
        ("ab", "xyz", [None, None]),
        ("aa", "aaa", [0, 1]),
        ("", "a", []),
    ],
)
def test_texts_of_different_lengths_are_matched_from_both_ends(now, then, found):
    assert matched(now, then) == found


def test_rows_without_a_partner_are_omitted(model):
    baseline = model(SOURCE[:3], TARGET)
    path = "source.dropout"
    found = patch_map(model(SOURCE, TARGET), baseline, {path: [0, None, None, 2]}, read)
    assert np.isnan(found.patched[path]).tolist() == [False, True, True, False]


# -- lens -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"norm": "pre"},
        {"final_norm": True},
        {"tie_output": True},
        {"decoder_layers": 3},
        {"residual": False},
        {"encoder_layers": 0},
    ],
)
def test_the_lens_at_the_last_depth_is_the_output(changes):
    model = lively(**changes)
    source = SOURCE if model.config.encoder_layers else None
    trace = model(source, TARGET)
    found = lens(model, trace)
    *_, last = found.values()
    np.testing.assert_allclose(last, trace[PROBABILITIES].value, atol=1e-6)
    for probabilities in found.values():
        np.testing.assert_allclose(probabilities.sum(-1), 1, atol=1e-5)
    sublayers = 3 if model.config.encoder_layers else 2
    assert len(found) == 1 + sublayers * model.config.decoder_layers


def test_the_lens_reads_the_stack_that_the_output_reads():
    with pytest.raises(ValueError, match="decoder"):
        lens(lively(), lively()(SOURCE, TARGET), "encoder")
    alone = lively(decoder_layers=0)
    trace = alone(SOURCE, None)
    *_, last = lens(alone, trace, "encoder").values()
    np.testing.assert_allclose(last, trace[PROBABILITIES].value, atol=1e-6)
