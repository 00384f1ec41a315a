"""State dicts of other libraries: their kind, and access to their arrays with checks."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

StateDictKind = Literal["tinkerformer", "torch", "marian", "gpt2", "bert"]

_MARKS: dict[StateDictKind, re.Pattern[str]] = {
    "tinkerformer": re.compile(r"(source|target)\.W_e"),
    "torch": re.compile(r"(encoder|decoder)\.layers\.\d+\.self_attn\.in_proj_weight"),
    "marian": re.compile(r"model\.decoder\.layers\.\d+\.encoder_attn\.q_proj\.weight"),
    "gpt2": re.compile(r"(transformer\.)?h\.\d+\.attn\.c_attn\.weight"),
    "bert": re.compile(r"(bert\.)?encoder\.layer\.\d+\.attention\.self\.query\.weight"),
}
# Norms of related models that name their attention as Marian does, but that Marian does not have.
_NOT_MARIAN = re.compile(r"model\.(encoder|decoder)\.(layernorm_embedding|layer_norm)\.weight")


def kind_of_state(names: Iterable[str]) -> StateDictKind | None:
    """The library or model whose names these are; None for any other."""
    names = list(names)
    for kind, mark in _MARKS.items():
        if any(mark.fullmatch(name) for name in names):
            if kind == "marian" and any(_NOT_MARIAN.fullmatch(name) for name in names):
                return None
            return kind
    return None


def layer_count(names: Iterable[str], prefix: str) -> int:
    """The number of layers, which is one more than the largest N in names ``<prefix>N.…``."""
    numbered = re.compile(re.escape(prefix) + r"(\d{1,6})\.")
    found = (numbered.match(name) for name in names)
    return max((int(match[1]) + 1 for match in found if match), default=0)


def as_array(value: Any) -> np.ndarray:
    """An array or a PyTorch tensor, which may require gradients, as an array.

    Floats of less than 32 bits, such as bfloat16, become float32.
    """
    if hasattr(value, "detach"):
        tensor = value.detach().cpu()
        value = (tensor.float() if tensor.dtype.itemsize < 4 else tensor).numpy()
    array = np.asarray(value)
    if array.dtype.kind == "V" or array.dtype == np.float16:
        array = array.astype(np.float32)
    return array


class StateDict:
    """The arrays of a state, which records the ones that are used.

    Attributes:
        arrays: name -> array.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        self.arrays = {name: as_array(value) for name, value in state.items()}
        self._used: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.arrays

    def take(self, name: str, *shape: int | None) -> np.ndarray:
        """The array of a name and shape, marked as used; None allows any length of an axis.

        Raises:
            ValueError: there is no such array, or it has another shape.
        """
        if name not in self.arrays:
            raise ValueError(f"The state has no {name}.{self._hint(name)}")
        array = self.arrays[name]
        if len(shape) != array.ndim or any(
            size not in (None, found) for size, found in zip(shape, array.shape, strict=True)
        ):
            asked = ", ".join("any" if size is None else str(size) for size in shape)
            raise ValueError(f"{name} has the shape {array.shape}, not ({asked}).")
        self._used.add(name)
        return array

    def _hint(self, name: str) -> str:
        """A sentence with unused names that are similar to this one; empty if there are none."""
        unused = [other for other in self.arrays if other not in self._used]
        close = difflib.get_close_matches(name, unused, 3, 0.5)
        return f" Beside those that are known it has {', '.join(close)}." if close else ""

    def ignore(self, name: str) -> None:
        """Mark a name as used, whether or not it is there."""
        self._used.add(name)

    def check_all_used(self) -> None:
        """Check that all arrays were used.

        Raises:
            ValueError: some were not; the message names them.
        """
        unused = sorted(set(self.arrays) - self._used)
        if unused:
            raise ValueError(f"The config has no place for {', '.join(unused[:5])}.")
