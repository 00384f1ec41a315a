import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import Labels, explain, gradients, sweep
from transformer_math.ops.override import MAX_ONE_BY_ONE, Override

MODEL = tiny()
PLAIN = MODEL(SOURCE, TARGET)
WEIGHTS = "encoder.0.self_attn.weights"


def changed(trace) -> set[str]:
    return {p for p in PLAIN.paths() if not np.array_equal(trace[p].value, PLAIN[p].value)}


@pytest.mark.parametrize("path", list(MODEL.parameters))
def test_an_overridden_parameter_has_the_effect_of_its_new_value(path: str) -> None:
    """As if the model had this parameter, bit for bit."""
    value = MODEL.parameters[path].copy()
    index = tuple(n // 2 for n in value.shape)
    value[index] = 2.5
    made = MODEL.with_parameters({path: value})(SOURCE, TARGET)
    for override in ({index: 2.5}, value):
        trace = MODEL(SOURCE, TARGET, overrides={path: override})
        for name in made.paths():
            np.testing.assert_array_equal(trace[name].value, made[name].value, err_msg=name)


@pytest.mark.parametrize("path", [p for p in PLAIN.paths() if not PLAIN[p].is_leaf])
def test_an_override_changes_only_later_tensors(path: str) -> None:
    index = tuple(n - 1 for n in PLAIN[path].shape)
    number = float(PLAIN[path].value[index])
    trace = MODEL(SOURCE, TARGET, overrides={path: {index: number + 1}})
    assert trace[path].value[index] == number + 1
    assert trace[path].computed[index] == number
    assert np.argwhere(trace[path].overridden).tolist() == [list(index)]
    reach = set(PLAIN.downstream(path))
    assert changed(trace) <= {path, *reach}
    assert path in changed(trace)


def test_overriding_a_cell_of_a_head_equals_overriding_it_in_the_stack() -> None:
    whole = MODEL(SOURCE, TARGET, overrides={WEIGHTS: {(1, 2, 3): 0.9}})
    head = MODEL(SOURCE, TARGET, overrides={"encoder.0.self_attn.head.1.weights": {(2, 3): 0.9}})
    assert head["encoder.0.self_attn.head.1.weights"].value[2, 3] == 0.9
    for path in PLAIN.paths():
        np.testing.assert_array_equal(whole[path].value, head[path].value)


SETTINGS = {
    "a weight": {WEIGHTS: {(1, 2, 3): 0.9}},
    "an embedding": {"source.W_e": {(SOURCE[0], 1): 3.0}},
    "a cell of a head": {"encoder.0.self_attn.head.0.W_q": {(1, 1): 3.0}},
    "the mask": {"target.mask": np.zeros((3, 3))},
    "the ids": {"target.ids": np.array([5, 5, 5])},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_overrides_apply_without_a_trace_too(setting: str) -> None:
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
    "a head of what has none": {"encoder.0.self_attn.head.1.out": {(0,): 1.0}},
    "a head of all heads' output weights": {"encoder.0.self_attn.head.1.W_o": np.zeros(6)},
    "no index": {WEIGHTS: {"0": 1.0}},
    "half an index": {WEIGHTS: {(0, 0, 0.5): 1.0}},
    "no number": {WEIGHTS: {(0, 0, 0): "much"}},
    "rows of unequal length": {WEIGHTS: [[1.0], [1.0, 2.0]]},
    "too many axes": {WEIGHTS: np.zeros((2, 3, 2, 5, 5))},
    "sweeps of two lengths": {
        WEIGHTS: np.zeros((4, 2, 5, 5)),
        "encoder.0.self_attn.head.1.weights": np.zeros((3, 5, 5)),
    },
    "a token beyond the vocabulary": {"source.ids": {(1,): 99}},
    "a negative token": {"target.ids": {(1,): -1}},
    "half a token": {"source.ids": {(1,): 2.7}},
    "ids for a sweep": {"source.ids": np.array([SOURCE, SOURCE])},
    "head of another shape": {"encoder.0.self_attn.head.1.weights": np.zeros((4, 5))},
}


@pytest.mark.parametrize("how", ["with a trace", "without"])
@pytest.mark.parametrize("misfit", MISFITS)
def test_invalid_overrides_are_refused_in_a_sentence(misfit: str, how: str) -> None:
    run = MODEL if how == "with a trace" else MODEL.logits
    with pytest.raises(ValueError, match=r"\.$"):
        run(SOURCE, TARGET, overrides=MISFITS[misfit])


def test_ids_can_be_overridden_too() -> None:
    trace = MODEL(SOURCE, TARGET, overrides={"source.ids": {(2,): 9}})
    expected = MODEL([*SOURCE[:2], 9, *SOURCE[3:]], TARGET)
    np.testing.assert_array_equal(trace["output.logits"].value, expected["output.logits"].value)


@pytest.mark.parametrize("side", ["source", "target"])
def test_an_id_overridden_with_padding_is_masked(side: str) -> None:
    model = tiny(source_pad=6, target_pad=6)
    ids = {"source": list(SOURCE), "target": list(TARGET)}
    ids[side][1] = 6
    expected = model(ids["source"], ids["target"])
    overrides = {f"{side}.ids": {(1,): 6}}
    trace = model(SOURCE, TARGET, overrides=overrides)
    assert np.isneginf(trace[f"{side}.mask"].value[..., 1]).all()
    for path in expected.paths():
        np.testing.assert_array_equal(trace[path].value, expected[path].value, err_msg=path)
    found = model.logits(SOURCE, TARGET, overrides=overrides)
    np.testing.assert_array_equal(found, expected["output.logits"].value)


def test_labels_can_be_overridden_within_the_vocabulary() -> None:
    model = tiny(target_pad=7)
    labels = Labels(TARGET)
    trace = model(SOURCE, TARGET, labels=labels, overrides={"output.labels": {0: 7}})
    expected = model(SOURCE, TARGET, labels=Labels([7, *TARGET[1:]]))
    assert trace["output.loss"].value == expected["output.loss"].value
    for bad in (17, -1, 0.5):
        with pytest.raises(ValueError, match=r"labels .*\.$"):
            model(SOURCE, TARGET, labels=labels, overrides={"output.labels": {(0,): bad}})


@pytest.mark.parametrize("override", [2.0, {(): 2.0}])
def test_the_loss_itself_can_be_overridden(override) -> None:
    trace = tiny()(SOURCE, TARGET, labels=Labels(TARGET), overrides={"output.loss": override})
    assert trace["output.loss"].value == 2
    assert trace["output.loss"].overridden
    assert explain(trace, "output.loss", ()).evaluate() == 2
    assert not trace.backward()["output.logits"].any()  # no part of it was computed


BATCH = [SOURCE, SOURCE[::-1]], [TARGET, TARGET[::-1]]


def test_an_array_without_the_batch_axis_applies_to_every_example() -> None:
    array = np.random.default_rng(2).normal(size=(5, 6))
    trace = tiny()(*BATCH, overrides={"source.sum": array})
    assert trace["source.sum"].dims == ("batch", "position", "d_model")
    for i in range(2):
        alone = tiny()(BATCH[0][i], BATCH[1][i], overrides={"source.sum": array})
        for path in alone.paths():
            found = trace.example(i)[path].value
            np.testing.assert_allclose(found, alone[path].value, atol=1e-12, err_msg=path)


COMPUTED = ("source.sum", "encoder.0.self_attn.scores", "target.positions", "target.mask")


@pytest.mark.parametrize("path", [*MODEL.parameters, *COMPUTED])
@pytest.mark.parametrize("how", ["a cell", "an array"])
def test_each_example_of_a_batch_can_have_its_own_value(path: str, how: str) -> None:
    """Values and gradients equal those of separate examples."""
    random = np.random.default_rng(4)
    shape = PLAIN[path].shape
    index = tuple(n // 2 for n in shape)
    if path.endswith("W_e"):  # a token of both examples
        index = ((SOURCE if path.startswith("source") else TARGET)[1], 2)
    given = random.normal(size=(2, *(() if how == "a cell" else shape)))
    weights = random.normal(size=(2, 3, 17))

    def override(value):
        return {path: {index: value} if how == "a cell" else value}

    trace = MODEL(*BATCH, overrides=override(given))
    assert trace[path].overridden.sum() == given.size
    found = gradients(trace, path="output.logits", seed=weights)
    for i in range(2):
        alone = MODEL(BATCH[0][i], BATCH[1][i], overrides=override(given[i]))
        example = trace.example(i)
        assert example.leading == ()
        for name in alone.paths():
            np.testing.assert_allclose(
                example[name].value, alone[name].value, atol=1e-11, err_msg=name
            )
        np.testing.assert_array_equal(example[path].overridden, alone[path].overridden)
        if not path.endswith("mask"):
            expected = gradients(alone, path="output.logits", seed=weights[i])[path]
            np.testing.assert_allclose(found[path][i], expected, atol=1e-9)
    untraced = MODEL.logits(*BATCH, overrides=override(given))
    np.testing.assert_array_equal(untraced, trace["output.logits"].value)


def test_values_for_another_number_of_examples_are_refused() -> None:
    for what in (np.zeros((3, 5, 6)), {(0, 0): [1.0, 2.0, 3.0]}):
        with pytest.raises(ValueError, match="each of the 2 examples, not 3"):
            MODEL(*BATCH, overrides={"source.sum": what})


def test_overridden_cells_are_marked_in_batches_and_sweeps_and_heads() -> None:
    head = "encoder.0.self_attn.head.1.weights"
    batched = MODEL(*BATCH, overrides={WEIGHTS: {(1, 2, 3): 0.9}})
    assert np.argwhere(batched[WEIGHTS].overridden).tolist() == [[0, 1, 2, 3], [1, 1, 2, 3]]
    assert np.argwhere(batched[head].overridden).tolist() == [[0, 2, 3], [1, 2, 3]]
    swept = sweep(batched, "source.W_e", (SOURCE[0], 0), [0.0, 1.0, 2.0])
    assert swept[WEIGHTS].overridden.shape == (3, 2, 2, 5, 5)
    assert np.argwhere(swept.frame(1).example(0)[WEIGHTS].overridden).tolist() == [[1, 2, 3]]


def test_overriding_a_few_cells_equals_overriding_many() -> None:
    """One by one or all at once: the same numbers, the same memory layout, the same errors."""
    path = "encoder.0.self_attn.W_q"
    W = MODEL.parameters[path]
    places = list(np.ndindex(W.shape))[: MAX_ONE_BY_ONE + 1]
    few, many = Override(path), Override(path)
    many.cells = {place: float(W[place]) for place in places}
    many.cells |= {place: 0.1 * n for n, place in enumerate(places[:3])}
    few.cells = dict(list(many.cells.items())[:3])
    one, other = few.apply(W, W.ndim), many.apply(W, W.ndim)
    np.testing.assert_array_equal(one, other)
    assert (one.dtype, one.strides) == (other.dtype, other.strides)
    assert few.used
    assert not np.shares_memory(one, W)
    for cells in (few, many):
        cells.cells[(W.shape[0], 0, 0)] = 1.0
        with pytest.raises(ValueError, match="there is no cell"):
            cells.apply(W, W.ndim)
