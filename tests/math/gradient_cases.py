"""Small models with everything that a loss can depend on, away from the kinks of ReLU."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from tests.math.directional import error_along
from tests.math.tiny import VARIANTS, tiny
from transformer_math import DropoutRates, Labels, Trace, Transformer
from transformer_math.graph.backward import LOSS, gradients
from transformer_math.ops.loss import SmoothingForm

PADS = {"source_pad": 1, "target_pad": 7}
EVERYWHERE = DropoutRates(0.3, 0.2, 0.3, 0.25, 0.35)
SETTINGS: dict[str, dict[str, Any]] = {
    "plain": {},
    "smoothed as in the paper": {"smoothing": 0.1, "form": "paper"},
    "smoothed as in PyTorch": {"smoothing": 0.3, "form": "torch"},
    "with dropout": {"training": True, "seed": 5},
}
_KINK = 1e-3  # no input of a ReLU is nearer to 0 than this
NEAR = "a unit of a ReLU is near 0: give the variant another activation, or add it to _NEAR_A_KINK"
_NEAR_A_KINK = (  # used with the same ids as the others
    ("no_biases", None, True),
    ("no_biases", 3, False),
    ("odd_halves", 3, False),
    ("padded", 3, False),
    ("decoder_only", None, True),
)


class Example(NamedTuple):
    """A model and its inputs."""

    model: Transformer
    source: np.ndarray | None
    target: np.ndarray | None
    labels: np.ndarray

    def run(
        self,
        parameters: Mapping[str, np.ndarray] | None = None,
        smoothing: float = 0.0,
        form: SmoothingForm = "paper",
        **settings: Any,
    ) -> Trace:
        """Return a pass with a loss, optionally with other parameters."""
        model = self.model.with_parameters(parameters or {})
        labels = Labels(self.labels, smoothing, form)
        return model(self.source, self.target, labels=labels, **settings)

    def error(self, seed: int = 1, **settings: Any) -> float:
        """Return the error of the gradients of all parameters together, in a random direction."""
        trace = self.run(**settings)
        assert nearest_kink(trace) > _KINK, NEAR
        found = gradients(trace, self.model.parameters)

        def loss(parameters: dict[str, np.ndarray]) -> float:
            return float(self.run(parameters, **settings)[LOSS].value)

        return error_along(loss, self.model.parameters, found, seed)

    def error_at(self, path: str, seed: int = 1, **settings: Any) -> float:
        """Return the error of the gradient of one computed tensor, which is overridden."""
        trace = self.run(**settings)
        assert nearest_kink(trace) > _KINK, NEAR
        found = gradients(trace, [path])

        def loss(moved: dict[str, np.ndarray]) -> float:
            return float(self.run(overrides=moved, **settings)[LOSS].value)

        return error_along(loss, {path: trace[path].value}, found, seed)


def example(variant: str, batch: int | None = None, padded: bool = False) -> Example:
    """Return one of the small models in float64 with ids for it, optionally padded."""
    changes = {**(PADS if padded else {}), **VARIANTS[variant]}
    model = tiny(**{**changes, "dtype": "float64", "dropout": EVERYWHERE})
    config = model.config
    random = np.random.default_rng(3 if (variant, batch, padded) in _NEAR_A_KINK else 2)
    lead = () if batch is None else (batch,)
    source = random.integers(0, config.source_vocabulary, (*lead, 5))
    target = random.integers(0, config.target_vocabulary, (*lead, 4))
    labels = random.integers(
        0, config.output_vocabulary, (*lead, 4 if config.decoder_layers else 5)
    )
    if padded:
        # The last row of a batch is only padding, so a query has no key there.
        if config.source_pad is not None:
            source[..., 3:] = config.source_pad
            if batch is not None:
                source[-1] = config.source_pad
        if config.target_pad is not None:
            target[..., 3] = config.target_pad
        if config.output_pad is not None:
            labels[..., -1] = config.output_pad
    return Example(
        model,
        source if config.encoder_layers else None,
        target if config.decoder_layers else None,
        labels,
    )


def nearest_kink(trace: Trace) -> float:
    """Return the smallest magnitude of an input of a ReLU."""
    units = [
        np.abs(tensor.inputs[0].value).min()
        for tensor in trace.tensors.values()
        if getattr(getattr(tensor.op, "function", None), "name", "") == "ReLU"
    ]
    return min(units, default=np.inf)
