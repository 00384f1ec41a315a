"""What a file of PyTorch holds: the state of a model, and other things beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.torch_pickle import Instance, Named, Table, Unread
from transformer_math.checkpoints.torch_tensors import Tensor, tensor_of

MOST_NAMES = 100_000  # arrays of a state, and plain values
LONGEST_NAME = 200  # characters
_DEEPEST = 4  # containers in containers in which a state is looked for
_LISTED = 64  # items of a list that are looked at
# Where a file has several states of one size, one under such a name comes first.
_USUAL = [(name,) for name in ("model_state_dict", "state_dict", "model", "module", "net")]
_MODULE = ("_parameters", "_buffers", "_modules")
_SETS = ("builtins.set", "__builtin__.set")


class State(NamedTuple):
    """The state of a model in a file.

    Attributes:
        path: the keys that lead to it from the root.
        entries: name and tensor, or another value.
    """

    path: tuple[str, ...]
    entries: list[tuple[str, Any]]

    @property
    def key(self) -> str:
        return ".".join(self.path)

    @property
    def float_count(self) -> int:
        """The number of floats, by the shapes."""
        return sum(_count(tensor) for _, value in self.entries if (tensor := tensor_of(value)))


def _count(tensor: Tensor | Unread) -> int:
    """The elements of a tensor of floats; 0 of any other, and of one that is damaged."""
    if not isinstance(tensor, Tensor) or not tensor.is_float or type(tensor.shape) is not tuple:
        return 0
    count = 1
    for n in tensor.shape:
        count = min(count * n, 1 << 60) if type(n) is int and n >= 0 else 0
    return count


def find_state(root: Any, key: str | None) -> State:
    """The state under a key, or by default the one with the most floats.

    Raises:
        CheckpointError: there is none.
    """
    states = list(_states(root))
    if key is not None:
        for state in states:
            if state.key == key:
                return state
        keys = ", ".join(repr(state.key)[:60] for state in states[:8]) or "none"
        raise CheckpointError(f"The file has no state under {key!r:.60}; it has {keys}.")
    if not states:
        held = "; ".join(islice(other_content(root, ()), 8)) or "nothing"
        raise CheckpointError(f"The file has no state of a model, with arrays by name: {held}.")
    return max(states, key=lambda state: (state.float_count, state.path[-1:] in _USUAL))


def _states(root: Any) -> Iterator[State]:
    """All states in the containers of a file, without those of optimizers."""
    seen: set[int] = set()
    level: list[tuple[tuple[str, ...], Any]] = [((), root)]
    for _ in range(_DEEPEST):
        below: list[tuple[tuple[str, ...], Any]] = []
        for path, value in level:
            if id(value) in seen:
                continue
            seen.add(id(value))
            if is_module(value):
                yield State(path, list(_module_entries(value)))
                continue
            entries = entries_of(value)
            names = {name for name, _ in entries}
            if {"state", "param_groups"} <= names:
                continue  # an optimizer
            if any(tensor_of(entry) for _, entry in entries):
                yield State(path, entries)
            below += [((*path, name), entry) for name, entry in entries]
        level = below


def entries_of(value: Any) -> list[tuple[str, Any]]:
    """The entries of a dict with texts for keys, or of a list by index; empty for other values."""
    if isinstance(value, Instance):
        pairs = value.entries
        if pairs is None and value.name == "collections.OrderedDict" and value.args:
            pairs = Table(_pairs(value.args[0]))  # as Python 2 pickled it
        value = pairs
    if type(value) is Table:
        return list({name: entry for name, entry in value if type(name) is str}.items())
    if type(value) in (list, tuple):
        return [(str(n), entry) for n, entry in enumerate(value[:_LISTED])]
    return []


def _pairs(value: Any) -> Iterator[tuple[Any, Any]]:
    for pair in value if type(value) is list else ():
        if type(pair) in (list, tuple) and len(pair) == 2:
            yield pair[0], pair[1]


def is_module(value: Any) -> bool:
    """Whether a value is a whole ``torch.nn.Module``."""
    return isinstance(value, Instance) and set(_MODULE) <= set(_attributes(value))


def _attributes(value: Instance) -> dict[str, Any]:
    return dict(entries_of(value.state)) if type(value.state) is Table else {}


def _module_entries(module: Instance) -> Iterator[tuple[str, Any]]:
    """Names and tensors of a module and the modules in it, as its ``state_dict`` has them."""
    waiting: list[tuple[str, Any]] = [("", module)]
    count = 0
    while waiting:
        prefix, value = waiting.pop()
        if not is_module(value):
            continue
        parts = _attributes(value)
        hidden = set(_texts(parts.get("_non_persistent_buffers_set")))
        buffers = [item for item in entries_of(parts["_buffers"]) if item[0] not in hidden]
        for name, tensor in (*entries_of(parts["_parameters"]), *buffers):
            if tensor is not None:
                yield checked_name(prefix + name), tensor
        inner = [
            (checked_name(f"{prefix}{name}."), child)
            for name, child in entries_of(parts["_modules"])
        ]
        waiting += inner[::-1]
        count += len(parts) + len(inner)
        if count > MOST_NAMES:
            raise CheckpointError(f"The file has modules with more than {MOST_NAMES:,} parts.")


def _texts(value: Any) -> Iterable[str]:
    """The texts in a set."""
    if isinstance(value, Instance) and value.name in _SETS and value.args:
        value = value.args[0]
    return [text for text in value if type(text) is str] if type(value) is list else []


def checked_name(name: str) -> str:
    """The name of an array.

    Raises:
        CheckpointError: it is too long.
    """
    if len(name) > LONGEST_NAME:
        raise CheckpointError(f"A name in the file has more than {LONGEST_NAME} characters.")
    return name


def other_content(root: Any, path: tuple[str, ...]) -> Iterator[str]:
    """Words for each thing in the file beside the state."""
    for name, value in _beside(root, path):
        yield f"{_short(name)}{_described(value)}"


def _beside(root: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """Dotted name and value of all that is in the containers on a path, without the state."""
    value, prefix = root, ""
    for step in (*path, None):
        entries = entries_of(value)
        for name, entry in entries:
            if name != step and (step is not None or tensor_of(entry) is None):
                yield prefix + name, entry
        if step is not None:
            value, prefix = dict(entries)[step], f"{prefix}{step}."


def plain_values(root: Any, path: tuple[str, ...]) -> dict[str, Any]:
    """Dotted name -> value of the entries beside the state, as far as they are plain.

    Plain are None, bool, int, float, str, and lists and dicts of these. Entries of lists and dicts
    that are not plain are left out.
    """
    left = [MOST_NAMES]
    found = ((name, _plain(value, left, 0)) for name, value in _beside(root, path))
    return {name: value for name, value in found if value is not _NOT_PLAIN}


_NOT_PLAIN = object()
_SCALARS = (bool, int, float, str, type(None))


def _plain(value: Any, left: list[int], depth: int) -> Any:
    """A value of plain Python, or ``_NOT_PLAIN``; ``left`` counts down."""
    left[0] -= 1
    if type(value) in _SCALARS:
        return value
    if isinstance(value, Instance) and value.name == "collections.OrderedDict":
        value = Table(entries_of(value))
    if depth > _DEEPEST or left[0] < 0 or type(value) not in (Table, list, tuple):
        return _NOT_PLAIN
    if type(value) is Table:
        pairs = [(key, _plain(entry, left, depth + 1)) for key, entry in value if _is_key(key)]
        return {key: entry for key, entry in pairs if entry is not _NOT_PLAIN}
    items = [_plain(item, left, depth + 1) for item in value]
    return [item for item in items if item is not _NOT_PLAIN]


def _is_key(key: Any) -> bool:
    """Whether a key is a text or a small number, of which no set makes a dict slow."""
    return type(key) is str or (type(key) is int and abs(key) < 1 << 31)


def _described(value: Any) -> str:
    """What stands behind the name of a value: `` 12``, ``: 3 entries``, ``: a sparse tensor``."""
    if type(value) in _SCALARS:
        return f' "{_short(value)}"' if type(value) is str else f" {value}"
    tensor = tensor_of(value)
    if isinstance(tensor, Tensor):
        return f": an array of {tensor.dtype}"
    if tensor or isinstance(value, Unread):
        return f": {(tensor or value).words}, not read"
    if isinstance(value, Named) or (isinstance(value, Instance) and not entries_of(value)):
        return f": {_short(value.name)}, not read"
    entries = entries_of(value)
    arrays = sum(tensor_of(entry) is not None for _, entry in entries)
    if arrays:
        return f": {arrays:,} array{'s' * (arrays > 1)}"
    size = len(value) if type(value) in (Table, list, tuple) else len(entries)
    return f": {size:,} entr{'y' if size == 1 else 'ies'}"


def _short(text: str) -> str:
    """A text cut to 60 characters, on one line."""
    line = " ".join(text[:61].split())
    return line if len(line) <= 60 else f"{line[:59]}…"
