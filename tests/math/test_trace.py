import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, VARIANTS, read_by, tiny
from transformer_math import DropoutRates, Labels, explain
from transformer_math.checks import NoSuchPath

TRACE = tiny(encoder_layers=2)(SOURCE, TARGET)


def test_the_upstream_of_a_score_contains_its_inputs() -> None:
    made_of = TRACE.upstream("encoder.0.self_attn.raw_scores")
    expected = ["source.W_e", "source.ids", "source.embedding", "source.positions", "source.sum"]
    expected += ["source.dropout"]
    expected += [f"encoder.0.self_attn.{n}" for n in ("W_q", "b_q", "q", "W_k", "b_k", "k")]
    assert sorted(made_of) == sorted(expected)


def test_upstream_and_downstream_are_inverse() -> None:
    for path in TRACE.paths():
        for other in TRACE.downstream(path):
            assert path in TRACE.upstream(other)


def test_every_tensor_affects_the_probabilities() -> None:
    before = set(TRACE.upstream("output.probabilities"))
    assert before == set(TRACE.paths()) - {"output.probabilities"}


def test_upstream_and_downstream_of_a_head_are_those_of_the_stack() -> None:
    stack, head = "encoder.1.self_attn.weights", "encoder.1.self_attn.head.1.weights"
    assert TRACE.downstream(head) == TRACE.downstream(stack)
    assert TRACE.upstream(head) == TRACE.upstream(stack)


def test_leaves_are_the_parameters_and_ids_and_masks() -> None:
    model = tiny(encoder_layers=2)
    given = {"source.ids", "target.ids", "target.mask"}
    leaves = {path for path, tensor in TRACE.tensors.items() if tensor.is_leaf}
    assert leaves == set(model.parameters) | given


def test_a_cell_of_a_head_is_located_in_its_stack() -> None:
    stack = "encoder.1.self_attn.weights"
    for path, index in ((stack, (1, 3, 2)), ("encoder.1.self_attn.head.1.weights", (3, 2))):
        tensor, cell = TRACE.locate(path, index)
        assert tensor is TRACE[stack]
        assert cell == (1, 3, 2)
    batch = tiny()([SOURCE, SOURCE], [TARGET, TARGET])
    tensor, cell = batch.locate("decoder.0.cross_attn.head.1.weights", (2, 4))
    assert tensor.value[(..., *cell)].shape == (2,)


SOURCES, TARGETS = [SOURCE, SOURCE[::-1], [1, 1, 3, 0, 2]], [TARGET, TARGET[::-1], [0, 0, 3]]
DROPPED = {"training": True, "seed": 4}


@pytest.mark.parametrize(
    "variant", ["padded", "pre", "learned_positions", "encoder_only", "post", "tied", "own_widths"]
)
def test_an_example_of_a_batch_equals_its_own_pass(variant: str) -> None:
    """Its loss, explanations and gradients equal those of the example alone, too."""
    model = tiny(**VARIANTS[variant])
    labels = SOURCES if variant == "encoder_only" else TARGETS
    overrides = {"encoder.0.self_attn.scores": {(1, 2, 0): 3.0}}
    whole = model(*read_by(model, SOURCES, TARGETS), labels=Labels(labels), overrides=overrides)
    for t, (source, target) in enumerate(zip(SOURCES, TARGETS, strict=True)):
        one, alone = (
            whole.frame(t),
            model(*read_by(model, source, target), labels=Labels(labels[t]), overrides=overrides),
        )
        assert one.leading == ()
        assert one.paths() == whole.paths()
        for path, tensor in one.tensors.items():
            if path in alone:  # masks are those of the whole batch
                assert tensor.dims == alone[path].dims
                np.testing.assert_allclose(
                    tensor.value, alone[path].value, atol=1e-12, err_msg=path
                )
            assert all(source is one[source.path] for source in tensor.inputs)
            last = tuple(n - 1 for n in tensor.shape)
            value = float(tensor.value[last])
            assert explain(one, path, last).evaluate() == pytest.approx(value, rel=1e-9, abs=1e-12)
        found, right = one.backward(), alone.backward()
        for path in model.parameters:
            np.testing.assert_allclose(found[path], right[path], atol=1e-12, err_msg=path)


def test_each_example_has_its_own_dropout_mask() -> None:
    model = tiny(dropout=DropoutRates(0.3, 0.3, 0.3, 0.3, 0.3))
    whole = model(SOURCES, TARGETS, **DROPPED)
    for t in range(3):
        one = whole.frame(t)
        for path in (p for p in one if p.endswith("dropout")):
            for index in np.ndindex(one[path].shape):
                value = float(one[path].value[index])
                assert explain(one, path, index).evaluate() == pytest.approx(value, rel=1e-12)


def test_a_pass_of_one_example_has_no_frames() -> None:
    with pytest.raises(ValueError, match="no sweep and no batch"):
        TRACE.frame(0)


def test_a_tensor_can_be_copied_with_changes() -> None:
    tensor = tiny()(SOURCE, TARGET, overrides={"source.sum": {(0, 0): 2.0}})["source.sum"]
    other = tensor.replace(symbol="Y")
    assert (other.symbol, other.value is tensor.value, other.path) == ("Y", True, tensor.path)
    assert other.override is tensor.override
    assert tensor.replace(override=None).override is None
    assert tensor.symbol == "X"


def test_an_unknown_path_raises_an_error_with_similar_paths() -> None:
    with pytest.raises(KeyError, match=r"encoder\.0\.self_attn\.weights"):
        TRACE["encoder.5.self_attn.weights"]
    with pytest.raises(KeyError, match="head"):
        TRACE["encoder.0.feed_forward.head.0.hidden"]
    with pytest.raises(KeyError, match="2"):
        TRACE["encoder.0.self_attn.head.2.q"]
    assert "encoder.0.self_attn.head.1.q" in TRACE
    assert "encoder.0.self_attn.head.2.q" not in TRACE


def test_a_path_is_contained_exactly_if_it_can_be_read() -> None:
    paths = [*TRACE, "encoder.0.self_attn.head.1.q", "encoder.0.self_attn.head.2.q"]
    paths += [
        "encoder.0.self_attn.head.0.concat",
        "encoder.0.head.0.q",
        "output",
        "",
        "output.loss",
    ]
    for path in paths:
        try:
            is_there = TRACE[path] is not None
        except NoSuchPath:
            is_there = False
        assert (path in TRACE) == is_there, path
    assert 3 not in TRACE
