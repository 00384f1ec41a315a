"""Strategies for files and links that are damaged, by chance or on purpose."""

import copy
import json
import struct
from typing import Any

from hypothesis import strategies as st

# Bytes that can break a reader in place of a length, a number, a name or a group.
BYTES = st.sampled_from(
    [b"", b"\0", b"\xff" * 8, b"\0" * 8, b"{", b'"', b"[" * 2000, b"\n", b",", b"\xf0\x9f", b"-1"]
)
VALUES: list[Any] = [
    *(None, True, -1, 0, 0.5, 2**31, 2**63, 10**30, 1e308, "", "x" * 3000, "encoder.0.self_attn.q"),
    *([], {}, [[]], [0.5], ["a"] * 3, {"a": 1}, [2**40, 2**40], [[[[0]]]], "\u0000", "NaN", "F32"),
]
WORDS = ["NaN", "Infinity", "1e999", "-0", "\\ud800", "[" * 3000]


@st.composite
def damaged(draw: st.DrawFn, good: bytes) -> bytes:
    """Cut, overwrite, insert, remove or double bytes in up to four places."""
    data = good
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 40)))
        part = draw(st.one_of(BYTES, st.binary(max_size=12)))
        how = draw(st.sampled_from(["cut", "over", "in", "out", "twice"]))
        data = {
            "cut": data[:at],
            "over": data[:at] + part + data[at + len(part) :],
            "in": data[:at] + part + data[at:],
            "out": data[:at] + data[end:],
            "twice": data[:end] + data[at:],
        }[how]
    return data


@st.composite
def other_json(draw: st.DrawFn, good: str) -> str:
    """Change or remove a value or a name of JSON at any depth, up to three times."""
    tree = json.loads(good)
    for _ in range(draw(st.integers(1, 3))):
        _change(draw, tree)
    text = json.dumps(tree)
    if draw(st.integers(0, 5)) == 0:
        text = text.replace(draw(st.sampled_from(["0", "1", "true", '"'])), WORDS[len(text) % 6], 1)
    return text


def _change(draw: st.DrawFn, tree: Any) -> None:
    while isinstance(tree, dict | list) and tree:
        keys = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
        key = keys[draw(st.integers(0, len(keys) - 1))]
        is_inner = isinstance(tree[key], dict | list) and tree[key]
        if is_inner and draw(st.integers(0, 3)):
            tree = tree[key]
            continue
        how = draw(st.sampled_from(["value", "value", "less", "name"]))
        if how == "less":
            del tree[key]
        elif how == "name" and isinstance(tree, dict):
            tree[draw(st.sampled_from(["", "x", "version", "settings", key * 2]))] = tree.pop(key)
        else:
            tree[key] = copy.deepcopy(VALUES[draw(st.integers(0, len(VALUES) - 1))])
        return


@st.composite
def other_header(draw: st.DrawFn, good: bytes) -> bytes:
    """Change the header of a safetensors file; its stated length may be wrong as well."""
    (size,) = struct.unpack("<Q", good[:8])
    header = draw(other_json(good[8 : 8 + size].decode())).encode("utf-8", "surrogatepass")
    said = len(header) + draw(st.sampled_from([0, 0, 0, -1, 1, 2**40]))
    return struct.pack("<Q", max(0, said)) + header + good[8 + size :]
