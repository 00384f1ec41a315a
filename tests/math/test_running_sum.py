"""A logit as a running sum along the stream: its sum is exact, and its parts are computed again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.math.tiny import SOURCE, TARGET, VARIANTS, tiny
from transformer_math.config import DropoutRates
from transformer_math.experiments import lens, running_sum

EVERYWHERE = DropoutRates(**dict.fromkeys(DropoutRates.__dataclass_fields__, 0.3))
MODELS = [
    *(changes for changes in VARIANTS.values() if "output_transform" not in changes),
    {**VARIANTS["bert"], "output_transform": False, "dropout": EVERYWHERE},
    {"residual": False},
    {"residual": False, "norm": "pre"},
    {"decoder_layers": 2, "norm": "pre", "final_norm": True, "dropout": EVERYWHERE},
    {"decoder_layers": 2, "dropout": EVERYWHERE},
]


def run(model, **options):
    has = model.config
    source = SOURCE if has.encoder_layers else None
    target = TARGET if has.decoder_layers else None
    return model(source, target, **options)


@pytest.mark.parametrize("changes", MODELS, ids=str)
@pytest.mark.parametrize("carried", [False, True])
@pytest.mark.parametrize("row", [0, 2])
def test_the_parts_add_up_to_the_model_s_own_logit(changes, row, carried):
    """Also if the parts are carried to the end, where no other part is left."""
    model = tiny(**changes)
    trace = run(model, training="dropout" in changes, seed=3)
    stack = "decoder" if model.config.decoder_layers else "encoder"
    for word in (0, 5):
        found = running_sum(trace, stack, row, word, carried=carried)
        parts = [part for level in found.levels for part in level.parts]
        total = found.bias + sum(part.logit for part in parts)
        own = trace["output.logits"].value[row, word]
        exact = 1e-4 if model.config.dtype == "float32" else 1e-10
        assert total == pytest.approx(found.logit, abs=1e-10)
        assert found.logit == pytest.approx(own, abs=exact)
        assert not any(level.is_set for level in found.levels)
        assert max(abs(p.logit) for p in parts if p.name == "rest") < exact
        assert not (carried and any(part.name == "kept" for part in parts))


def test_an_output_with_its_own_network_has_no_sum():
    trace = run(tiny(**VARIANTS["bert"]))
    with pytest.raises(ValueError, match="has a network of its own"):
        running_sum(trace, "encoder", 1, 5)


def test_a_carried_part_is_the_slope_if_deviations_are_fixed():
    """The reference is a pass whose norms are hooked to the deviations of the unchanged pass."""
    model = tiny(decoder_layers=2)
    trace = run(model)
    row, word, path = 1, 4, "decoder.0.self_attn.head.1.context"
    norms = [p for p in trace.paths() if p.startswith("decoder.") and p.endswith(".norm")]

    def held(norm):
        x = trace[norm].inputs[0]
        gamma, beta = (trace[norm.replace("norm", leaf)].value for leaf in ("gamma", "beta"))
        deviation = np.sqrt(x.value.var(-1, keepdims=True) + model.config.epsilon)
        return lambda x: gamma * (x - x.mean(-1, keepdims=True)) / deviation + beta

    def end(step):
        """Return the logit after adding a multiple of the head's part to the row."""
        W = model.parameters["decoder.0.self_attn.W_o"]
        width = len(W) // 2
        added = trace[path].value[row] @ W[width:]
        residual = trace["decoder.0.self_attn.residual"].value.copy()
        residual[row] += step * added
        stream = held(norms[0])(residual)
        for norm in norms[1:]:
            out = trace[norm.replace("norm", "out")].value
            stream = held(norm)(stream + out)
        return stream[row] @ model.parameters["output.W_out"][:, word]

    found = running_sum(trace, "decoder", row, word, carried=True)
    part = found.levels[1].parts[1]
    assert part.path == path
    slope = end(0.5) - end(-0.5)
    assert part.logit == pytest.approx(slope, abs=1e-9)


@pytest.mark.parametrize("changes", MODELS, ids=str)
def test_the_partial_logits_equal_those_of_the_lens(changes):
    model = tiny(**changes)
    trace = run(model)
    stack = "decoder" if model.config.decoder_layers else "encoder"
    one, other = (running_sum(trace, stack, 1, word) for word in (2, 7))
    read = lens(model, trace, stack)
    assert [level.path for level in one.levels] == list(read)
    for a, b, probabilities in zip(one.levels, other.levels, read.values(), strict=True):
        ratio = np.log(probabilities[1, 2] / probabilities[1, 7])
        exact = 1e-4 if model.config.dtype == "float32" else 1e-9
        assert a.logit - b.logit == pytest.approx(ratio, abs=exact)


