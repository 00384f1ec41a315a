"""Write the typedefs of the board's messages: `python -m tests.js.message_types`."""

import inspect
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
 * The messages between the board and its Python half, written from `messages.py` by
 * `python -m tests.js.message_types`.
 */
"""

PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    object: "unknown",
    type(None): "null",
}
# The bytes that Python sends arrive as a buffer; what the browser sends is a view of one.
BYTES = {"ToBoard": "ArrayBuffer", "FromBoard": "Uint8Array"}


def text() -> str:
    """The file as it is to be."""
    return HEAD + "".join(_typedefs(name) for name in BYTES)


def _typedefs(union: str) -> str:
    """The types of all messages that are sent one way, and their union."""
    declared = get_args(getattr(messages, union))
    comments = [_comment(_typedef(each, BYTES[union])) for each in declared]
    names = "\n  | ".join(each.__name__ for each in declared)
    union_of = f"@typedef {{{names}}} {union}"
    return "\n".join(["", *comments, _comment(union_of.splitlines())])


def _typedef(declared: type, of_bytes: str) -> Iterator[str]:
    for line in (inspect.getdoc(declared) or "").splitlines():
        yield from textwrap.wrap(line.replace("``", "`"), 96) or [""]
    yield f"@typedef {{object}} {declared.__name__}"
    for name, hint in typing.get_type_hints(declared, include_extras=True).items():
        if get_origin(hint) is NotRequired:
            yield f"@property {{{_type(get_args(hint)[0], of_bytes)}}} [{name}]"
        else:
            yield f"@property {{{_type(hint, of_bytes)}}} {name}"


def _type(hint: Any, of_bytes: str) -> str:
    """A Python type as TypeScript writes it."""
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


def _comment(lines: typing.Iterable[str]) -> str:
    return "\n".join(["/**", *(f" * {line}".rstrip() for line in lines), " */", ""])


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
