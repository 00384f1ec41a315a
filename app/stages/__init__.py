"""What the page shows of a pass, stage by stage, in order of computation. Pure: no panel."""

from app.stages import attention
from app.stages.build import manifest
from app.stages.sheet import matrix_path

__all__ = ["attention", "manifest", "matrix_path"]
