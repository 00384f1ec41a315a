"""Overrides: a parameter or a computed cell, and all that follows from it."""

import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, tiny

MODEL = tiny()
PLAIN = MODEL(SOURCE, TARGET)
WEIGHTS = "encoder.0.self_attn.weights"


def changed(trace) -> set[str]:
    return {p for p in PLAIN.paths() if not np.array_equal(trace[p].value, PLAIN[p].value)}


@pytest.mark.parametrize("path", list(MODEL.parameters))
def test_a_parameter_is_read_where_it_is_set(path: str) -> None:
    """As if the model had been made with it, bit for bit."""
    value = MODEL.parameters[path].copy()
    index = tuple(n // 2 for n in value.shape)
    value[index] = 2.5
    made = MODEL.with_parameters({path: value})(SOURCE, TARGET)
    for override in ({index: 2.5}, value):
        trace = MODEL(SOURCE, TARGET, overrides={path: override})
        for name in made.paths():
            np.testing.assert_array_equal(trace[name].value, made[name].value, err_msg=name)


@pytest.mark.parametrize("path", [p for p in PLAIN.paths() if not PLAIN[p].is_leaf])
def test_a_change_reaches_what_is_downstream_and_nothing_else(path: str) -> None:
    index = tuple(n - 1 for n in PLAIN[path].shape)
    number = float(PLAIN[path].value[index])
    trace = MODEL(SOURCE, TARGET, overrides={path: {index: number + 1}})
    assert trace[path].value[index] == number + 1
    assert trace[path].computed[index] == number
    assert np.argwhere(trace[path].overridden).tolist() == [list(index)]
    reach = set(PLAIN.downstream(path))
    assert changed(trace) <= {path, *reach}
    assert path in changed(trace)


def test_a_changed_attention_weight_moves_its_own_context_row() -> None:
    trace = MODEL(SOURCE, TARGET, overrides={WEIGHTS: {(1, 2, 3): 0.9}})
    moved = trace["encoder.0.self_attn.context"].value != PLAIN["encoder.0.self_attn.context"].value
    assert {tuple(map(int, cell[:2])) for cell in np.argwhere(moved)} == {(1, 2)}


def test_a_head_s_cell_and_the_stack_s_cell_are_one() -> None:
    whole = MODEL(SOURCE, TARGET, overrides={WEIGHTS: {(1, 2, 3): 0.9}})
    head = MODEL(SOURCE, TARGET, overrides={"encoder.0.self_attn.head.1.weights": {(2, 3): 0.9}})
    assert head["encoder.0.self_attn.head.1.weights"].value[2, 3] == 0.9
    for path in PLAIN.paths():
        np.testing.assert_array_equal(whole[path].value, head[path].value)


def test_letting_go_brings_back_what_was_computed() -> None:
    MODEL(SOURCE, TARGET, overrides={WEIGHTS: {(1, 2, 3): 0.9}})
    assert not changed(MODEL(SOURCE, TARGET))


def test_cells_are_set_in_every_row_of_a_batch() -> None:
    trace = MODEL([SOURCE, SOURCE], [TARGET, TARGET], overrides={WEIGHTS: {(1, 2, 3): 0.9}})
    assert (trace[WEIGHTS].value[:, 1, 2, 3] == 0.9).all()


SETTINGS = {
    "a weight": {WEIGHTS: {(1, 2, 3): 0.9}},
    "an embedding": {"source.W_e": {(SOURCE[0], 1): 3.0}},
    "a cell of a head": {"encoder.0.self_attn.head.0.W_q": {(1, 1): 3.0}},
    "the mask": {"target.mask": np.zeros((3, 3))},
    "the ids": {"target.ids": np.array([5, 5, 5])},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_without_a_trace_the_same_numbers_are_set(setting: str) -> None:
    overrides = SETTINGS[setting]
    kept = MODEL(SOURCE, TARGET, overrides=overrides)["output.logits"].value
    assert not np.array_equal(kept, PLAIN["output.logits"].value)
    np.testing.assert_array_equal(MODEL.logits(SOURCE, TARGET, overrides=overrides), kept)


MISFITS = {
    "unknown leaf": {"encoder.0.self_attn.nothing": {(0,): 1.0}},
    "unknown layer": {"encoder.7.self_attn.W_q": {(0, 0, 0): 1.0}},
    "short index": {WEIGHTS: {(0, 0): 1.0}},
    "index too far": {WEIGHTS: {(2, 0, 0): 1.0}},
    "negative index": {WEIGHTS: {(0, 0, -1): 1.0}},
    "array of another shape": {WEIGHTS: np.zeros((5, 2, 5))},
    "cell of an unknown head": {"encoder.0.self_attn.head.2.weights": {(0, 0): 1.0}},
    "array of an unknown head": {"encoder.0.self_attn.head.2.weights": np.zeros((5, 5))},
    "head of another shape": {"encoder.0.self_attn.head.1.weights": np.zeros((4, 5))},
}


@pytest.mark.parametrize("how", ["with a trace", "without"])
@pytest.mark.parametrize("misfit", MISFITS)
def test_what_does_not_fit_is_refused_with_a_sentence(misfit: str, how: str) -> None:
    run = MODEL if how == "with a trace" else MODEL.logits
    with pytest.raises(ValueError, match=r"\.$"):
        run(SOURCE, TARGET, overrides=MISFITS[misfit])


def test_the_ids_can_be_set_too() -> None:
    trace = MODEL(SOURCE, TARGET, overrides={"source.ids": {(2,): 9}})
    expected = MODEL([*SOURCE[:2], 9, *SOURCE[3:]], TARGET)
    np.testing.assert_array_equal(trace["output.logits"].value, expected["output.logits"].value)
