"""Finds the state of a model in a file of PyTorch, and describes the other entries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from transformer_math.checkpoints.safetensors import CheckpointError
from transformer_math.checkpoints.torch_pickle import MOST_STEPS, Instance, Named, Table, Unread
from transformer_math.checkpoints.torch_tensors import Tensor, tensor_of

LONGEST_NAME = 200  # characters of the name of an array
MOST_NAMED = 50  # other entries that are described
_DEEPEST = 4  # levels of nested containers in which a state is searched for
_LISTED = 64  # items of a list in which a state is searched for
# Every entry is visited a few times, but a hostile file can have one container in many places.
_MOST_LOOKS = 4 * MOST_STEPS
_MODULE_LOOKS = 50  # a module takes as long as this many entries
# If a file has several states of one size, a state under one of these keys is preferred.
_USUAL = [(name,) for name in ("model_state_dict", "state_dict", "model", "module", "net")]
_MODULE = {"_parameters", "_buffers", "_modules"}
_SETS = ("builtins.set", "__builtin__.set")
_SCALARS = (bool, int, float, str, type(None))
_NOT_PLAIN = object()

Entries = list[tuple[str, Any]]


class State(NamedTuple):
    """The state of a model in a file.

    Attributes:
        path: the keys that lead to it from the root.
        entries: name and tensor, or another value.
        float_count: the number of floats, by the shapes.
    """

    path: tuple[str, ...]
    entries: Entries
    float_count: int

    @property
    def key(self) -> str:
        return ".".join(self.path)


class Contents:
    """The content of a file.

    Args:
        root: the value that was saved.
    """

    def __init__(self, root: Any) -> None:
        self._root = root
        self._looks = _MOST_LOOKS

    def state(self, key: str | None) -> State:
        """Return the state under a key, or by default the state with the most floats.

        Raises:
            CheckpointError: there is no such state.
        """
        found = list(self._states())
        states = [state for state in found if state.float_count] or found
        if key is not None:
            for state in states:
                if state.key == key:
                    return state
            keys = ", ".join(repr(state.key)[:60] for state in states[:8]) or "none"
            raise CheckpointError(f"The file has no state under {key!r:.60}; it has {keys}.")
        if not states:
            held = "; ".join(islice(self.other(()), 8)) or "nothing by name"
            raise CheckpointError(f"The file has no arrays by name, as a model has; it has {held}.")
        return max(states, key=lambda state: (state.float_count, state.path[-1:] in _USUAL))

    def other(self, path: tuple[str, ...]) -> Iterator[str]:
        """Yield a description of each entry of the file besides the state at a path."""
        beside = list(self._beside(path))
        for name, value in beside[:MOST_NAMED]:
            yield f"{_short(name)}{self._described(value)}"
        if len(beside) > MOST_NAMED:
            yield f"{len(beside) - MOST_NAMED:,} more"

    def values(self, path: tuple[str, ...]) -> dict[str, Any]:
        """Return name -> value of each plain entry besides the state."""
        found = ((name, self._plain(value)) for name, value in self._beside(path))
        return {name: value for name, value in found if value is not _NOT_PLAIN}

    def _entries(self, value: Any) -> Entries:
        """Return the entries of a dict with texts as keys, or of a list by index; else no entries.

        Raises:
            CheckpointError: too many entries were visited.
        """
        if isinstance(value, Instance):
            is_of_python_2 = value.entries is None and value.name == "collections.OrderedDict"
            value = value.args[0] if is_of_python_2 and value.args else value.entries
            if is_of_python_2 and type(value) is list and self._look(len(value)):
                pairs = [pair for pair in value if type(pair) in (list, tuple) and len(pair) == 2]
                value = Table((pair[0], pair[1]) for pair in pairs)
        if type(value) is Table and self._look(len(value)):
            return list({name: entry for name, entry in value if type(name) is str}.items())
        if type(value) in (list, tuple) and self._look(min(len(value), _LISTED)):
            return [(str(n), entry) for n, entry in enumerate(value[:_LISTED])]
        return []

    def _look(self, count: int) -> bool:
        """Count visits of entries, and return True; too many raise CheckpointError."""
        self._looks -= count
        if self._looks < 0:
            raise CheckpointError("The file has too many parts that refer to one another.")
        return True

    def _states(self) -> Iterator[State]:
        """Yield all states in the file; an optimizer is no state, because its keys are numbers."""
        seen: set[int] = set()
        level: list[tuple[tuple[str, ...], Any]] = [((), self._root)]
        for _ in range(_DEEPEST):
            below: list[tuple[tuple[str, ...], Any]] = []
            for path, value in level:
                if id(value) in seen:
                    continue
                seen.add(id(value))
                if not _MODULE - self._attributes(value).keys():
                    yield _state(path, list(self._module_entries(value)))
                    continue
                entries = self._entries(value)
                if any(tensor_of(entry) for _, entry in entries):
                    yield _state(path, entries)
                below += [((*path, name), entry) for name, entry in entries]
            level = below

    def _attributes(self, value: Any) -> dict[str, Any]:
        """Return the attributes of an instance; empty for other values."""
        is_set = isinstance(value, Instance) and type(value.state) is Table
        return dict(self._entries(value.state)) if is_set else {}

    def _module_entries(self, module: Instance) -> Iterator[tuple[str, Any]]:
        """Yield names and tensors of a ``torch.nn.Module``, as its ``state_dict`` has them."""
        waiting: Entries = [("", module)]
        while waiting:
            prefix, value = waiting.pop()
            self._look(_MODULE_LOOKS)
            parts = self._attributes(value)
            if _MODULE - parts.keys():
                continue
            hidden = self._texts(parts.get("_non_persistent_buffers_set"))
            buffers = (item for item in self._entries(parts["_buffers"]) if item[0] not in hidden)
            for name, tensor in (*self._entries(parts["_parameters"]), *buffers):
                if tensor is not None:
                    yield checked_name(prefix + name), tensor
            inner = self._entries(parts["_modules"])
            waiting += [(checked_name(f"{prefix}{name}."), child) for name, child in inner[::-1]]

    def _texts(self, value: Any) -> set[str]:
        """Return the texts in a set."""
        if isinstance(value, Instance) and value.name in _SETS and value.args:
            value = value.args[0]
        is_read = type(value) is list and self._look(len(value))
        return {text for text in value if type(text) is str} if is_read else set()

    def _beside(self, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        """Yield dotted name and value of each entry of a path's containers, except the state."""
        value, prefix = self._root, ""
        for step in (*path, None):
            entries = self._entries(value)
            for name, entry in entries:
                if name != step and (step is not None or tensor_of(entry) is None):
                    yield prefix + name, entry
            if step is not None:
                value, prefix = dict(entries)[step], f"{prefix}{step}."

    def _plain(self, value: Any, depth: int = 0) -> Any:
        """Return a value in plain Python, or ``_NOT_PLAIN``."""
        if type(value) in _SCALARS:
            return value
        if isinstance(value, Instance) and value.name == "collections.OrderedDict":
            value = Table(self._entries(value))
        if depth > _DEEPEST or type(value) not in (Table, list, tuple):
            return _NOT_PLAIN
        self._look(len(value))
        if type(value) is Table:
            pairs = [(key, self._plain(entry, depth + 1)) for key, entry in value if _is_key(key)]
            found: Any = {key: entry for key, entry in pairs if entry is not _NOT_PLAIN}
        else:
            items = [self._plain(item, depth + 1) for item in value]
            found = [item for item in items if item is not _NOT_PLAIN]
        return found if found or not value else _NOT_PLAIN

    def _described(self, value: Any) -> str:
        """Return the words after a value's name: `` 12``, ``: 3 entries``, ``: 5 arrays``."""
        if type(value) in _SCALARS:
            return f' "{_short(value)}"' if type(value) is str else f" {_short(str(value))}"
        tensor = tensor_of(value)
        if isinstance(tensor, Tensor):
            return f": an array of {tensor.dtype}"
        if tensor or isinstance(value, Unread):
            return f": {(tensor or value).words}, not read"
        entries = self._entries(value)
        if isinstance(value, Named | Instance) and not entries:
            return f": {_short(value.name)}, not read"
        arrays = sum(tensor_of(entry) is not None for _, entry in entries)
        size = len(value) if type(value) in (Table, list, tuple) else len(entries)
        return f": {_counted(arrays, 'array')}" if arrays else f": {_counted(size, 'entry')}"


def _state(path: tuple[str, ...], entries: Entries) -> State:
    tensors = (tensor_of(value) for _, value in entries)
    return State(path, entries, sum(t.float_count for t in tensors if isinstance(t, Tensor)))


def checked_name(name: str) -> str:
    """Return the name of an array.

    Raises:
        CheckpointError: it is too long.
    """
    if len(name) > LONGEST_NAME:
        raise CheckpointError(f"A name in the file has more than {LONGEST_NAME} characters.")
    return name


def _is_key(key: Any) -> bool:
    """Return whether a key is a text or a small number, whose hashes cannot make a dict slow."""
    return type(key) is str or (type(key) is int and abs(key) < 1 << 31)


def _counted(count: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("try") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def _short(text: str) -> str:
    """Return a text cut to 60 characters, on one line."""
    line = " ".join(text[:61].split())
    return line if len(line) <= 60 else f"{line[:59]}…"
