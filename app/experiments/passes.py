"""Runs a scenario's pass with other overrides."""

from collections.abc import Mapping

from transformer_math import Trace, Transformer
from transformer_math.graph.overrides import Hooks

from ..model.scenario.scenario import Scenario


def pass_of(
    model: Transformer,
    scenario: Scenario,
    overrides: Mapping[str, object],
    hooks: Hooks | None = None,
) -> Trace:
    """Return a pass of the scenario's texts with these overrides and hooks, and no others."""
    return model(
        *scenario.inputs,
        training=scenario.training,
        seed=scenario.mask_seed,
        overrides=overrides,  # type: ignore[arg-type]
        hooks=hooks,
    )
