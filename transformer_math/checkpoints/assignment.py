"""Assigns the arrays of a state to parameters, by the layout of the state's family."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from transformer_math.checkpoints.layouts.layout import Layout

_WEIGHTS = r"[._](?P<weight>weight)"
_LINEAR = rf"(?:{_WEIGHTS}|[._](?P<bias>bias))"
_NORM = r"[._](?:(?P<weight>weight|gamma|a_2|scale)|(?P<bias>bias|beta|b_2|shift))"
_WORD = {
    "{n}": r"(?P<n>\d{1,6})",
    "{h}": r"(?P<h>\d{1,4})",
    "{encoder}": r"\w*(?P<stack>enc)\w*",
    "{decoder}": r"\w*(?P<stack>dec)\w*",
    "{stack}": r"\w*(?P<stack>enc|dec)\w*",
    "*": r"\w*",
}
_STACKS = {"enc": "encoder", "dec": "decoder"}
_RIGHT = re.compile(r"(?P<adds>\+ )?(?P<path>[\w.{}]+?)(?:\[(?P<row>\d{1,6})(?P<from>:)?\])?")
_PACKED = re.compile(r"[Wb]_([qkv]{2,3})")


class Source(NamedTuple):
    """The place of a parameter, or of a part of a parameter, in a state.

    Attributes:
        name: the array.
        part: the index of the packed output.
        parts: the number of packed outputs.
        head: the head, if each head has a separate array.
        first_row: the first row of a table that is used.
        row: the row that is added to all other rows.
    """

    name: str
    part: int = 0
    parts: int = 1
    head: int | None = None
    first_row: int = 0
    row: int | None = None


class Assignment(NamedTuple):
    """The arrays of each parameter.

    Attributes:
        sources: path -> its places, one for each head if heads have separate arrays.
        added: path -> rows that are added to the parameter.
        spare: path and array of duplicates.
        rest: names of arrays without a path.
    """

    sources: dict[str, list[Source]]
    added: dict[str, list[Source]]
    spare: list[tuple[str, Source]]
    rest: list[str]

    def names(self) -> set[str]:
        """Return the names of the arrays that have a path."""
        both = (*self.sources.values(), *self.added.values())
        used = {source.name for sources in both for source in sources}
        return used | {source.name for _, source in self.spare}


def has_marks(layout: Layout, names: Iterable[str]) -> bool:
    """Return whether a state with these names is of a family."""
    names = list(names)
    marks = [_pattern(mark) for mark in layout.mark.split(" & ")]
    without = _pattern(layout.without)
    has_all = all(any(map(mark.fullmatch, names)) for mark in marks)
    return has_all and not any(map(without.fullmatch, names))


def assign(layout: Layout, names: Iterable[str], stack: str = "encoder") -> Assignment:
    """Assign the arrays of a state to parameters.

    Args:
        layout: the family.
        names: the names of the state.
        stack: the stack of a family with one stack, if the names do not show it.
    """
    names = list(names)
    entries = [_entry(*entry) for entry in layout.arrays.items()]
    left_out = [_pattern(pattern) for pattern in layout.left_out]
    prefixes = _prefixes(entries, names)
    found: list[tuple[int, str, Source]] = []
    rest = []
    for name in names:
        shorts = [name.removeprefix(p) for p in prefixes if name.startswith(p)]
        matched = _matched(entries, name, shorts, stack)
        found += matched
        if not matched and not any(each.fullmatch(s) for s in shorts for each in left_out):
            rest.append(name)
    result = Assignment({}, {}, [], rest)
    for _, path, source in sorted(found, key=lambda item: (item[0], item[2].head or 0)):
        if source.row is not None:
            result.added.setdefault(path, []).append(source)
        elif path not in result.sources or source.head is not None:
            result.sources.setdefault(path, []).append(source)
        else:
            result.spare.append((path, source))
    return result


class _Entry(NamedTuple):
    """A pattern of names, with and without a prefix, and its paths."""

    regex: re.Pattern[str]
    prefixed: re.Pattern[str] | None
    rights: tuple[str, ...]


@functools.lru_cache(maxsize=1024)
def _entry(left: str, right: str) -> _Entry:
    """Return an entry of a layout's arrays.

    Raises:
        ValueError: a path does not have the form that ``layouts.layout`` describes.
    """
    rights = tuple(each.strip() for each in right.split(","))
    leaves = []
    for each in rights:
        match = _RIGHT.fullmatch(each)
        if match is None:
            raise ValueError(f"{each!r:.80} is no path of a parameter.")
        leaves.append(match["path"].rpartition(".")[2])
    regex = _regex(left)
    if leaves[0] == "norm":
        regex += _NORM
    elif leaves[0] in ("e", "p"):
        regex += _WEIGHTS
    elif not re.fullmatch(r"[Wb]_\w+|gamma|beta", leaves[0]):
        regex += _LINEAR
    has_number = "{n}" in left
    prefixed = re.compile(rf"(?P<prefix>(?:\w+\.)*?){regex}") if has_number else None
    return _Entry(re.compile(regex), prefixed, rights)


@functools.lru_cache(maxsize=1024)
def _pattern(pattern: str) -> re.Pattern[str]:
    """Return a pattern of names with any prefix; an empty pattern matches no name."""
    return re.compile(rf"(?:\w+\.)*?{_regex(pattern)}" if pattern else r"(?!)")


def _regex(pattern: str) -> str:
    pieces = re.split(r"(\{\w+\}|\*)", pattern)
    return "".join(_WORD.get(piece) or re.escape(piece) for piece in pieces)


def _prefixes(entries: list[_Entry], names: list[str]) -> list[str]:
    """Return the prefixes of the layers' names, and the beginnings of prefixes; longest first."""
    full = set()
    for name in names:
        matches = (entry.prefixed.fullmatch(name) for entry in entries if entry.prefixed)
        full |= {match["prefix"] for match in matches if match}
    parts = [prefix.split(".")[:-1] for prefix in full]
    chains = {".".join(each[:n]) + "." for each in parts for n in range(1, len(each) + 1)}
    return [*sorted(chains, key=len, reverse=True), ""]


