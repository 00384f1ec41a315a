"""What a run is determined by: on one machine two runs of a plan give the same numbers."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from transformer_math import Config, Recipe, Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.ops.loss import smoothed_targets

from ..scenario.model_names import PAPER, SANDBOX
from ..scenario.model_settings import ModelSettings
from ..scenario.recipe_settings import RecipeSettings
from ..scenario.scenario import Scenario
from ..scenario.training_data import TrainingData
from ..scenario.vocabulary import Vocabulary
from ..scenario.weights import Weights

# Of the scores, the logits and what flows through the layers, in one step: some 400 MB with
# gradients.
MAX_NUMBERS = 30_000_000
# About how long a step takes on one core: each of its operations, and each multiplication.
_SECONDS_A_LAYER, _SECONDS_A_MULTIPLICATION = 0.9e-3, 1.1e-10


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """A model before its first step, what it learns, and how.

    Attributes:
        config: of the model, with no rows but those that are learned.
        seed: of the weights, the batches and dropout.
        recipe: how it is trained.
        vocabulary: the tokens of its tables.
        data: the pairs.
    """

    config: Config
    seed: int
    recipe: Recipe
    vocabulary: Vocabulary
    data: TrainingData

    @classmethod
    def of(cls, scenario: Scenario) -> TrainingPlan:
        """What training the model of the page would do.

        Raises:
            ValueError: it cannot be trained here; one sentence that says why.
        """
        settings, own, data = scenario.settings, scenario.own_vocabulary, scenario.data
        if data is None or own is None:
            raise ValueError(_NOTHING_TO_LEARN.get(scenario.model, _NOT_HERE))
        if not (settings.encoder_layers and settings.decoder_layers):
            raise ValueError("Pairs are learned by an encoder and a decoder: one of them is off.")
        recipe = _recipe(scenario.recipe, settings)
        return cls(scenario.learned_config, settings.seed, recipe, own, data)

    def model(self) -> Transformer:
        """The model before its first step; a token's numbers depend on the seed and its name."""
        known = self.vocabulary
        return Transformer.create(self.config, self.seed, known.source, known.target)

    def weights(self, parameters: dict[str, np.ndarray]) -> Weights:
        """Parameters as the page has them."""
        known = self.vocabulary
        return Weights(parameters, known.source, known.target, "trained here")

    def minimum_loss(self) -> float:
        """What the loss cannot fall below: the entropy of the smoothed target distribution."""
        recipe, size = self.recipe, len(self.vocabulary.target)
        right, other = smoothed_targets(recipe.smoothing, recipe.smoothing_form, size)
        return -right * math.log(right) - ((size - 1) * other * math.log(other) if other else 0)

    def check_size(self, pairs: Pairs) -> None:
        """See that a step fits into memory: long pairs make long rows in every matrix.

        Raises:
            ValueError: it does not; one sentence that says what to do.
        """
        config, n, m = self.config, pairs.source_length, pairs.target_length
        scores = config.encoder_layers * n * n + config.decoder_layers * (m * m + n * m)
        width = 12 * config.d_model + 2 * config.feed_forward_width
        streams = width * (config.encoder_layers * n + config.decoder_layers * m)
        numbers = config.heads * scores + streams + 3 * m * config.target_vocabulary
        if self.recipe.batch * numbers > MAX_NUMBERS:
            raise ValueError(
                f"With {max(n, m)} {pairs.unit}s on a side, {self.recipe.batch} such pairs in a "
                "batch are too many for a model of this size: choose a smaller batch."
            )

    def seconds(self) -> float:
        """About how long a whole run takes on one core of today."""
        config, recipe = self.config, self.recipe
        layers = config.encoder_layers + 1.6 * config.decoder_layers
        length = 20 if self.data.unit == "character" else 9  # as a guess for pairs of one's own
        multiplications = 3 * recipe.batch * length * config.parameter_count()
        step = _SECONDS_A_LAYER * layers + _SECONDS_A_MULTIPLICATION * multiplications
        return recipe.steps * step


@functools.lru_cache(maxsize=64)  # asked for at every slice of a run
def _recipe(recipe: RecipeSettings, settings: ModelSettings) -> Recipe:
    return recipe.recipe(settings.seed, settings.label_smoothing, settings.smoothing_form)


_NOT_HERE = (
    "There is nothing here that this model could be trained on: choose Phrases or Dates, or give "
    "pairs of your own under Learn."
)
_NOTHING_TO_LEARN = {
    SANDBOX: "The sandbox has words but nothing to learn: choose Phrases or Dates, or give pairs "
    "of your own under Learn.",
    PAPER: "The paper trained this model for 12 hours on eight GPUs; here it keeps its random "
    "weights.",
}
