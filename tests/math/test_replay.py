"""A replayed pass equals a new one, bit for bit, and shares no tensor with it."""

from typing import Any

import numpy as np
import pytest

from transformer_math import Config, Trace, Transformer
from transformer_math.config import DropoutRates
from transformer_math.ops.loss import Labels

SIZES: dict[str, Any] = {"d_model": 8, "heads": 2, "d_ff": 16}
WORDS: dict[str, Any] = {"source_vocabulary": 9, "target_vocabulary": 9, "target_pad": 0}


def same(one: Trace, other: Trace) -> None:
    assert list(one.tensors) == list(other.tensors)
    for path, tensor in one.tensors.items():
        twin = other.tensors[path]
        assert np.array_equal(tensor.value, twin.value), path
        assert (tensor.dims, tensor.symbol, tensor.path) == (twin.dims, twin.symbol, twin.path)
        assert [each.path for each in tensor.inputs] == [each.path for each in twin.inputs]
        assert all(one.tensors[each.path] is each for each in tensor.inputs), path


@pytest.mark.parametrize("settings", [{}, {"norm": "pre"}, {"positions": "learned"}, {"bias": 1}])
@pytest.mark.parametrize("unprojected", [False, True])
def test_a_second_pass_equals_that_of_a_new_model(settings: dict, unprojected: bool) -> None:
    biases = settings == {"bias": 1}
    more = {"attention_bias": True, "output_bias": True} if biases else settings
    config = Config(**SIZES, **WORDS, source_pad=0, **more)
    model = Transformer.create(config, 3)
    for source, target in (([1, 2, 3], [4, 5]), ([3, 8], [1, 2, 7, 7]), ([1, 0], [2, 0])):
        for labels in (
            None,
            Labels(target, 0.1),
            Labels(target, 0.2),
            Labels(target, 0.2, "torch"),
        ):
            asked = {"labels": labels, "with_unprojected": unprojected}
            for _ in range(2):
                fresh = Transformer(config, model.parameters)
                same(model(source, target, **asked), fresh(source, target, **asked))


def test_batches_and_single_examples_may_follow_each_other() -> None:
    config = Config(**SIZES, **WORDS)
    model = Transformer.create(config, 3)
    for ids in ([1, 2], [[1, 2], [3, 4]], [5, 6], [[7, 8]], [[1, 2], [3, 4]]):
        same(model(ids, ids), Transformer(config, model.parameters)(ids, ids))
        assert model(ids, ids).leading == (("batch",) if np.ndim(ids) > 1 else ())


def test_passes_with_overrides_or_dropout_are_not_replayed() -> None:
    config = Config(**SIZES, **WORDS, dropout=DropoutRates(embedding=0.5))
    model = Transformer.create(config, 3)
    plain = model([1, 2], [3])
    changed = {"encoder.0.self_attn.q": {(0, 0, 0): 7.0}}
    for _ in range(2):
        assert model([1, 2], [3], overrides=changed)["encoder.0.self_attn.q"].value[0, 0, 0] == 7
        assert any(
            not np.array_equal(tensor.value, plain[path].value)
            for path, tensor in model([1, 2], [3], training=True).tensors.items()
        )
        same(model([1, 2], [3]), plain)


def test_parameters_that_are_overridden_are_replayed_in_other_passes() -> None:
    model = Transformer.create(Config(**SIZES, **WORDS), 3)
    path = "encoder.0.self_attn.W_q"
    whole = np.full(model.parameters[path].shape, 0.5, np.float32)
    settings: list[Any] = [
        {path: {(1, 2, 3): 7.0}, "target.W_e": {(4, 0): -2.0}},
        {f"{path.replace('W_q', 'head.1.W_q')}": whole[1]},
        {path: whole},
    ]
    for ids in ([1, 2, 4], [[1, 2], [3, 4]]):
        for changed in [*settings, *settings]:
            fresh = Transformer(model.config, model.parameters)
            one, other = (each(ids, ids, overrides=changed) for each in (model, fresh))
            same(one, other)
            for name in (path, "target.W_e", "encoder.0.self_attn.q"):
                for what in ("overridden", "computed"):
                    found, expected = getattr(one[name], what), getattr(other[name], what)
                    assert (found is None) == (expected is None)
                    assert found is None or np.array_equal(found, expected)
        same(model(ids, ids), Transformer(model.config, model.parameters)(ids, ids))


def test_frames_and_hooks_of_a_parameter_are_not_replayed() -> None:
    model = Transformer.create(Config(**SIZES, **WORDS), 3)
    path = "encoder.0.self_attn.W_q"
    for _ in range(2):
        swept = model([1, 2], [3], overrides={path: {(0, 0, 0): np.array([1.0, 2.0])}})
        assert swept.leading == ("sweep",)
        calls: list[int] = []
        hooked = model([1, 2], [3], hooks={path: lambda W, seen=calls: seen.append(1) or W * 2})
        assert calls == [1]
        np.testing.assert_array_equal(hooked[path].value, model.parameters[path] * 2)
        assert model([1, 2], [3]).leading == ()


def test_two_passes_share_no_tensor_and_keep_their_own_gradients() -> None:
    model = Transformer.create(Config(**SIZES, **WORDS), 3)
    asked = {"labels": Labels([4, 5])}
    first, second, third = (model([1, 2], [3, 4], **asked) for _ in range(3))
    second.backward()
    for path, tensor in second.tensors.items():
        assert tensor is not first[path]
        assert tensor is not third[path]
        assert third[path].grad is None
    third.backward()
    assert np.array_equal(third["source.W_e"].grad, second["source.W_e"].grad)


def test_a_pass_computes_only_tensors_that_differ_from_the_last_pass() -> None:
    config = Config(**SIZES, **WORDS, encoder_layers=2)
    model, other = Transformer.create(config, 3), Transformer.create(config, 4)
    path = "encoder.1.self_attn.W_q"
    kept = ("encoder.0.norm", "encoder.1.self_attn.k", "decoder.0.self_attn.out")
    again = {"labels": Labels([4, 5]), "overrides": {path: {(0, 0, 0): 7.0}}}
    first = model([1, 2], [3, 4], labels=Labels([4, 5]))
    for before in (first, other([1, 2], [3, 4], labels=Labels([4, 5]))):
        found = model([1, 2], [3, 4], **again, before=before)
        same(found, Transformer(config, model.parameters)([1, 2], [3, 4], **again))
        assert found[path].overridden.sum() == 1
        is_of_model = before is first
        for name in first:
            is_kept = found[name].value is before[name].value
            assert not is_kept or is_of_model
            assert is_kept or name not in kept or not is_of_model
    target = model([1, 2], [3, 5, 6], before=model([1, 2], [3, 4]))
    same(target, Transformer(config, model.parameters)([1, 2], [3, 5, 6]))


def test_cells_that_the_last_pass_overrode_or_dropped_are_computed_again() -> None:
    config = Config(**SIZES, **WORDS, dropout=DropoutRates(embedding=0.5))
    model = Transformer.create(config, 3)
    plain = model([1, 2], [3])
    changed = {"encoder.0.self_attn.q": {(0, 0, 0): 7.0}}
    for others in ({"overrides": changed}, {"training": True}):
        before = model([1, 2], [3], **others)
        same(model([1, 2], [3], before=before), plain)
        same(model([1, 2], [3], before=plain, **others), before)
