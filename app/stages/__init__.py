"""What the page shows of a pass, stage by stage, in order of computation."""

from . import attention, learn, settings, whole
from .explore import manifest

__all__ = ["attention", "learn", "manifest", "settings", "whole"]
