"""What the page shows of a pass, stage by stage, in order of computation."""

from . import alone, attention, settings, whole
from .explore import manifest
from .silenced import silenced

__all__ = ["alone", "attention", "manifest", "settings", "silenced", "whole"]
