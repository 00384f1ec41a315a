"""Experiments with a trained model: logit lens, patching, ablation, pulling, single numbers.

None of them changes the model. Their results are values of tensors by path, which can be used as
overrides or as parameters.
"""

from transformer_math.experiments.choose import pull_by
from transformer_math.experiments.lens import lens
from transformer_math.experiments.margins import Likeliest
from transformer_math.experiments.patch import PatchMap, patch_map
from transformer_math.experiments.pull import Pulled, pull
from transformer_math.experiments.pull_problem import Free, Wish
from transformer_math.experiments.silence import mean_values, silenced
from transformer_math.experiments.single import (
    SingleNumber,
    SingleNumbers,
    single_numbers,
    single_numbers_so_far,
)

__all__ = [
    "Free",
    "Likeliest",
    "PatchMap",
    "Pulled",
    "SingleNumber",
    "SingleNumbers",
    "Wish",
    "lens",
    "mean_values",
    "patch_map",
    "pull",
    "pull_by",
    "silenced",
    "single_numbers",
    "single_numbers_so_far",
]
