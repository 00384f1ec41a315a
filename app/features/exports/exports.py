"""Declares the menu of file exports, and the upload of exported models."""

from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

import param

from ...components.component import Message
from ...components.messages import RequestMessage
from ...components.order import Order
from ...components.upload import Later, OnOpen, Opens, then

MOST_PATHS = 5000  # the most paths of one request: all of one picture

NO_MATRIX = "These are not the matrices of a page."


class File(NamedTuple):
    """A file for the browser to save."""

    name: str
    mime: str
    data: bytes


class Make(RequestMessage):
    """A request for a file of a kind; ``path`` names the matrix if the file is of a matrix."""

    kind: str
    path: str | None


class Values(RequestMessage):
    """A request for the current values of matrices."""

    paths: list[str]


class Exports(Opens):
    """A button that opens the export dialog.

    `on_make(kind, path)` returns the file of a kind (`csv`, `npy`, `safetensors`, `numpy`, `torch`)
    or raises a ValueError whose message is shown. `on_open` is as in `Opens`. `on_values(paths)`
    returns by path the bytes of three arrays: float32 values, uint8 marks and, if shown, float32
    gradients; None for a missing array. These three callbacks may return a `Later`.

    The browser draws pictures itself, from the board's data.
    """

    value = param.ClassSelector(
        class_=File, allow_None=True, doc="The last file that was created.", precedence=-1
    )

    matrix = param.Dict(default={}, doc="The selected matrix, if any: `path`, `tex`, `where`.")

    model = param.Dict(default={}, doc="`name` of the weights, and whether they are `loaded`.")

    palettes = param.Dict(default={}, doc="The light theme of each palette, for pictures.")

    hears: ClassVar = {**Opens.hears, "make": Make, "values": Values, "seed": RequestMessage}

    orders: ClassVar = {**Opens.orders, "make": Order.LOOK, "values": Order.LOOK}

    sheets = ("../../components/shared/dialog.css", "exports.css")

    def __init__(
        self,
        *,
        on_make: Callable[[str, str], File | Later],
        on_open: OnOpen,
        on_values: Callable[[list[str]], dict[str, tuple[bytes | None, ...]] | Later],
        on_seed: Callable[[], None],
        **params: Any,
    ) -> None:
        super().__init__(on_open=on_open, **params)
        self._on_make = on_make
        self._on_values = on_values
        self._on_seed = on_seed

    def _on_make_message(self, data: dict[str, Any]) -> Message | Later:
        def answer(file: File) -> Message:
            self.value = file
            return {"name": file.name, "mime": file.mime, "bytes": file.data}

        return then(self._on_make(data["kind"], data["path"] or ""), answer)

    def _on_values_message(self, data: dict[str, Any]) -> Message | Later:
        if len(data["paths"]) > MOST_PATHS:
            raise ValueError(NO_MATRIX)

        def answer(found: dict[str, tuple[bytes | None, ...]]) -> Message:
            return {"values": [[path, *planes] for path, planes in found.items()]}

        return then(self._on_values(data["paths"]), answer)

    def _on_seed_message(self, _data: dict[str, Any]) -> dict[str, Any]:
        self._on_seed()
        return {}
