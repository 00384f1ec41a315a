import pytest

from tests.math.tiny import SOURCE, TARGET, read_by, tiny
from transformer_math import sweep

ATTENTION = """
W_q b_q q W_k b_k k W_v b_v v raw_scores scores masked_scores weights context concat W_o b_o out
dropout residual gamma beta norm
"""
FEED_FORWARD = (
    "W_1 b_1 hidden activation activation_dropout W_2 b_2 out dropout residual gamma beta norm"
)
EMBEDDING = "W_e ids embedding positions sum dropout"
OUTPUT = "b_out W_out logits probabilities"


def under(prefix: str, leaves: str) -> set[str]:
    return {f"{prefix}.{leaf}" for leaf in leaves.split()}


def test_an_encoder_decoder_has_these_paths() -> None:
    expected = (
        under("source", EMBEDDING)
        | under("target", f"{EMBEDDING} mask")
        | under("encoder.0.self_attn", ATTENTION)
        | under("encoder.0.feed_forward", FEED_FORWARD)
        | under("decoder.0.self_attn", ATTENTION)
        | under("decoder.0.cross_attn", ATTENTION)
        | under("decoder.0.feed_forward", FEED_FORWARD)
        | under("output", OUTPUT)
    )
    assert set(tiny()(SOURCE, TARGET).paths()) == expected


def test_settings_add_and_remove_paths() -> None:
    plain = set(tiny()(SOURCE, TARGET).paths())

    def change(**settings) -> tuple[set[str], set[str]]:
        model = tiny(**settings)
        paths = set(model(*read_by(model, SOURCE, TARGET)).paths())
        return paths - plain, plain - paths

    finals = under("encoder.final", "gamma beta norm") | under("decoder.final", "gamma beta norm")
    assert change(norm="pre") == (finals, set())
    assert change(final_norm=True) == (finals, set())
    assert change(positions="none") == (set(), {"source.positions", "target.positions"})
    assert change(positions="learned") == ({"source.W_p", "target.W_p"}, set())
    assert change(output_bias=False) == (set(), {"output.b_out"})
    assert change(tie_output=True) == (set(), {"output.W_out"})
    assert change(source_pad=1) == ({"source.mask"}, set())
    biases = {path for path in plain if path.rpartition(".")[2] in {"b_q", "b_k", "b_v", "b_o"}}
    assert change(attention_bias=False) == (set(), biases)
    added, gone = change(decoder_layers=0)
    assert not added
    assert gone == {path for path in plain if path.startswith(("target.", "decoder."))}
    added, gone = change(encoder_layers=0)
    assert not added
    cross = {path for path in plain if "cross_attn" in path}
    assert gone == cross | {p for p in plain if p.startswith(("source.", "encoder."))}


def test_dropout_of_attention_weights_has_its_own_path() -> None:
    from transformer_math import DropoutRates

    model = tiny(dropout=DropoutRates(attention_weights=0.5))
    for training in (False, True):
        found = {p for p in model(SOURCE, TARGET, training=training) if "weights_dropout" in p}
        assert len(found) == 3


def test_unprojected_attention_has_its_own_paths() -> None:
    trace = tiny()(SOURCE, TARGET, with_unprojected=True)
    leaves = "raw_scores scores masked_scores weights context"
    assert set(trace.paths()) - set(tiny()(SOURCE, TARGET).paths()) == under(
        "source.unprojected", leaves
    )


DIMS = {
    "source.W_e": ("vocab", "d_model"),
    "source.ids": ("position",),
    "source.sum": ("position", "d_model"),
    "encoder.0.self_attn.W_q": ("head", "d_model", "d_k"),
    "encoder.0.self_attn.W_v": ("head", "d_model", "d_v"),
    "encoder.0.self_attn.b_q": ("head", "d_k"),
    "encoder.0.self_attn.W_o": ("head_d_v", "d_model"),
    "encoder.0.self_attn.q": ("head", "position", "d_k"),
    "encoder.0.self_attn.weights": ("head", "position", "key_position"),
    "encoder.0.self_attn.context": ("head", "position", "d_v"),
    "encoder.0.self_attn.concat": ("position", "head_d_v"),
    "decoder.0.cross_attn.k": ("head", "source_position", "d_k"),
    "decoder.0.cross_attn.weights": ("head", "position", "source_position"),
    "encoder.0.feed_forward.W_1": ("d_model", "d_ff"),
    "encoder.0.feed_forward.activation": ("position", "d_ff"),
    "encoder.0.feed_forward.gamma": ("d_model",),
    "target.mask": ("position", "key_position"),
    "output.W_out": ("d_model", "vocab"),
    "output.logits": ("position", "vocab"),
}


@pytest.mark.parametrize("path", DIMS)
def test_axes_have_these_names(path: str) -> None:
    model = tiny()
    trace = model(SOURCE, TARGET)
    assert trace[path].dims == DIMS[path]
    batch = model([SOURCE], [TARGET])[path].dims
    alike = trace[path].is_leaf and not path.endswith("ids")
    assert batch == (DIMS[path] if alike else ("batch", *DIMS[path]))


def test_every_axis_has_a_name() -> None:
    for ids in ((SOURCE, TARGET), ([SOURCE, SOURCE], [TARGET, TARGET])):
        trace = sweep(tiny()(*ids), "source.W_e", (1, 2), [0.0, 1.0])
        for path in trace.paths():
            tensor = trace[path]
            assert len(tensor.dims) == len(tensor.shape) == len(set(tensor.dims)), path


def test_paths_are_in_the_order_of_computation() -> None:
    for settings in ({}, {"norm": "pre"}, {"tie_output": True}):
        trace = tiny(**settings)(SOURCE, TARGET)
        seen: set[int] = set()
        for path in trace.paths():
            assert all(id(source) in seen for source in trace[path].inputs), path
            seen.add(id(trace[path]))
        assert trace.paths()[-2:] == ["output.logits", "output.probabilities"]


def test_every_tensor_of_a_trace_has_its_own_path() -> None:
    trace = tiny()(SOURCE, TARGET)
    assert [trace[path].path for path in trace.paths()] == trace.paths()
    view = trace["decoder.0.cross_attn.head.1.weights"]
    assert view.path == "decoder.0.cross_attn.head.1.weights"
    assert view.dims == ("position", "source_position")
    assert view.value.base is not None, "a view, not a copy"
