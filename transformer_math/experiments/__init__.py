"""What would have to be otherwise: answers pulled, parts silenced, pieces of one pass in another.

An experiment asks a model that is trained already. It changes no model: what it finds are other
values of tensors by their paths, to be used as overrides or as parameters.
"""

from transformer_math.experiments.lens import lens
from transformer_math.experiments.patch import PatchMap, patch_map
from transformer_math.experiments.pull import Free, Pulled, Wish, pull
from transformer_math.experiments.silence import mean_values, silenced

__all__ = [
    "Free",
    "PatchMap",
    "Pulled",
    "Wish",
    "lens",
    "mean_values",
    "patch_map",
    "pull",
    "silenced",
]
