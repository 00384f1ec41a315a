"""The families of models that are known, a file for each."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from transformer_math.checkpoints.layouts.layout import Layout


@functools.cache
def layouts() -> tuple[Layout, ...]:
    """The layouts of all files in this folder."""
    modules = (
        importlib.import_module(f"{__name__}.{found.name}")
        for found in pkgutil.iter_modules(__path__)
    )
    return tuple(each for module in modules for each in getattr(module, "LAYOUTS", ()))
