from typing import Any

import numpy as np
import pytest

from tests.math.stored import Stored, load
from transformer_math import Trace, Transformer, gradients
from transformer_math.checkpoints.given_files import GivenFiles
from transformer_math.checkpoints.read_files import read_files
from transformer_math.checkpoints.state import ReadState, read_state

HAND_WRITTEN = {
    "annotated": "the Annotated Transformer",
    "course": "the Transformer of PyTorch Seq2Seq",
    "nanogpt": "nanoGPT",
    "nanogpt_biased": "nanoGPT",
    "mingpt": "minGPT",
    "lecture": "the GPT of “Let's build GPT”",
    "tutorial": "torch.nn.Transformer",
    "language_model": "torch.nn.TransformerEncoder",
}
HUB = {"bart": "BART", "mbart": "mBART"}
STORED = {name: load(f"family_{name}") for name in (*HAND_WRITTEN, *HUB)}
EACH = pytest.mark.parametrize("name", STORED)
# Parameters that the libraries lack: biases that are omitted, and one that is a buffer.
ABSENT = {"nanogpt": ("beta",), "lecture": ("b_q", "b_k", "b_v"), **dict.fromkeys(HUB, ("b_out",))}
# Settings of these families that no array shows.
TOLD: dict[str, dict[str, Any]] = {"language_model": {"causal_mask": True}}
files_of = Stored.files


def read(name: str, **settings: Any) -> ReadState:
    known = {} if name in ("lecture", "nanogpt", *HUB) else {"heads": STORED[name].config["heads"]}
    return read_files(STORED[name].files(), **{**known, **TOLD.get(name, {}), **settings})


def run(name: str, **settings: Any) -> Trace:
    found, arrays = read(name, **settings), STORED[name].arrays
    model = Transformer(found.config, found.parameters)
    return model(arrays.get("source_ids"), arrays["target_ids"])


@EACH
def test_every_tensor_of_a_pass_equals_the_reference(name: str) -> None:
    trace = run(name)
    expected = STORED[name].under("value")
    assert len(expected) > 3
    for path, value in expected.items():
        found = trace[path].value
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, value, rtol=0, atol=1e-11, err_msg=path)


@pytest.mark.parametrize("name", HUB)
def test_hidden_states_of_bart_equal_the_reference(name: str) -> None:
    """The library's last hidden state is after the final norm, if there is one."""
    trace, hidden = run(name), STORED[name].under("hidden")
    config = read(name).config
    for stack, side in (("encoder", "source"), ("decoder", "target")):
        layers = getattr(config, f"{stack}_layers")
        last = "residual" if config.norm == "pre" else "norm"
        paths = [f"{side}.dropout", *(f"{stack}.{n}.feed_forward.{last}" for n in range(layers))]
        if config.has_final_norm:
            paths[-1] = f"{stack}.final.norm"
        for n, path in enumerate(paths):
            expected = hidden[f"{stack}.{n}"]
            np.testing.assert_allclose(trace[path].value, expected, atol=1e-12, err_msg=path)


@EACH
def test_the_gradient_of_every_parameter_equals_the_reference(name: str) -> None:
    """The library's gradients are converted as the weights are."""
    stored, model, grads = STORED[name], read(name), STORED[name].under("grad")
    given = GivenFiles(stored.files())
    theirs = {
        key: grads.get(key.removeprefix("_orig_mod."), array)
        for key, array in given.weights().arrays.items()
        if not (key.endswith("lm_head.weight") and "lm_head.weight" not in grads)  # as it is tied
    }
    told = {"heads": model.config.heads, "dtype": "float64", **TOLD.get(name, {})}
    expected = read_state(theirs, config_json=given.config(), **told).parameters
    assert expected.keys() == model.config.parameter_shapes().keys()
    found = gradients(run(name), list(expected), "output.logits", stored.arrays["loss_weights"])
    compared = [path for path in expected if path.rpartition(".")[2] not in ABSENT.get(name, ())]
    assert len(compared) > len(grads) / 2
    for path in compared:
        scale = max(1.0, np.abs(expected[path]).max())
        np.testing.assert_allclose(
            found[path], expected[path], rtol=0, atol=1e-11 * scale, err_msg=path
        )


@EACH
def test_the_family_and_the_assumed_settings_are_reported(name: str) -> None:
    found = read(name)
    assert found.family == {**HAND_WRITTEN, **HUB}[name]
    assert found.config.heads == STORED[name].config["heads"]
    assert set(found.assumed) <= {"norm", "activation", "embedding_scale", "positions"}
    if name in HUB:
        assert not found.assumed
