"""The settings of the model that stages show, beside the numbers that they affect."""

from typing import Any

from ...model.scenario.model_settings import SIZES
from ...model.scenario.scenario import Scenario

EMBEDDING = ("positions", "embedding_scale", "embedding_norm", "dropout.embedding")
SELF_ATTENTION = ("attention_scale", "residual", "norm", "dropout.attention_weights")
MASKED = ("attention_scale", "causal_mask", *SELF_ATTENTION[1:])
FEED_FORWARD = ("activation", "residual", "norm", "dropout.activation")
OUTPUT = ("output_transform", "label_smoothing")
NAMES = frozenset((*EMBEDDING, *MASKED, *FEED_FORWARD, *OUTPUT))


def fields(scenario: Scenario, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the form fields of settings; disabled where the model's sizes are fixed."""
    found = []
    for name in names:
        field: dict[str, Any] = {**scenario.settings.field(name)}
        if name.startswith("dropout."):
            field["label"] = f"dropout, {field['label']}"
        if scenario.locked.why and (name in SIZES or name == "positions"):
            field["disabled"] = True
        found.append(field)
    return found
