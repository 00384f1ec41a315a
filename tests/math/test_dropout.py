import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, tiny
from transformer_math import DropoutRates, Trace, Transformer, ops

SITES = {
    "embedding": ["source.dropout", "target.dropout"],
    "attention_weights": [
        "encoder.0.self_attn.weights_dropout",
        "decoder.0.self_attn.weights_dropout",
        "decoder.0.cross_attn.weights_dropout",
    ],
    "attention_output": [
        "encoder.0.self_attn.dropout",
        "decoder.0.self_attn.dropout",
        "decoder.0.cross_attn.dropout",
    ],
    "activation": [
        "encoder.0.feed_forward.activation_dropout",
        "decoder.0.feed_forward.activation_dropout",
    ],
    "feed_forward_output": ["encoder.0.feed_forward.dropout", "decoder.0.feed_forward.dropout"],
}
PRESETS = {
    "paper": {"embedding", "attention_output", "feed_forward_output"},
    "after_activation": {"embedding", "attention_output", "activation"},
    "torch": {"attention_weights", "attention_output", "activation", "feed_forward_output"},
}
EVERYWHERE = DropoutRates(**dict.fromkeys(SITES, 0.3))
MODEL = tiny(dropout=EVERYWHERE)


def dropping(trace: Trace) -> set[str]:
    """Return the paths at which numbers were drawn."""
    return {path for path in trace.paths() if isinstance(trace[path].op, ops.Dropout)}


def train(seed: int | None, model: Transformer = MODEL) -> Trace:
    return model(SOURCE, TARGET, training=True, seed=seed)


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_drops_at_its_sites(preset: str) -> None:
    rates = getattr(DropoutRates, preset)(0.25)
    trace = train(1, tiny(dropout=rates))
    expected = {path for site in PRESETS[preset] for path in SITES[site]}
    assert dropping(trace) == expected
    assert {trace[path].op.rate for path in expected} == {0.25}


@pytest.mark.parametrize("site", SITES)
def test_each_site_has_its_own_rate(site: str) -> None:
    trace = train(1, tiny(dropout=DropoutRates(**{site: 0.4})))
    assert dropping(trace) == set(SITES[site])


def test_outside_training_no_number_is_dropped() -> None:
    """The numbers equal those of a model without dropout, bit for bit, with any seed."""
    plain = tiny()(SOURCE, TARGET)
    for seed in (None, 1):
        trace = MODEL(SOURCE, TARGET, seed=seed)
        assert not dropping(trace)
        for path in plain.paths():
            np.testing.assert_array_equal(trace[path].value, plain[path].value)


def test_kept_cells_are_scaled_and_dropped_ones_zero() -> None:
    trace = train(4)
    for path in dropping(trace):
        tensor = trace[path]
        (x,) = tensor.inputs
        assert tensor.op.kept.shape == tensor.value.shape
        expected = np.where(tensor.op.kept, x.value / 0.7, 0)
        np.testing.assert_allclose(tensor.value, expected, rtol=1e-15, err_msg=path)


def test_later_tensors_use_only_the_numbers_after_dropout() -> None:
    """No tensor reads the numbers before dropout, and all numbers after it affect the output."""
    trace = train(4)
    for path in dropping(trace):
        (before,) = trace[path].inputs
        readers = [p for p in trace.paths() if any(i is before for i in trace[p].inputs)]
        assert readers == [path]
        assert "output.logits" in trace.downstream(path)


def test_the_same_seed_draws_the_same_masks() -> None:
    one, other = train(4), train(4)
    for path in one.paths():
        np.testing.assert_array_equal(one[path].value, other[path].value)


def test_another_seed_draws_other_masks() -> None:
    one, other = train(4), train(5)
    assert any((one[path].op.kept != other[path].op.kept).any() for path in dropping(one))
    assert not np.array_equal(one["output.logits"].value, other["output.logits"].value)


def test_each_site_has_its_own_mask() -> None:
    """Even sites of the same shape with the same seed."""
    model = tiny(dropout=EVERYWHERE, encoder_layers=2, d_model=24)
    trace = train(4, model)
    shaped = [path for path in dropping(trace) if trace[path].shape == (len(SOURCE), 24)]
    masks = {trace[path].op.kept.tobytes() for path in shaped}
    assert len(shaped) == len(masks) == 5


def test_a_mask_does_not_depend_on_other_sites_or_layers() -> None:
    """So a mask stays when a layer is added or another rate is changed."""
    one = train(4)
    deeper = train(4, tiny(dropout=EVERYWHERE, encoder_layers=3, decoder_layers=2))
    fewer = train(4, tiny(dropout=DropoutRates(embedding=0.3)))
    for path in dropping(one):
        np.testing.assert_array_equal(one[path].op.kept, deeper[path].op.kept)
    for path in SITES["embedding"]:
        np.testing.assert_array_equal(one[path].op.kept, fewer[path].op.kept)


def test_a_higher_rate_drops_also_the_cells_that_a_lower_rate_drops() -> None:
    """The same random numbers are compared with the rate, so the slider adds cells one by one."""
    low, high = (train(4, tiny(dropout=DropoutRates(embedding=rate))) for rate in (0.2, 0.6))
    path = "source.dropout"
    assert not (high[path].op.kept & ~low[path].op.kept).any()


def test_the_share_of_dropped_cells_is_the_rate() -> None:
    model = tiny(dropout=DropoutRates(embedding=0.3), d_model=128)
    kept = model([1] * 300, TARGET, training=True, seed=0)["source.dropout"].op.kept
    assert abs(kept.mean() - 0.7) < 0.01  # four deviations of 38,400 draws


def test_each_example_of_a_batch_has_its_own_mask() -> None:
    trace = MODEL([SOURCE, SOURCE], [TARGET, TARGET], training=True, seed=4)
    kept = trace["source.dropout"].op.kept
    assert (kept[0] != kept[1]).any()
