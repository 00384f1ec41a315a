"""Whole models, compared with PyTorch: every intermediate result, not only the output."""

import numpy as np
import pytest

from tests.math.stored import Stored, load
from transformer_math import Config, Trace, Transformer, positional

CASES = [
    "torch_post_relu",
    "torch_pre_relu",
    "torch_post_gelu_padded",
    "torch_pre_gelu_padded",
    "torch_no_bias",
    "torch_encoder_only",
    "torch_decoder_only",
]
SETTINGS = [
    *("d_model", "heads", "d_ff", "encoder_layers", "decoder_layers"),
    *("source_vocabulary", "target_vocabulary", "source_pad", "target_pad"),
    *("norm", "activation"),
]
STORED = {name: load(name) for name in CASES}


def config_of(stored: Stored, dtype: str) -> Config:
    return Config(**{name: stored.config[name] for name in SETTINGS}, dtype=dtype)


def run(stored: Stored, dtype: str) -> Trace:
    model = Transformer.from_torch(stored.under("state"), config_of(stored, dtype))
    return model(stored.arrays.get("source_ids"), stored.arrays.get("target_ids"))


def assert_near(found: np.ndarray, expected: np.ndarray, tolerance: float, path: str) -> None:
    """Compare within a tolerance of the largest entry; masked scores are −∞ in both."""
    hidden = np.isneginf(expected)
    np.testing.assert_array_equal(np.isneginf(found), hidden, err_msg=path)
    scale = max(1.0, np.abs(expected[~hidden]).max())
    np.testing.assert_allclose(
        found[~hidden], expected[~hidden], rtol=0, atol=tolerance * scale, err_msg=path
    )


@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-12), ("float32", 1e-5)])
@pytest.mark.parametrize("name", CASES)
def test_every_intermediate_equals_the_reference(name: str, dtype: str, tolerance: float) -> None:
    stored = STORED[name]
    trace = run(stored, dtype)
    for path, expected in stored.under("value").items():
        tensor = trace[path]
        assert tensor.value.dtype == dtype, path
        assert tensor.value.shape == expected.shape, path
        assert_near(tensor.value, expected, tolerance, path)


@pytest.mark.parametrize("name", CASES)
def test_every_intermediate_has_a_reference(name: str) -> None:
    """Except for tensors of operations that are off."""
    stored = STORED[name]
    trace = run(stored, "float64")
    references = stored.under("value")
    for path in trace.paths():
        tensor = trace[path]
        if path not in references and not tensor.is_leaf:
            assert path.endswith(("dropout", "masked_scores")), path
            np.testing.assert_array_equal(tensor.value, tensor.inputs[0].value)


@pytest.mark.parametrize("name", CASES)
def test_every_parameter_of_the_state_is_used(name: str) -> None:
    """Both have as many numbers; a norm without bias lacks them and gets β = 0."""
    stored = STORED[name]
    model = Transformer.from_torch(stored.under("state"), config_of(stored, "float64"))
    given = sum(array.size for array in stored.under("state").values())
    betas = [value for path, value in model.parameters.items() if path.endswith("beta")]
    if not stored.config["bias"]:
        assert not any(beta.any() for beta in betas)
        given += sum(beta.size for beta in betas)
    assert sum(value.size for value in model.parameters.values()) == given
    assert model.config.parameter_count() == given


@pytest.mark.parametrize("name", ["torch_post_relu", "torch_pre_relu"])
def test_one_example_needs_no_batch_axis(name: str) -> None:
    stored = STORED[name]
    model = Transformer.from_torch(stored.under("state"), config_of(stored, "float64"))
    trace = model(stored.arrays["source_ids"][0], stored.arrays["target_ids"][0])
    for path, expected in stored.under("value").items():
        row = expected if path.endswith("positions") else expected[0]
        assert_near(trace[path].value, row, 1e-12, path)


def test_a_state_that_does_not_fit_is_refused() -> None:
    stored = STORED["torch_post_relu"]
    state, config = stored.under("state"), config_of(stored, "float64")
    with pytest.raises(ValueError, match=r"generator|output"):
        Transformer.from_torch({**state, "generator.weight": np.zeros((3, 14))}, config)
    with pytest.raises(ValueError, match="extra"):
        Transformer.from_torch({**state, "extra.weight": np.zeros(3)}, config)
    del state["encoder.layers.1.linear1.weight"]
    with pytest.raises(ValueError, match=r"encoder\.layers\.1\.linear1\.weight"):
        Transformer.from_torch(state, config)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("prefix", ["", "transformer.", "module.net."])
