"""Training (Section 5): recipe, schedules, optimizer, trainer, evaluation."""

from transformer_math.training.recipe import Recipe
from transformer_math.training.trainer import Diverged, Progress, Trainer, config_for

__all__ = ["Diverged", "Progress", "Recipe", "Trainer", "config_for"]
