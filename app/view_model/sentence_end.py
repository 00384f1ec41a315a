"""Records whether the model ended the sentence that it wrote last."""

from __future__ import annotations

from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import predicts_end
from ..model.scenario.scenario import Scenario


class SentenceEnd:
    """Records whether the model ended its sentence at the time of writing.

    While numbers move and with dropout, the last row may predict another word than at that time.
    """

    def __init__(self, runner: ForwardPassRunner) -> None:
        self._runner = runner
        self._plain_runner = ForwardPassRunner(beside=runner)  # for passes without dropout
        self._sentence: tuple[str, ...] = ()
        self._is_ended = False

    def of(self, scenario: Scenario, is_waiting: bool) -> bool:
        """Return whether the model ended its sentence, which is kept while ``is_waiting``."""
        if not scenario.writes_itself:
            return False
        if not (is_waiting and scenario.target == self._sentence):
            self._sentence = scenario.target
            runner = self._plain_runner if scenario.training else self._runner
            try:
                self._is_ended = predicts_end(scenario.with_training(False), runner)
            except ValueError:  # decoding fails if numbers are too large
                self._is_ended = False
        return self._is_ended