@pytest.mark.parametrize("sublayer", ["self_attn", "cross_attn"])
def test_without_norms_the_part_of_a_head_is_the_change_when_it_is_removed(sublayer):
    model = tiny(norm="pre", final_norm=False)
    trace = run(model)
    word, row = 4, 1
    found = running_sum(trace, "decoder", row, word)
    (level,) = [x for x in found.levels if x.sublayer == f"decoder.0.{sublayer}"]
    column = model.parameters["output.W_out"][:, word]
    for part in level.parts[:2]:
        assert part.name == "head"
        context = trace[part.path].value
        without = run(model, overrides={part.path: np.zeros_like(context)})
        lost = trace[level.path].value[row] - without[level.path].value[row]
        assert part.logit == pytest.approx(column @ lost, abs=1e-10)
        assert part.length == pytest.approx(np.linalg.norm(lost), abs=1e-10)


def test_with_post_norm_the_parts_use_the_deviation_of_their_own_sublayer():
    model = tiny()
    trace = run(model)
    row, word, at = 2, 3, "decoder.0.feed_forward."
    found = running_sum(trace, "decoder", row, word)
    parts = {part.name: part.logit for part in found.levels[-1].parts}
    x = trace[at + "residual"].value[row]
    deviation = np.sqrt(((x - x.mean()) ** 2).sum() / len(x) + model.config.epsilon)
    scaled = model.parameters["output.W_out"][:, word] * model.parameters[at + "gamma"] / deviation
    scaled = scaled - scaled.mean()  # u·(v − mean v) is (u − mean u)·v
    W, b = model.parameters[at + "W_2"], model.parameters[at + "b_2"]
    assert parts["network"] == pytest.approx(trace[at + "activation"].value[row] @ W @ scaled)
    assert parts["bias"] == pytest.approx(b @ scaled)
    column = model.parameters["output.W_out"][:, word]
    before = trace["decoder.0.cross_attn.norm"].value[row]
    assert parts["kept"] == pytest.approx(before @ scaled - before @ column)
    assert parts["beta"] == pytest.approx(model.parameters[at + "beta"] @ column)
    assert found.is_post_norm


@pytest.mark.parametrize("changes", MODELS, ids=str)
def test_multiplying_a_part_changes_the_logit_as_stated(changes):
    """The reference is a pass in which the numbers of the part are multiplied."""
    model = tiny(**changes)
    options = {"training": "dropout" in changes, "seed": 3}
    trace = run(model, **options)
    stack = "decoder" if model.config.decoder_layers else "encoder"
    row, word = 1, 5
    exact = 1e-3 if model.config.dtype == "float32" else 1e-9
    tried = 0
    for k, level in enumerate(running_sum(trace, stack, row, word).levels):
        for j, part in enumerate(level.parts):
            if part.spread is None or part.name not in ("head", "network", "embedding"):
                continue
            numbers = trace[part.path].value[row]
            for factor in (-1.5, 3.0):
                cells = {(row, c): float(factor * x) for c, x in enumerate(numbers)}
                other = run(model, overrides={part.path: cells}, **options)
                found = running_sum(other, stack, row, word).levels[k].parts[j]
                assert part.at(factor) == pytest.approx(found.logit, abs=exact, rel=exact)
                tried += 1
    is_read_through_two = model.config.has_final_norm and model.config.norm == "post"
    assert tried or is_read_through_two


@pytest.mark.parametrize("carried", [False, True])
def test_overridden_cells_are_the_rest_of_their_step(carried):
    model = tiny()
    path = "decoder.0.cross_attn.out"
    trace = run(model, overrides={path: {(1, 2): 5.0}})
    found = running_sum(trace, "decoder", 1, 3, carried=carried)
    assert [level.path for level in found.levels if level.is_set] == ["decoder.0.cross_attn.norm"]
    assert found.logit == pytest.approx(trace["output.logits"].value[1, 3])
    others = running_sum(trace, "decoder", 2, 3, carried=carried)
    assert not any(level.is_set for level in others.levels)


@given(st.integers(0, 2), st.integers(0, 16))
def test_lengths_are_those_of_the_vectors(row, word):
    trace = run(tiny())
    for level in running_sum(trace, "decoder", row, word).levels:
        assert level.length == pytest.approx(np.linalg.norm(trace[level.path].value[row]))
        if level.sublayer:
            out = trace[f"{level.sublayer}.out"].value[row]
            assert level.added == pytest.approx(np.linalg.norm(out))
