"""One step of gradient descent with the gradients that the page shows: θ ← θ − η ∂L/∂θ.

This is not the page's training: there is no batch and no optimizer, and the loss is computed from
the text on the page (stochastic gradient descent; Robbins and Monro, 1951).
"""

import numpy as np

from ..scenario.edits import TOKEN_AXIS
from ..scenario.limits import MAX_KEPT_NUMBERS
from ..scenario.scenario import Scenario
from ..scenario.vocabulary import side_of
from ..scenario.weights import Weights
from . import cost
from .forward_pass import ForwardPassRunner
from .writing import with_written_target

TOO_LARGE = f"A model of more than {MAX_KEPT_NUMBERS:,} numbers takes its steps only in Train."


def can_step(scenario: Scenario) -> bool:
    """Return whether a step is cheap enough and a tab can keep the weights after the step."""
    count = scenario.config.parameter_count()
    return count <= MAX_KEPT_NUMBERS and not cost.is_large(scenario)


def stepped(scenario: Scenario, runner: ForwardPassRunner) -> Scenario:
    """Return the scenario with the weights after one step.

    Parameters that were set by hand keep their values, as in training. The new weights keep only
    the rows of the model's own vocabulary, if it has one.

    Raises:
        ValueError: the model or the step is too large; the message is one sentence.
    """
    if not can_step(scenario):
        raise ValueError(TOO_LARGE)
    trace = runner.with_gradients(scenario)
    rate, held = scenario.descent.learning_rate, scenario.overrides()
    arrays = {}
    for path, value in runner.model(scenario).parameters.items():
        gradient = trace[path].grad
        if gradient is None:
            arrays[path] = value
            continue
        step = rate * gradient.reshape(value.shape)
        for index in held.get(path, ()):
            step[index] = 0
        arrays[path] = (value - step).astype(value.dtype)
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise ValueError("This step leads to numbers that are too large: lower the learning rate.")
    return scenario.descended(_weights(scenario, arrays))


def after_steps(scenario: Scenario, runner: ForwardPassRunner, count: int) -> Scenario:
    """Return the scenario after several steps, regenerating a written target after each step."""
    for _ in range(count):
        scenario = with_written_target(stepped(scenario, runner), runner)
    return scenario


def _weights(scenario: Scenario, arrays: dict[str, np.ndarray]) -> Weights:
    """Return weights with rows for the model's own vocabulary, or for the text if it has none."""
    known = scenario.own_vocabulary or scenario.vocabulary
    name = scenario.weights.name if scenario.weights else ""
    has_decoder = bool(scenario.settings.decoder_layers)

    def own(path: str, array: np.ndarray) -> np.ndarray:
        axis = TOKEN_AXIS.get(path.rpartition(".")[2])
        if axis is None:
            return array
        side = side_of(path, has_decoder)
        at = {token: row for row, token in enumerate(scenario.vocabulary.tokens(side))}
        return np.take(array, [at[token] for token in known.tokens(side)], axis)

    kept = {path: own(path, array) for path, array in arrays.items()}
    return Weights(kept, known.source, known.target, name)
