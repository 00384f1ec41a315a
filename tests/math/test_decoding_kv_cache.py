from typing import Any

import numpy as np
import pytest

from tests.math.tiny import SOURCE, VARIANTS, read_by, tiny
from transformer_math.decoding import Decoder
from transformer_math.decoding.kv_cache import IncrementalScope

DEEP = {
    name: {"decoder_layers": 2, **changes}
    for name, changes in VARIANTS.items()
    if changes.get("decoder_layers") != 0
}
DEEP["two_encoders"] = {"encoder_layers": 2, "decoder_layers": 3, "norm": "pre"}
DEEP["no_causal_mask"] = {"decoder_layers": 2, "causal_mask": False}
DEEP["no_causal_mask_padded"] = {**DEEP["no_causal_mask"], "source_pad": 1, "target_pad": 7}
DEEP["dropout_is_off"] = {"dropout": tiny().config.dropout.torch(0.5)}
SOURCES = np.array([[3, 1, 4, 1, 5], [2, 6, 5, 1, 1], [9, 0, 2, 6, 5]])  # 1 is padding, if any
TARGETS = np.array([[2, 7, 1, 7, 16, 4], [2, 3, 7, 7, 5, 1], [2, 7, 7, 7, 7, 0]])  # or 7


def full(model: Any, sources: np.ndarray | None, targets: np.ndarray) -> np.ndarray:
    return model.logits(*read_by(model, sources, targets))[:, -1]


@pytest.mark.parametrize("name", DEEP)
def test_each_step_equals_the_last_row_of_a_whole_pass(name: str) -> None:
    model = tiny(**DEEP[name])
    tolerance = 1e-12 if model.config.dtype == "float64" else 1e-4
    decoder = Decoder(model, SOURCES if model.config.encoder_layers else None)
    for n in range(TARGETS.shape[1]):
        logits = decoder.step(TARGETS[:, n])
        expected = full(model, SOURCES, TARGETS[:, : n + 1])
        assert logits.dtype == model.config.dtype
        np.testing.assert_allclose(logits, expected, rtol=0, atol=tolerance, err_msg=f"step {n}")
    np.testing.assert_array_equal(decoder.ids, TARGETS)


@pytest.mark.parametrize("name", DEEP)
def test_several_tokens_are_appended_at_once_and_rows_can_be_reordered(name: str) -> None:
    model = tiny(**DEEP[name])
    tolerance = 1e-12 if model.config.dtype == "float64" else 1e-4
    decoder = Decoder(model, SOURCES if model.config.encoder_layers else None)
    decoder.step(TARGETS[:, :3])
    rows = [2, 0, 0, 1, 2]
    decoder.reorder(rows)
    logits = decoder.step(TARGETS[rows, 3:5])
    expected = full(model, SOURCES[rows], TARGETS[rows, :5])
    np.testing.assert_allclose(logits, expected, rtol=0, atol=tolerance)
    decoder.reorder([3])
    logits = decoder.step([11])
    ids = np.array([[*TARGETS[1, :5], 11]])
    np.testing.assert_allclose(logits, full(model, SOURCES[1:2], ids), rtol=0, atol=tolerance)


def test_a_long_target_extends_the_cache() -> None:
    model = tiny(decoder_layers=2)
    ids = np.random.default_rng(3).integers(0, 17, (2, 40))
    decoder = Decoder(model, SOURCES[:2])
    for n in range(40):
        logits = decoder.step(ids[:, n])
    np.testing.assert_allclose(logits, full(model, SOURCES[:2], ids), rtol=0, atol=1e-12)


def test_only_the_newest_position_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: dict[str, list[int]] = {}
    run = IncrementalScope.__call__

    def watched(self: IncrementalScope, leaf: str, op: Any, *inputs: np.ndarray) -> np.ndarray:
        value = run(self, leaf, op, *inputs)
        rows.setdefault(self.prefix + leaf, []).append(value.shape[-2])
        return value

    monkeypatch.setattr(IncrementalScope, "__call__", watched)
    decoder = Decoder(tiny(), SOURCE)
    for token in (2, 7, 1):
        decoder.step([token])
    keys = {"decoder.0.self_attn.k", "decoder.0.self_attn.v"}
    memory = {"decoder.0.cross_attn.k", "decoder.0.cross_attn.v"}
    assert keys | memory < rows.keys()
    for path, counts in rows.items():
        expected = [1, 2, 3] if path in keys else [5, 5, 5] if path in memory else [1, 1, 1]
        assert counts == expected, path


def test_the_memory_is_projected_only_once() -> None:
    decoder = Decoder(tiny(), SOURCE)
    decoder.step([2])
    first = dict(decoder._cache.cross)
    decoder.step([3])
    assert first
    assert all(decoder._cache.cross[path] is array for path, array in first.items())


def test_a_refused_step_does_not_change_the_decoder() -> None:
    model = tiny(positions="learned", max_positions=3)
    sources = SOURCES[:, :3]
    decoder = Decoder(model, sources)
    decoder.step(TARGETS[:, :2])
    with pytest.raises(ValueError, match="end at 3 tokens, and the sequence has 4"):
        decoder.step(TARGETS[:, 2:4])
    logits = decoder.step(TARGETS[:, 2])
    expected = full(model, sources, TARGETS[:, :3])
    np.testing.assert_allclose(logits, expected, rtol=0, atol=1e-12)


def test_a_decoder_refuses_wrong_steps() -> None:
    with pytest.raises(ValueError, match="encoder-only model has no decoder"):
        Decoder(tiny(decoder_layers=0), SOURCE)
    with pytest.raises(ValueError, match="source_ids is missing"):
        Decoder(tiny(), None)
    with pytest.raises(ValueError, match="reads no source"):
        Decoder(tiny(encoder_layers=0), SOURCE)
    decoder = Decoder(tiny(), SOURCES)
    with pytest.raises(ValueError, match="ids for 2 rows, and 3 are decoded"):
        decoder.step([1, 2])
    with pytest.raises(ValueError, match="from 0 to 16"):
        decoder.step([1, 2, 17])
    with pytest.raises(ValueError, match="Call step before reorder"):
        decoder.reorder([0])
    decoder.step([2, 2, 2])
    for rows in ([3], [-1]):
        with pytest.raises(ValueError, match="from 0 to 2"):
            decoder.reorder(rows)
    for rows in ([], [0.5], [[0]]):
        with pytest.raises(ValueError, match="list of whole numbers"):
            decoder.reorder(rows)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_logits_that_are_nan_are_refused(bad: float) -> None:
    model = tiny()
    bias = np.zeros(17)
    bias[3] = bad
    with pytest.raises(ValueError, match="logits are not finite"):
        Decoder(model.with_parameters({"output.b_out": bias}), SOURCE).step([2])
