"""Write the typedefs of the board's messages: `python -m tests.js.message_types`."""

import textwrap
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NotRequired, get_args, get_origin

from tinkerformer.board import board, messages

FILE = Path(board.__file__).parent / "data" / "messages.js"

HEAD = """\
/**
 * The messages between the board and its Python half, described in `messages.py` and written from
 * it by `python -m tests.js.message_types`.
 *
"""

PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    object: "unknown",
    type(None): "null",
}
# Python sends bytes as a buffer, and the browser sends a view of a buffer.
BYTES = {"ToBoard": "ArrayBuffer", "FromBoard": "Uint8Array"}


def text() -> str:
    """Return the content that the file should have."""
    typedefs = "\n".join(typedef for name in BYTES for typedef in _typedefs(name))
    lines = [line for each in typedefs.splitlines() for line in _wrapped(each)]
    return HEAD + "".join(f" * {line}\n" for line in lines) + " */\n"


def _typedefs(union: str) -> Iterator[str]:
    """Return the types of all messages that are sent one way, and their union."""
    declared = get_args(getattr(messages, union))
    for each in declared:
        hints = typing.get_type_hints(each, include_extras=True).items()
        fields = ", ".join(_field(name, hint, BYTES[union]) for name, hint in hints)
        yield f"@typedef {{{{{fields}}}}} {each.__name__}"
    yield f"@typedef {{{' | '.join(each.__name__ for each in declared)}}} {union}"


def _wrapped(typedef: str) -> list[str]:
    return textwrap.wrap(typedef, 96, subsequent_indent="  ", break_long_words=False)


def _field(name: str, hint: Any, of_bytes: str) -> str:
    if get_origin(hint) is NotRequired:
        return f"{name}?: {_type(get_args(hint)[0], of_bytes)}"
    return f"{name}: {_type(hint, of_bytes)}"


def _type(hint: Any, of_bytes: str) -> str:
    """Return a Python type in TypeScript."""
    if hint is bytes:
        return of_bytes
    if hint in PLAIN:
        return PLAIN[hint]
    parts = get_args(hint)
    match get_origin(hint):
        case typing.Literal:
            return " | ".join(f'"{part}"' for part in parts)
        case typing.Annotated:
            return _type(parts[0], of_bytes)
        case types.UnionType | typing.Union:
            return " | ".join(dict.fromkeys(_type(part, of_bytes) for part in parts))
    inner = [_type(part, of_bytes) for part in parts]
    if get_origin(hint) is tuple:
        return f"[{', '.join(inner)}]"
    if get_origin(hint) is list:
        return f"({inner[0]})[]" if "|" in inner[0] else f"{inner[0]}[]"
    raise TypeError(f"No JavaScript type is known for {hint}.")


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
