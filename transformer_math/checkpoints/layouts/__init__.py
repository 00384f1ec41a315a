"""The known families of models, each in a file."""

from __future__ import annotations

import functools
import importlib

from transformer_math.checkpoints.layouts.layout import Layout

# The files of this folder, which a static site fetches when they are first needed.
FILES = (
    *("annotated", "bart", "bert", "course", "gpt", "gpt_blocks", "torch_stack"),
    "torch_transformer",
)


@functools.cache
def layouts() -> tuple[Layout, ...]:
    """Return the layouts of all files."""
    modules = (importlib.import_module(f"{__name__}.{name}") for name in FILES)
    return tuple(each for module in modules for each in module.LAYOUTS)
