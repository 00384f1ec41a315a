"""Ten steps of training, compared with PyTorch: loss, gradient norm and parameters of each step."""

from typing import Any

import numpy as np

from tests.math.stored import load
from transformer_math import Config, Labels, Transformer
from transformer_math.training.optimizer import Adam, clip_gradient
from transformer_math.training.parameter_vector import ParameterVector
from transformer_math.training.schedules import Noam

STORED = load("torch_training")
SETTINGS = [
    *("d_model", "heads", "d_ff", "encoder_layers", "decoder_layers"),
    *("source_vocabulary", "target_vocabulary", "source_pad", "target_pad"),
    *("norm", "activation"),
]


def follow(width: str) -> tuple[list[float], list[float], dict[str, np.ndarray]]:
    """Return the losses, the norms before clipping, and the parameters at the end."""
    settings = STORED.config
    config = Config(**{name: settings[name] for name in SETTINGS}, dtype=width)
    start = Transformer.from_torch(STORED.under("initial"), config)
    packed = ParameterVector(start.parameters)
    model = Transformer(start.config, packed.arrays, shared=True)
    adam = Adam(packed.flat, *settings["betas"], settings["epsilon"])
    schedule = Noam(settings["d_model"], settings["warmup"])
    losses, norms = [], []
    names = ("source_ids", "target_ids", "labels")
    for source, target, labels in zip(*(STORED.arrays[name] for name in names), strict=True):
        trace = model(source, target, labels=Labels(labels, settings["smoothing"], "torch"))
        found = trace.backward()
        gradient = packed.gather({path: found[path] for path in packed.arrays})
        losses.append(float(trace["output.loss"].value))
        norms.append(clip_gradient(gradient, settings["limit"]))
        adam.step(packed.flat, gradient, schedule(adam.steps + 1))
    return losses, norms, packed.arrays


def final() -> dict[str, np.ndarray]:
    config = Config(**{name: STORED.config[name] for name in SETTINGS}, dtype="float64")
    return dict(Transformer.from_torch(STORED.under("final"), config).parameters)


# A key's bias adds the same number to all scores of a row, which does not affect the softmax. Its
# gradient is 0 except for rounding, about 1e-17, and Adam divides it by √v̂ + ε with ε = 1e-9.
def is_key_bias(path: str) -> bool:
    return path.endswith(".b_k")


def test_every_step_equals_that_of_torch() -> None:
    losses, norms, parameters = follow("float64")
    np.testing.assert_allclose(losses, STORED.arrays["losses"], rtol=1e-11)
    np.testing.assert_allclose(norms, STORED.arrays["norms"], rtol=1e-11)
    expected = final()
    assert parameters.keys() == expected.keys()
    for path, value in parameters.items():
        tolerance = 1e-6 if is_key_bias(path) else 1e-10
        np.testing.assert_allclose(value, expected[path], rtol=0, atol=tolerance, err_msg=path)


def test_the_reference_detects_mistakes() -> None:
    """Some gradients are clipped and some not, all batches have padding, and parameters change."""
    limit, pad = STORED.config["limit"], STORED.config["target_pad"]
    assert STORED.arrays["norms"].min() < limit < STORED.arrays["norms"].max()
    assert all((labels == pad).any() for labels in STORED.arrays["labels"])
    assert STORED.arrays["losses"][-1] < STORED.arrays["losses"][0]
    before: dict[str, Any] = STORED.under("initial")
    for name, value in STORED.under("final").items():
        assert np.abs(value - before[name]).max() > 1e-3, name


def test_float32_stays_near_float64() -> None:
    losses, norms, _ = follow("float32")
    np.testing.assert_allclose(losses, STORED.arrays["losses"], rtol=1e-4)
    np.testing.assert_allclose(norms, STORED.arrays["norms"], rtol=1e-4)
