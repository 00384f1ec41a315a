"""What the page shows of a pass, stage by stage, in order of computation."""

from . import alone, attention, picture, settings
from .explore import manifest
from .silenced import silenced

__all__ = ["alone", "attention", "manifest", "picture", "settings", "silenced"]