def _matched(
    entries: list[_Entry], name: str, shorts: list[str], stack: str
) -> list[tuple[int, str, Source]]:
    """Return the pattern's rank, the path and the source of an array; empty without a path."""
    for rank, entry in enumerate(entries):
        for short in shorts:
            match = entry.regex.fullmatch(short)
            if match:
                found = (
                    part
                    for right in entry.rights
                    for part in _paths(right, match.groupdict(), stack, name)
                )
                return [(rank, path, source) for path, source in found]
    return []


def _paths(
    right: str, groups: Mapping[str, str | None], stack: str, name: str
) -> Iterable[tuple[str, Source]]:
    """Yield the paths of an array, each with its place in the array."""
    match = _RIGHT.fullmatch(right)
    assert match
    found = groups.get("stack")
    stack = _STACKS[found] if found else stack
    side = "source" if stack == "encoder" else "target"
    path = match["path"].replace("{stack}", stack).replace("{side}", side)
    path = path.replace("{n}", groups.get("n") or "")
    prefix, _, leaf = path.rpartition(".")
    leaf = _leaf(leaf, groups)
    row = int(match["row"] or 0)
    head = groups.get("h")
    source = Source(
        name,
        head=None if head is None else int(head),
        first_row=row if match["from"] else 0,
        row=row if match["adds"] else None,
    )
    packed = _PACKED.fullmatch(leaf)
    if not packed:
        yield f"{prefix}.{leaf}", source
        return
    for n, letter in enumerate(packed[1]):
        yield f"{prefix}.{leaf[:2]}{letter}", source._replace(part=n, parts=len(packed[1]))


def _leaf(kind: str, groups: Mapping[str, str | None]) -> str:
    """Return the name of the parameter for a module's weight or bias; ``kind`` for an array."""
    if not groups.get("weight") and not groups.get("bias"):
        return kind
    if kind == "norm":
        return "gamma" if groups.get("weight") else "beta"
    return ("W_" if groups.get("weight") else "b_") + kind


def named_like(assignment: Assignment, layout: Layout, path: str) -> str:
    """Return the name that a missing parameter has in a state, for messages."""
    pieces = path.split(".")
    for other, sources in assignment.sources.items():
        theirs = other.split(".")
        is_like = len(pieces) > 2 and theirs[0] == pieces[0] and theirs[2:] == pieces[2:]
        if is_like:  # the same parameter of another layer
            number = rf"(?<=\.){theirs[1]}(?=\.)"
            return re.sub(number, pieces[1], sources[0].name, count=1)
    number = pieces[1] if len(pieces) > 2 else ""
    for left, right in layout.arrays.items():
        for suffix in (".weight", ".bias", ""):
            groups = {"n": number, "weight": suffix[1:2].strip("b"), "bias": suffix[1:2].strip("w")}
            for each, stack in itertools.product(right.split(","), _STACKS.values()):
                if any(made == path for made, _ in _paths(each.strip(), groups, stack, "")):
                    name = left.replace("{n}", number).replace("*", "")
                    return re.sub(r"\{(?:stack|encoder|decoder)\}", stack, name) + suffix
    return path
