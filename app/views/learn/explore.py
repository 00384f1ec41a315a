"""The model of a run, opened in Explore with the example that is shown."""

from __future__ import annotations

import dataclasses

from ...files import trained_model
from ...learning.inspection import Inspection
from ...scenario.scenario import Scenario
from ...scenario.vocabulary import vocabulary_of_pairs
from ...scenario.weights import Weights


def explore_scenario(inspection: Inspection, now: Scenario) -> Scenario:
    """The step that is shown, as a model on the page of now.

    Raises:
        ValueError: the weights are not finite or too large; one sentence.
    """
    run, shown = inspection.run, inspection.shown
    own = vocabulary_of_pairs(run.pairs)
    weights = Weights(shown.parameters, own.source, own.target, f"Your run, step {shown.step:,}")
    written = run.pairs.target_tokenizer.encode(shown.written)[:-1]  # the decoder reads no <eos>
    text = [own.source[i] for i in shown.example.source], [own.target[i] for i in written]
    scenario = trained_model.opened(run.trainer.model.config, weights, own, now, text)
    return dataclasses.replace(scenario, training=False)
