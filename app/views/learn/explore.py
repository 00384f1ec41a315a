"""The model of a run, opened in Explore with the example that is shown."""

from __future__ import annotations

import dataclasses

from ...files import trained_model
from ...learning.inspection import Inspection
from ...scenario.scenario import Scenario
from ...scenario.weights import Weights
from .board import CLOSED


def explore_scenario(inspection: Inspection, now: Scenario) -> Scenario:
    """The step that is shown, as a model on the page of now.

    Raises:
        ValueError: the weights are not finite or too large; one sentence.
    """
    run, shown = inspection.run, inspection.shown
    source, target = run.pairs.source_tokenizer, run.pairs.target_tokenizer
    name = f"Your run, step {shown.step:,}"
    weights = Weights(shown.parameters, source.tokens, target.tokens, name, CLOSED)
    written = target.encode(shown.written)[:-1]  # what the decoder reads ends before <eos>
    scenario = trained_model.opened(
        run.trainer.model.config,
        weights,
        now,
        source=[source.tokens[i] for i in shown.example.source],
        target=[target.tokens[i] for i in written],
    )
    return dataclasses.replace(scenario, training=False)
