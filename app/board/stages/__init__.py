"""The stages of the board: the matrices of a forward pass, in order of computation."""

from . import alone, attention, picture, settings
from .explore import manifest
from .silenced import silenced

__all__ = ["alone", "attention", "manifest", "picture", "settings", "silenced"]
