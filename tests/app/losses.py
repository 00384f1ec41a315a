"""Scenarios of every kind, for tests of the loss and the gradients."""

import pytest
from tinkerformer.model.scenario.scenario import Scenario

from transformer_math.data.tokenizer import PAD, SOS

SCENARIOS = {
    "default": Scenario(),
    "smoothed": Scenario().with_setting("label_smoothing", "0.1"),
    "training": Scenario().with_training(True),
    "pre-norm": Scenario().with_setting("norm", "pre"),
    "no residual": Scenario().with_setting("residual", False),
    "encoder-only": Scenario().with_setting("decoder_layers", 0),
    "decoder-only": Scenario().with_setting("encoder_layers", 0),
    "learned, tied": Scenario()
    .with_setting("positions", "learned")
    .with_setting("tie_output", True),
    "no scale": Scenario().with_setting("attention_scale", "none"),
    "one head": Scenario().with_setting("heads", 1),
    "padded": Scenario()
    .with_tokens("source", ["a", PAD])
    .with_tokens("target", [SOS, "b", "c", PAD, PAD]),
    "overridden": Scenario().with_value("encoder.0.self_attn.head.0.weights", (1, 2), 0.7),
}
EACH = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)
