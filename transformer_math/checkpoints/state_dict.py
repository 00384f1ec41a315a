"""Parameters by the names of another library: whose they are, and taking them one by one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

StateDictKind = Literal["tinkerformer", "torch", "marian"]

_MARKS: dict[StateDictKind, re.Pattern[str]] = {
    "tinkerformer": re.compile(r"(source|target)\.W_e"),
    "torch": re.compile(r"(encoder|decoder)\.layers\.\d+\.self_attn\.in_proj_weight"),
    "marian": re.compile(r"model\.decoder\.layers\.\d+\.encoder_attn\.q_proj\.weight"),
}
# Relatives that name their attention as Marian does; a norm that Marian has not gives them away.
_NOT_MARIAN = re.compile(r"model\.(encoder|decoder)\.(layernorm_embedding|layer_norm)\.weight")


def kind_of_state(names: Iterable[str]) -> StateDictKind | None:
    """Whose names these are: Tinkerformer's paths, those of ``torch.nn.Transformer`` or of
    ``MarianMTModel``; None for any other.
    """
    names = list(names)
    for kind, mark in _MARKS.items():
        if any(mark.fullmatch(name) for name in names):
            if kind == "marian" and any(_NOT_MARIAN.fullmatch(name) for name in names):
                return None
            return kind
    return None


def layer_count(names: Iterable[str], prefix: str) -> int:
    """How many layers there are: one more than the largest N in ``<prefix>N.…``."""
    numbered = re.compile(re.escape(prefix) + r"(\d{1,6})\.")
    found = (numbered.match(name) for name in names)
    return max((int(match[1]) + 1 for match in found if match), default=0)


def as_array(value: Any) -> np.ndarray:
    """The numbers of an array, or of a tensor of PyTorch's, which may require gradients.

    What NumPy has no name for, as bfloat16, becomes float32; so do the other short floats.
    """
    if hasattr(value, "detach"):
        tensor = value.detach().cpu()
        value = (tensor.float() if tensor.dtype.itemsize < 4 else tensor).numpy()
    array = np.asarray(value)
    if array.dtype.kind == "V" or array.dtype == np.float16:
        array = array.astype(np.float32)
    return array


class StateDict:
    """Takes arrays out of a state and notes which ones were used."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self.arrays = {name: as_array(value) for name, value in state.items()}
        self._used: set[str] = set()

    def __contains__(self, name: str) -> bool:
        return name in self.arrays

    def take(self, name: str, *shape: int | None) -> np.ndarray:
        """The array of that name and shape, noted as used; an axis given as None has any length.

        Raises:
            ValueError: there is none, or it has another shape.
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
        """Names in the state that nothing was taken from and that may be the one."""
        left = [other for other in self.arrays if other not in self._used]
        close = difflib.get_close_matches(name, left, 3, 0.5)
        return f" Beside those that are known it has {', '.join(close)}." if close else ""

    def pass_over(self, name: str) -> None:
        """Note a name as used that nothing is taken from."""
        self._used.add(name)

    def check_all_used(self) -> None:
        """Raise a ValueError that names what was not taken."""
        left = sorted(set(self.arrays) - self._used)
        if left:
            raise ValueError(f"The config has no place for {', '.join(left[:5])}.")
