"""Everything that determines a training run; on one machine, runs of one plan are identical."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np

from transformer_math import Config, Recipe, Transformer
from transformer_math.data.pairs import Pairs
from transformer_math.ops.loss import smallest_loss

from ..model.scenario.model_names import PAPER, SANDBOX
from ..model.scenario.model_settings import ModelSettings
from ..model.scenario.recipe_settings import RecipeSettings
from ..model.scenario.scenario import Scenario
from ..model.scenario.training_data import TrainingData
from ..model.scenario.vocabulary import Vocabulary
from ..model.scenario.weights import Weights

# Limit on the scores, logits and activations of one step: about 400 MB with gradients.
MAX_NUMBERS = 30_000_000
# Estimated seconds of a step on one core: per operation, and per multiplication.
_SECONDS_A_LAYER, _SECONDS_A_MULTIPLICATION = 0.9e-3, 1.1e-10


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """A model before its first step, the training data and the recipe."""

    config: Config  # has embedding rows only for the tokens of the data
    seed: int  # of the weights, the batches and dropout
    recipe: Recipe
    vocabulary: Vocabulary
    data: TrainingData

    @classmethod
    def of(cls, scenario: Scenario) -> TrainingPlan:
        """Return the plan that trains a scenario's model; ``ValueError`` if there is none."""
        settings, own, data = scenario.settings, scenario.own_vocabulary, scenario.data
        if data is None or own is None:
            nothing = _NOT_HERE[scenario.config.kind]
            raise ValueError(_NOTHING_TO_LEARN.get(scenario.model, nothing))
        if scenario.config.kind != data.kind:
            raise ValueError(_OTHER_KIND[data.kind])
        recipe = _recipe(scenario.recipe, settings)
        return cls(scenario.learned_config, settings.seed, recipe, own, data)

    def model(self) -> Transformer:
        """Initialize the model; the weights of a token depend only on its name and the seed."""
        known = self.vocabulary
        return Transformer.create(self.config, self.seed, known.source, known.target)

    def weights(self, parameters: dict[str, np.ndarray]) -> Weights:
        """Convert parameters to the page's form."""
        known = self.vocabulary
        return Weights(parameters, known.source, known.target, "trained here")

    def minimum_loss(self) -> float:
        """Return the lower bound of the loss: the entropy of the smoothed target distribution."""
        recipe, size = self.recipe, len(self.vocabulary.target)
        return smallest_loss(recipe.smoothing, recipe.smoothing_form, size)

    def chance_loss(self) -> float:
        """Return the loss of a model for which all tokens are equally likely."""
        return math.log(max(2, len(self.vocabulary.target)))

    def check_size(self, pairs: Pairs) -> None:
        """Check that a step fits into memory, because long pairs enlarge every matrix.

        Raise ``ValueError`` if it does not; the message suggests a remedy.
        """
        n, m = pairs.source_length, pairs.target_length
        if self.config.target_vocabulary > self.most_tokens(n, m):
            raise ValueError(
                f"With {max(n, m)} {pairs.unit}s on a side, {self.recipe.batch} such pairs in a "
                "batch are too many for a model of this size: choose a smaller batch."
            )

    def most_tokens(self, n: int, m: int) -> int:
        """Return the largest size of a target vocabulary whose logits fit into memory in one step.

        A source has ``n`` tokens, a target ``m``.
        """
        config = self.config
        scores = config.encoder_layers * n * n + config.decoder_layers * (m * m + n * m)
        width = 12 * config.d_model + 2 * config.feed_forward_width
        streams = width * (config.encoder_layers * n + config.decoder_layers * m)
        room = MAX_NUMBERS // self.recipe.batch - config.heads * scores - streams
        return max(0, room // (3 * m))

    def seconds(self) -> float:
        """Estimate the seconds of a whole run on one current core."""
        config, recipe = self.config, self.recipe
        layers = config.encoder_layers + 1.6 * config.decoder_layers
        length = 20 if self.data.unit == "character" else 9  # estimated for the user's own pairs
        multiplications = 3 * recipe.batch * length * config.parameter_count()
        step = _SECONDS_A_LAYER * layers + _SECONDS_A_MULTIPLICATION * multiplications
        return recipe.steps * step


@functools.lru_cache(maxsize=64)  # called in every slice of a run
def _recipe(recipe: RecipeSettings, settings: ModelSettings) -> Recipe:
    return recipe.recipe(settings.seed, settings.label_smoothing, settings.smoothing_form)


def settings_of(config: Config, recipe: Recipe) -> ModelSettings:
    """Return the settings of a model, and of the recipe that trains it."""
    return ModelSettings.of_config(config, recipe.seed).replace(
        label_smoothing=recipe.smoothing, smoothing_form=recipe.smoothing_form
    )


_OTHER_KIND = {
    "encoder-decoder": "Pairs are learned by an encoder and a decoder: one of them is off.",
    "decoder-only": "Next words are learned by a decoder alone: set the encoder layers to 0.",
    "encoder-only": "Blanks are learned by an encoder alone: set the decoder layers to 0.",
}
_NOT_HERE = {
    "encoder-decoder": "There is nothing here that this model could be trained on: choose phrases, "
    "dates or your own pairs beside “Train on”.",
    "decoder-only": "There are no texts here that this decoder could be trained on: choose next "
    "words or your own texts beside “Train on”.",
    "encoder-only": "There are no texts here that this encoder could be trained on: choose blanks "
    "or your own texts beside “Train on”.",
}
_NOTHING_TO_LEARN = {
    SANDBOX: "The sandbox has words but nothing to learn: choose phrases, dates or your own pairs "
    "beside “Train on”.",
    PAPER: "The paper trained this model for 12 hours on eight GPUs. Here its weights stay random.",
}