def test_the_config_is_derived_from_the_state(name: str, prefix: str) -> None:
    """Also if a module around the Transformer adds a prefix to the names."""
    stored = STORED[name]
    around = prefix.split(".")[0] + "." if prefix.count(".") > 1 else ""  # of other arrays
    state = {
        (prefix if key.startswith(("encoder.", "decoder.")) else around) + key: array
        for key, array in stored.under("state").items()
    }
    told = {key: stored.config[key] for key in ("norm", "activation", "source_pad", "target_pad")}
    model = Transformer.from_torch(state, heads=stored.config["heads"], **told)
    expected = Transformer.from_torch(stored.under("state"), config_of(stored, "float64"))
    assert model.config == expected.config
    assert list(model.parameters) == list(expected.parameters)
    for path, array in expected.parameters.items():
        np.testing.assert_array_equal(model.parameters[path], array)
    ids = stored.arrays.get("source_ids"), stored.arrays.get("target_ids")
    np.testing.assert_array_equal(model.logits(*ids), expected.logits(*ids))


class Tensor:
    """A stand-in for a tensor of PyTorch that requires gradients, perhaps of bfloat16."""

    requires_grad = True

    def __init__(self, array: np.ndarray, itemsize: int) -> None:
        self.array = array
        self.dtype = type("dtype", (), {"itemsize": itemsize})()

    def __array__(self, *_: object, **__: object) -> np.ndarray:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")

    def detach(self) -> "Tensor":
        other = Tensor(self.array, self.dtype.itemsize)
        other.requires_grad = False
        return other

    def cpu(self) -> "Tensor":
        return self

    def float(self) -> "Tensor":
        other = Tensor(self.array.astype(np.float32), 4)
        other.requires_grad = self.requires_grad
        return other

    def numpy(self) -> np.ndarray:
        if self.requires_grad or self.dtype.itemsize < 4:
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.array


@pytest.mark.parametrize(("itemsize", "dtype"), [(2, "float32"), (4, "float32"), (8, "float64")])
def test_tensors_are_read_with_their_dtype(itemsize: int, dtype: str) -> None:
    stored = STORED["torch_post_relu"]
    width = np.float64 if itemsize == 8 else np.float32
    state = {k: Tensor(x.astype(width), itemsize) for k, x in stored.under("state").items()}
    model = Transformer.from_torch(state, heads=stored.config["heads"])
    assert model.config.dtype == dtype
    asked = Transformer.from_torch(state, heads=stored.config["heads"], dtype="float64")
    assert asked.config.dtype == "float64"
    source = asked.parameters["source.W_e"]
    np.testing.assert_array_equal(source, state["source_embedding.weight"].array)
    state["source_embedding.weight"].array[:] = 0  # PyTorch trains on
    assert asked.parameters["source.W_e"].any()
    assert model.parameters["source.W_e"].any()


def test_sinusoids_of_a_module_are_ignored_and_other_tables_are_learned_positions() -> None:
    stored = STORED["torch_post_relu"]
    state, heads = stored.under("state"), stored.config["heads"]
    d = stored.config["d_model"]
    table = positional.sinusoidal(50, d).astype(np.float32)
    for shape in ((50, d), (50, 1, d), (1, 50, d)):
        given = {**state, "pos_encoder.pe": table.reshape(shape)}
        assert Transformer.from_torch(given, heads=heads).config.d_model == d
    moved = Transformer.from_torch({**state, "pos_encoder.pe": table + 1}, heads=heads)
    assert (moved.config.positions, moved.config.max_positions) == ("learned", 50)
    for side in ("source", "target"):
        np.testing.assert_array_equal(moved.parameters[f"{side}.W_p"], table + 1)


def test_the_error_for_a_missing_array_lists_the_existing_names() -> None:
    stored = STORED["torch_post_relu"]
    state, heads = stored.under("state"), stored.config["heads"]
    state["source_embedings"] = state.pop("source_embedding.weight")[0]
    sentence = "no place for source_embedings; names= can map"
    with pytest.raises(ValueError, match=sentence):
        Transformer.from_torch(state, heads=heads)
    with pytest.raises(ValueError, match="heads there are: give heads=, one of 1, 2, 7, 14"):
        Transformer.from_torch(stored.under("state"))
    with pytest.raises(ValueError, match="single settings, not both"):
        Transformer.from_torch(stored.under("state"), config_of(stored, "float64"), heads=2)
    with pytest.raises(ValueError, match=r"such as a\.weight, are of no family known here"):
        Transformer.from_torch({"a.weight": np.zeros(3)}, heads=2)
