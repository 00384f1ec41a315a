"""A model that writes with the overridden cells and the ablated parts of a scenario.

They belong to positions of the text, as in the page's pass. Ablation to a mean over the text makes
earlier rows depend on later words, so no keys and values are cached: each step is a whole pass.
"""

from __future__ import annotations

import numpy as np

from transformer_math import Transformer
from transformer_math.graph.overrides import by_stored_path
from transformer_math.graph.scope import ForwardPass, Scope, Untraced, Value
from transformer_math.model import EncoderOutput

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.scenario.scenario import Scenario


class EditedModel(Transformer):
    """A model that decodes any target with the overrides that its tokens have on the page."""

    def __init__(self, model: Transformer, scenario: Scenario, runner: ForwardPassRunner) -> None:
        """Create the model of a scenario.

        Args:
            model: the model, with the edited parameters.
            scenario: all of its drafts have the same vocabulary, see `task.py`.
            runner: has the scenario's model; only this object uses it.
        """
        super().__init__(model.config, model.parameters)
        self._scenario, self._runner = scenario, runner

    def decode(
        self,
        _scope: Scope,
        target: np.ndarray,
        _encoded: EncoderOutput | None,
        _with_unprojected: bool = False,
    ) -> Value:
        """Return the logits (…, n, vocabulary) of targets (…, n), each with its own overrides."""
        rows = [self._logits_of(ids) for ids in target.reshape(-1, target.shape[-1])]
        return np.reshape(rows, (*target.shape, -1))

    def _logits_of(self, ids: np.ndarray) -> np.ndarray:
        """Return the logits (n, vocabulary) of one target (n,)."""
        scenario = self._scenario
        words = scenario.target_vocabulary
        draft = scenario.with_written(tuple(words[i] for i in ids))
        cells = self._runner.overrides(draft)
        # The parameters have their edits already.
        computed = {path: each for path, each in cells.items() if path not in self.parameters}
        scope = Untraced(ForwardPass(self.parameters, by_stored_path(computed)))
        encoded = None
        if self.config.encoder_layers:
            encoded = self.encode(scope, np.array(scenario.ids("source")))
        logits: np.ndarray = super().decode(scope, ids, encoded)
        return logits
