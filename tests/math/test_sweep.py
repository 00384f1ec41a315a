from collections.abc import Callable

import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, VARIANTS, read_by, tiny
from transformer_math import DropoutRates, Labels, Trace, Transformer, sweep
from transformer_math.graph.sweep import sweep_by

VALUES = [-3.0, 0.5, 11.0]
EVERYWHERE = DropoutRates(0.2, 0.2, 0.2, 0.2, 0.2)
COMPUTED = (
    "source.sum encoder.0.self_attn.q encoder.0.self_attn.scores encoder.0.self_attn.weights "
    "encoder.0.feed_forward.activation encoder.0.feed_forward.norm decoder.0.cross_attn.raw_scores "
    "decoder.0.self_attn.concat target.positions output.logits output.probabilities"
)


def some_cell(trace: Trace, path: str) -> tuple[int, ...]:
    """Return a cell that is neither first nor last, so that a swapped axis causes an error."""
    tensor = trace[path]
    own = len(tensor.dims) - sum(name in trace.leading for name in tensor.dims)
    shape = tensor.shape[len(tensor.shape) - own :]
    cell = tuple(n // 2 for n in shape)
    if path.endswith("W_e"):  # a token that occurs
        cell = ((SOURCE if path.startswith("source") else TARGET)[1], cell[1])
    return cell


def assert_each_frame(model: Transformer, path: str, ids, **options) -> None:
    """Check that each frame equals a pass with the cell overridden; other tensors have none."""
    trace = model(*ids, **options)
    index = some_cell(trace, path)
    swept = sweep(trace, path, index, VALUES)
    downstream = set(trace.downstream(path))
    for frame, value in enumerate(VALUES):
        alone = model(*ids, overrides={path: {index: value}}, **options)
        for name in trace.paths():
            tensor = swept[name]
            if name == path or name in downstream:
                assert tensor.dims == ("sweep", *trace.leading, *base(trace, name)), name
                found, expected = tensor.value[frame], alone[name].value
                if found.ndim > expected.ndim:  # a parameter has an axis for the batch
                    found = found[0]
                scale = max(1, np.abs(expected[np.isfinite(expected)]).max())
                np.testing.assert_allclose(
                    found, expected, rtol=0, atol=1e-12 * scale, err_msg=f"{path} -> {name}"
                )
            else:
                assert tensor is trace[name], name
    assert len(swept) == len(trace)


def base(trace: Trace, path: str) -> tuple[str, ...]:
    return tuple(name for name in trace[path].dims if name not in trace.leading)


BATCH = [SOURCE, SOURCE[::-1]], [TARGET, TARGET[::-1]]
ALONE = (
    *("post", "pre", "tied", "tied_apart", "own_widths", "padded"),
    *("learned_positions", "no_biases", "decoder_only"),
)
IN_A_BATCH = ("post", "tied", "learned_positions", "padded")


@pytest.mark.parametrize(
    ("variant", "ids"),
    [*((each, (SOURCE, TARGET)) for each in ALONE), *((each, BATCH) for each in IN_A_BATCH)],
)
def test_every_parameter_can_be_swept(variant: str, ids: tuple) -> None:
    model = tiny(**VARIANTS[variant])
    for path in model.parameters:
        assert_each_frame(model, path, read_by(model, *ids))


@pytest.mark.parametrize("path", COMPUTED.split())
def test_every_computed_tensor_can_be_swept(path: str) -> None:
    assert_each_frame(tiny(), path, (SOURCE, TARGET))


@pytest.mark.parametrize("path", [*COMPUTED.split(), "target.mask", "source.mask"])
def test_computed_tensors_and_masks_of_a_batch_can_be_swept(path: str) -> None:
    ids = [[3, 1, 4, 2, 5], [2, 1, 4, 3, 1]], [[2, 7, 1], [2, 7, 7]]
    assert_each_frame(tiny(source_pad=1, target_pad=7), path, ids)


def test_every_parameter_can_be_swept_in_training() -> None:
    """All frames have the same masks of dropout, so that an oscillation is smooth."""
    model = tiny(dropout=EVERYWHERE)
    for path in model.parameters:
        assert_each_frame(model, path, (SOURCE, TARGET), training=True, seed=2)


def test_a_head_is_swept_by_its_number() -> None:
    model = tiny()
    trace = model(SOURCE, TARGET)
    whole = sweep(trace, "encoder.0.self_attn.W_q", (1, 4, 2), VALUES)
    head = sweep(trace, "encoder.0.self_attn.head.1.W_q", (4, 2), VALUES)
    np.testing.assert_array_equal(whole["output.logits"].value, head["output.logits"].value)


ARRAY = np.random.default_rng(5).normal(size=(2, 5, 5))
SCORES, HEAD = "encoder.0.self_attn.scores", "encoder.0.self_attn.head.1.scores"


@pytest.mark.parametrize("ids", [(SOURCE, TARGET), BATCH], ids=["one", "batch"])
@pytest.mark.parametrize(
    "overrides", [{SCORES: {(1, 2, 3): 4.5}}, {SCORES: ARRAY}, {HEAD: ARRAY[0]}], ids=str
)
def test_overridden_cells_stay_in_a_sweep(overrides: dict, ids: tuple) -> None:
    """They do not move when their inputs do."""
    model = tiny()
    swept_path, index = "encoder.0.self_attn.W_q", (1, 2, 1)
    swept = sweep(model(*ids, overrides=overrides), swept_path, index, VALUES)
    for frame, value in enumerate(VALUES):
        alone = model(*ids, overrides={**overrides, swept_path: {index: value}})
        for path in (SCORES, "output.logits"):
            found = swept[path].value
            found = found[frame] if "sweep" in swept[path].dims else found
            np.testing.assert_allclose(found, alone[path].value, atol=1e-12, err_msg=path)


def test_a_sweep_does_not_change_its_trace() -> None:
    trace = tiny()(SOURCE, TARGET)
    before = {path: trace[path].value.copy() for path in trace.paths()}
    sweep(trace, "source.W_e", (SOURCE[0], 0), VALUES)
    for path, value in before.items():
        np.testing.assert_array_equal(trace[path].value, value)


def test_a_tensor_and_its_copy_can_be_set_separately() -> None:
    def put(number: float) -> Callable[[np.ndarray], None]:
        return lambda frames: frames.fill(number)

    setters = {"source.sum": put(5), "source.dropout": put(7)}  # a copy, because dropout is off
    swept = sweep_by(tiny()(SOURCE, TARGET), 2, setters)
    assert [{*swept[path].value.flat} for path in setters] == [{5}, {7}]


def test_float32_stays_float32() -> None:
    swept = sweep(
        tiny(dtype="float32")(SOURCE, TARGET), "encoder.0.self_attn.W_q", (0, 1, 2), VALUES
    )
    assert {swept[path].value.dtype.name for path in swept.paths()} == {"float32", "int64"}


@pytest.mark.parametrize("training", [False, True])
def test_an_override_with_frames_is_a_sweep(training: bool) -> None:
    """A whole array with another axis in front is a sweep, by the same forward pass."""
    model = tiny(dropout=EVERYWHERE)
    path, index = "encoder.0.feed_forward.W_1", (3, 7)
    frames = np.repeat(model.parameters[path][None], 3, axis=0)
    frames[:, 3, 7] = VALUES
    overridden = model(SOURCE, TARGET, training=training, overrides={path: frames})
    swept = sweep(model(SOURCE, TARGET, training=training), path, index, VALUES)
    for name in swept.paths():
        assert overridden[name].dims == swept[name].dims, name
        np.testing.assert_allclose(overridden[name].value, swept[name].value, atol=1e-12)


def test_a_sweep_cannot_be_swept_again() -> None:
    """Neither a result of ``sweep`` nor a pass with frames."""
    path, model = "encoder.0.feed_forward.b_1", tiny()
    by_hand = model(SOURCE, TARGET, overrides={path: {3: [0.0, 1.0]}})
    for swept in (sweep(model(SOURCE, TARGET), path, 3, VALUES), by_hand):
        assert swept.leading == ("sweep",)
        with pytest.raises(ValueError, match=r"already.*trace\.frame"):
            sweep(swept, "source.W_e", (SOURCE[0], 0), VALUES)


def test_a_single_index_names_the_cell_of_a_vector() -> None:
    trace, path = tiny()(SOURCE, TARGET), "encoder.0.feed_forward.b_1"
    found, expected = (sweep(trace, path, index, VALUES) for index in (3, (3,)))
    np.testing.assert_array_equal(found["output.logits"].value, expected["output.logits"].value)


def test_the_loss_of_a_swept_batch_has_frames_and_no_axis_of_examples() -> None:
    model, cell = tiny(), ("encoder.0.self_attn.W_q", (0, 1, 2))
    ids, labels = BATCH, Labels([TARGET, TARGET])
    swept = sweep(model(*ids, labels=labels), *cell, VALUES)
    assert swept["output.loss"].dims == ("sweep",)
    assert swept["output.token_loss"].dims == ("sweep", "batch", "position")
    for t, value in enumerate(VALUES):
        alone = model(*ids, labels=labels, overrides={cell[0]: {cell[1]: value}})
        frame = swept.frame(t)
        assert frame["output.loss"].dims == ()
        assert frame["output.loss"].value == pytest.approx(alone["output.loss"].value, rel=1e-12)
        example = swept.example(1)
        assert example["output.loss"].dims == ("sweep",)
        one = model(
            *(side[1] for side in ids), labels=Labels(TARGET), overrides={cell[0]: {cell[1]: value}}
        )
        found = example.frame(t)["output.loss"].value
        assert found == pytest.approx(one["output.loss"].value, rel=1e-12)
