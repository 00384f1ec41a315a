"""Experiments with a trained model: logit lens, patching, ablation, hiding, pulling, numbers.

No experiment changes the model. The results are values of tensors by path, which can be used as
overrides or as parameters.
"""

from transformer_math.experiments.choose import pull_by
from transformer_math.experiments.hiding import hidden_word
from transformer_math.experiments.lens import lens, stream
from transformer_math.experiments.margins import Likeliest
from transformer_math.experiments.patch import PatchMap, matched, patch_map
from transformer_math.experiments.pull import Pulled, pull
from transformer_math.experiments.pull_problem import Free, Wish
from transformer_math.experiments.running_sum import RunningSum, running_sum
from transformer_math.experiments.silence import every_head, mean_values, silenced, without_heads
from transformer_math.experiments.single import (
    SingleNumber,
    SingleNumbers,
    single_numbers,
    single_numbers_so_far,
)
from transformer_math.experiments.units import Unit, every_unit, loudest_units, without_units

__all__ = [
    "Free",
    "Likeliest",
    "PatchMap",
    "Pulled",
    "RunningSum",
    "SingleNumber",
    "SingleNumbers",
    "Unit",
    "Wish",
    "every_head",
    "every_unit",
    "hidden_word",
    "lens",
    "loudest_units",
    "matched",
    "mean_values",
    "patch_map",
    "pull",
    "pull_by",
    "running_sum",
    "silenced",
    "single_numbers",
    "single_numbers_so_far",
    "stream",
    "without_heads",
    "without_units",
]
