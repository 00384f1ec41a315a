import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.math.tiny import SOURCE, TARGET, VARIANTS, read_by, tiny
from transformer_math import Config, Trace, Transformer

SOURCE_IDS = st.lists(st.integers(0, 12), min_size=1, max_size=7)
TARGET_IDS = st.lists(st.integers(0, 16), min_size=2, max_size=7)
MODEL = tiny(encoder_layers=2, decoder_layers=2)
PRE = tiny(norm="pre", decoder_layers=2)
PADDED = tiny(source_pad=12, target_pad=16, norm="pre")
quick = settings(max_examples=25)


def own_rows(trace: Trace, path: str, stop: int) -> np.ndarray | None:
    """Return the first ``stop`` rows along the axis of the tensor's positions, if it has one."""
    tensor = trace[path]
    if "position" not in tensor.dims:
        return None
    return tensor.value.take(range(stop), axis=tensor.dims.index("position"))


@quick
@given(SOURCE_IDS, TARGET_IDS, st.data())
def test_a_later_token_does_not_change_earlier_rows_bit_for_bit(
    source: list[int], target: list[int], data: st.DataObject
) -> None:
    at = data.draw(st.integers(1, len(target) - 1))
    changed = list(target)
    changed[at] = (changed[at] + data.draw(st.integers(1, 16))) % 17
    for model in (MODEL, PRE):
        before, after = model(source, target), model(source, changed)
        for path in before.paths():
            if path.startswith(("target.", "decoder.", "output.")):
                old, new = own_rows(before, path, at), own_rows(after, path, at)
                if old is None or path.endswith((".k", ".v")):
                    continue
                if path.endswith("scores"):  # scores of later keys are hidden only afterward
                    old, new = old[..., :at], new[..., :at]
                np.testing.assert_array_equal(old, new, err_msg=path)
        assert not np.array_equal(before["output.logits"].value, after["output.logits"].value)


@quick
@given(
    st.lists(st.integers(0, 11), min_size=1, max_size=6),
    st.lists(st.integers(0, 15), min_size=1, max_size=6),
    st.integers(0, 4),
    st.integers(0, 4),
)
def test_padding_does_not_change_the_real_positions(
    source: list[int], target: list[int], source_pads: int, target_pads: int
) -> None:
    plain = PADDED(source, target)
    padded = PADDED(source + [12] * source_pads, target + [16] * target_pads)
    lengths = {"source": len(source), "encoder": len(source)}
    for path in plain.paths():
        if path.endswith(("mask", "ids", "scores", "weights", "weights_dropout")):
            continue  # they have more keys
        tensor = plain[path]
        axis = next((i for i, d in enumerate(tensor.dims) if d.endswith("position")), None)
        if axis is None:
            continue
        n = lengths.get(path.split(".")[0], len(target))
        if tensor.dims[axis] == "source_position":
            n = len(source)
        rows = padded[path].value.take(range(n), axis=axis)
        np.testing.assert_allclose(rows, tensor.value, atol=1e-11, err_msg=path)


@quick
@given(SOURCE_IDS, st.randoms())
def test_without_positions_the_encoder_ignores_the_order(source: list[int], random) -> None:
    model = tiny(positions="none", decoder_layers=0, encoder_layers=2)
    order = list(range(len(source)))
    random.shuffle(order)
    plain = model(source, None)["output.logits"].value
    shuffled = model([source[i] for i in order], None)["output.logits"].value
    np.testing.assert_allclose(shuffled, plain[order], atol=1e-11)


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(3))
def test_if_every_parameter_is_ten_no_number_is_nan(norm: str, dtype: str, seed: int) -> None:
    """±10 is the limit of the page's scale; the longest text has 64 tokens."""
    config = Config.preset("sandbox", norm=norm, dtype=dtype, encoder_layers=3, decoder_layers=3)
    random = np.random.default_rng(seed)
    signs = {0: lambda s: np.ones(s), 1: lambda s: -np.ones(s)}
    draw = signs.get(seed, lambda s: random.choice([-1.0, 1.0], s))
    model = Transformer(
        config, {path: 10 * draw(shape) for path, shape in config.parameter_shapes().items()}
    )
    trace = model(random.integers(0, 16, 64), random.integers(0, 16, 64))
    for path in trace.paths():
        value = trace[path].value
        assert not np.isnan(value).any(), path
        if not path.endswith(("mask", "masked_scores")):
            assert np.isfinite(value).all(), path
    for tensor in (trace[path] for path in trace if path.endswith(".weights")):
        np.testing.assert_allclose(tensor.value.sum(-1), 1, atol=1e-5)


def test_sequences_may_become_longer_than_any_before() -> None:
    """Sinusoids have no maximum, and those of a short sequence stay."""
    model = tiny()
    short = model(SOURCE, TARGET)["output.logits"].value
    random = np.random.default_rng(1)
    long = model(random.integers(0, 13, 700), random.integers(0, 17, 300))
    assert long["output.logits"].shape == (300, 17)
    assert np.isfinite(long["output.logits"].value).all()
    np.testing.assert_array_equal(model(SOURCE, TARGET)["output.logits"].value, short)


def test_learned_positions_have_a_maximum() -> None:
    with pytest.raises(ValueError, match=r"end at 7 tokens.*has 8"):
        tiny(positions="learned", max_positions=7)([1] * 8, TARGET)


@pytest.mark.parametrize("variant", VARIANTS)
def test_keeping_the_trace_does_not_change_the_logits(variant: str) -> None:
    model = tiny(**VARIANTS[variant])
    ids = read_by(model, SOURCE, TARGET)
    for training in (False, True):
        kept = model(*ids, training=training, seed=3)["output.logits"].value
        bare = model.logits(*ids, training=training, seed=3)
        np.testing.assert_array_equal(kept, bare)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_tensor_has_the_dtype_of_the_config(variant: str) -> None:
    model = tiny(**VARIANTS[variant])
    for training in (False, True):
        trace = model(*read_by(model, SOURCE, TARGET), training=training)
        for path in trace.paths():
            value = trace[path].value
            assert value.dtype == model.config.dtype or path.endswith("ids"), path
