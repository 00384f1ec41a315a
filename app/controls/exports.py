"""The menu of what can be taken away as a file, and the door for a model that comes back."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import param

from app.controls.control import Control, styles
from app.esm import esm

HERE = Path(__file__).parent


class File(NamedTuple):
    """What the browser is to save."""

    name: str
    mime: str
    data: bytes


class Exports(Control):
    """A button that opens a dialog.

    `on_make(kind, path)` gives the file of a kind (`csv`, `npy`, `safetensors`, `numpy`,
    `torch`) or raises a ValueError whose sentence is shown.  `on_open(name, data)` takes a
    file's bytes in and raises a ValueError if it refuses them.  `on_values(paths)` gives what
    stands in matrices now, as pairs of float32 bytes and the bytes of their marks.

    Pictures are drawn in the browser, out of the board's own data.
    """

    matrix = param.Dict(default={}, doc="The selected matrix: `path` and `name`; empty if none.")

    model = param.Dict(default={}, doc="`name` of the weights, and whether they are `loaded`.")

    palettes = param.Dict(default={}, doc="For each palette the light theme, for pictures.")

    limit = param.Integer(default=64 << 20, doc="The largest file that is sent, in bytes.")

    _esm = esm(*(HERE / name for name in ("dom.js", "files.js", "charts.js", "exports.js")))
    _stylesheets = styles("exports.css")

    def __init__(
        self,
        *,
        on_make: Callable[[str, str], File],
        on_open: Callable[[str, bytes], None],
        on_values: Callable[[list[str]], dict[str, tuple[bytes, bytes | None]]],
        on_seed: Callable[[], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._on_make = on_make
        self._on_open = on_open
        self._on_values = on_values
        self._on_seed = on_seed
        self._arrived: list[bytes] = []

    def _handle_msg(self, data: dict[str, Any]) -> None:
        handler = getattr(self, f"_on_{data.get('type')}_message", None)
        if handler is None:
            return
        try:
            answer = handler(data)
        except ValueError as error:
            answer = {"problem": str(error)}
        if answer is not None:
            self._send_msg({"type": "answer", "id": data.get("id"), **answer})

    def _on_make_message(self, data: dict[str, Any]) -> dict[str, Any]:
        file = self._on_make(str(data["kind"]), str(data.get("path") or ""))
        return {"name": file.name, "mime": file.mime, "bytes": file.data}

    def _on_values_message(self, data: dict[str, Any]) -> dict[str, Any]:
        found = self._on_values([str(path) for path in data["paths"]])
        return {"values": [[path, *pair] for path, pair in found.items()]}

    def _on_part_message(self, data: dict[str, Any]) -> dict[str, Any] | None:
        """A file comes in parts, since a message has a largest size; the last one says so."""
        part = data["bytes"]
        if data["first"]:
            self._arrived = []
        if not isinstance(part, bytes) or sum(map(len, self._arrived)) + len(part) > self.limit:
            self._arrived = []
            raise ValueError(f"At most {self.limit >> 20} MB are read.")
        self._arrived.append(part)
        if not data["last"]:
            return {}
        whole, self._arrived = b"".join(self._arrived), []
        self._on_open(str(data["name"])[:120], whole)
        return {"opened": True}

    def _on_seed_message(self, data: dict[str, Any]) -> dict[str, Any]:
        self._on_seed()
        return {}
