"""Computes the map of words: rows of an embedding table, or of the stream at a depth."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from transformer_math import Trace
from transformer_math.experiments.lens import stream
from transformer_math.explain.plane import (
    Plane,
    cosines,
    plane_of_dimensions,
    plane_of_directions,
    widest_plane,
)
from transformer_math.ops import Embed
from transformer_math.ops.tensor import Tensor

from ...explain import labels
from ...model.matrices.values import shown_tensor
from ...model.scenario.scenario import Scenario
from ...model.scenario.vocabulary import Side
from ...typed_text import quoted
from ..naming import named
from ..settings import WordsSettings

MAX_WORDS = 240  # the most drawn words: the words of the text, and the first of the vocabulary
NEAREST = 6
# Axis names of the widest plane, and of that plane turned to be near the one of the previous
# training step.
WIDEST = ("words differ most this way", "second most this way")
TURNED = ("words differ most in this plane", "turned so that they move little")
WORDS = ("x_from", "x_to", "y_from", "y_to")  # the settings of the words that define the axes
STACKS: dict[Side, str] = {"source": "encoder", "target": "decoder"}


class Table(NamedTuple):
    """The drawn rows of an embedding table."""

    path: str  # the path of the stored table
    side: Side  # the side whose words are embedded
    ids: np.ndarray  # the drawn rows, (n,)
    words: tuple[str, ...]
    rows: np.ndarray  # their current numbers, (n, d)
    # Their numbers before any edit, (n, d), which determine the axes: moving a word must not turn
    # the plane in which it moves.
    learned: np.ndarray
    in_text: tuple[bool, ...]  # whether each word is in the text

    def find(self, word: str) -> int | None:
        """Return the index of a word among the drawn words; None if it is not drawn."""
        return self.words.index(word) if word in self.words else None


class Seen(NamedTuple):
    """The plane of a map, and the names of its two axes."""

    plane: Plane
    names: tuple[str, str]


class Depth(NamedTuple):
    """A place in a stack where the words of the text have vectors."""

    path: str
    label: str


class Neighbor(NamedTuple):
    """The index of a word, and its distance and cosine to another word in all dimensions."""

    at: int
    distance: float
    cosine: float

    @property
    def angle(self) -> float:
        """The angle between the two words, in degrees."""
        return math.degrees(math.acos(max(-1.0, min(1.0, self.cosine))))


def sides(trace: Trace) -> list[Side]:
    """Return the sides whose words the model embeds."""
    both: tuple[Side, Side] = ("source", "target")
    return [side for side in both if f"{side}.embedding" in trace]


def table(scenario: Scenario, trace: Trace, learned: np.ndarray | None, side: Side) -> Table:
    """Return the table of one side; ``learned`` has its rows before any edit, if they are known."""
    stored = table_tensor(trace, side)
    vocabulary = scenario.vocabulary_of(stored.path)
    text = set(getattr(scenario, side))
    ids = [row for row, word in enumerate(vocabulary) if word in text][:MAX_WORDS]
    known = set(ids)
    others = (row for row in range(len(vocabulary)) if row not in known)
    room = MAX_WORDS - len(ids)
    ids = sorted([*ids, *(row for row, _ in zip(others, range(room), strict=False))])
    rows = stored.value[ids].astype(float)
    return Table(
        stored.path,
        side,
        np.array(ids),
        tuple(vocabulary[row] for row in ids),
        rows,
        rows if learned is None else learned[ids].astype(float),
        tuple(vocabulary[row] in text for row in ids),
    )


def table_tensor(trace: Trace, side: Side) -> Tensor:
    """Return the table that a side reads; both sides may share one."""
    return trace[f"{side}.embedding"].inputs[1]


def factor(trace: Trace, side: Side) -> float:
    """Return the factor that multiplies the table's rows where they enter the stack."""
    op = trace[f"{side}.embedding"].op
    return math.sqrt(op.d_model) if isinstance(op, Embed) and op.scaled else 1.0


def seen(table: Table, settings: WordsSettings) -> Seen:
    """Return the chosen plane, adapted to the table; ValueError if the words span no plane."""
    d = table.rows.shape[1]
    if settings.axes == "dimensions":
        first, second = min(settings.first, d - 1), min(settings.second, d - 1)
        return Seen(plane_of_dimensions(first, second, d), (f"d{first}", f"d{second}"))
    if settings.axes == "words" and len(table.words) > 1:
        pairs = word_pairs(table, settings)
        at = [[table.words.index(word) for word in pair] for pair in pairs]
        directions = [table.learned[end] - table.learned[start] for start, end in at]
        names = [f"{labels.shown(start)} → {labels.shown(end)}" for start, end in pairs]
        return Seen(plane_of_directions(*directions), (names[0], names[1]))
    return Seen(widest_plane(table.learned), WIDEST)


class PairsOfWords(Protocol):
    """Settings that choose two pairs of words; a word that is not chosen is empty."""

    x_from: str
    x_to: str
    y_from: str
    y_to: str


def word_pairs(table: Table, settings: PairsOfWords) -> list[tuple[str, str]]:
    """Return the pairs of words that define the axes; by default two pairs of similar words."""
    usual = list(_alike(table))
    chosen = ((settings.x_from, settings.x_to), (settings.y_from, settings.y_to))
    return [
        (
            start if table.find(start) is not None else others[0],
            end if table.find(end) is not None else others[1],
        )
        for (start, end), others in zip(chosen, usual, strict=True)
    ]


def word_fields(table: Table, pairs: list[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Return the entries of the fields of `WORDS`, by name."""
    options = [[word, labels.shown(word)] for word in table.words]
    words = [word for pair in pairs for word in pair]
    return {
        name: {"kind": "choice", "options": options, "value": word}
        for name, word in zip(WORDS, words, strict=True)
    }


def usual_word(table: Table) -> int:
    """Return the initial word: the word of the text that is nearest to another word."""
    if len(table.words) < 2:
        return 0
    return table.words.index(next(_alike(table))[0])


def _alike(table: Table) -> Iterator[tuple[str, str]]:
    """Yield two pairs of similar words, without a common word if there are four words.

    The first word of a pair is in the text. An axis is the difference of a pair's words.
    """
    rows, words = table.learned, table.words
    sizes = (rows**2).sum(axis=1)
    apart = np.sqrt(np.maximum(0, sizes[:, None] + sizes - 2 * rows @ rows.T))
    order = sorted(
        (float(apart[i, j]), i, j)
        for i in range(len(words))
        for j in range(len(words))
        if i != j and (table.in_text[i] or not any(table.in_text))
    )
    taken: set[int] = set()
    found = []
    for _, i, j in order:
        if taken.isdisjoint((i, j)):
            taken |= {i, j}
            found.append((words[i], words[j]))
    if len(found) < 2:  # there are only two or three words
        _, i, j = order[-1]
        found.append((words[i], words[j]) if found[0] != (words[i], words[j]) else found[0][::-1])
    yield from found[:2]


def depths(trace: Trace, side: Side) -> list[Depth]:
    """Return the places with vectors of the text, from the embedding to the end of the stack."""
    stack = STACKS[side]
    found = [Depth(f"{side}.embedding", "embedded")]
    if f"{side}.positions" in trace:
        found.append(Depth(f"{side}.sum", "with its position"))
    try:
        paths = [shown_tensor(trace[path]).path for path in stream(trace, stack)]
    except KeyError:  # the model has no such stack
        return found
    for path in dict.fromkeys(paths):
        if not path.startswith(f"{side}."):
            words = labels.place_words(path).removeprefix(f"{stack} ")
            found.append(Depth(path, f"after {words}"))
    return found


def neighbors(rows: np.ndarray, at: int) -> list[Neighbor]:
    """Return the other rows, sorted by their angle to the row ``at``."""
    alike = cosines(rows, rows[at])
    apart = np.linalg.norm(rows - rows[at], axis=1)
    order = np.argsort(-alike, kind="stable")
    return [Neighbor(int(k), float(apart[k]), float(alike[k])) for k in order if k != at]


def position_of(tokens: Sequence[str], word: str, position: int) -> int:
    """Return the index of a word in a text: the given position if the word is there.

    If the text does not have the word, return the index of the first repeated word, or 0.
    """
    if position < len(tokens) and tokens[position] == word:
        return position
    if word in tokens:
        return tokens.index(word)
    return next((k for k, token in enumerate(tokens) if tokens.count(token) > 1), 0)


def sentence_of_table(table: Table, chosen: int, seen: Seen) -> str:
    """Describe the map of a table: the chosen word's distances, and the share that it shows."""
    apart = np.linalg.norm(table.rows - table.rows[chosen], axis=1)
    apart[chosen] = np.nan
    word = quoted(labels.shown(table.words[chosen]))
    said = ""
    if len(table.words) > 2:
        near, far = int(np.nanargmin(apart)), int(np.nanargmax(apart))
        said = (
            f"{word} and {quoted(labels.shown(table.words[near]))} are {apart[near]:.2f} apart, "
            f"{word} and {quoted(labels.shown(table.words[far]))} {apart[far]:.2f}. "
        )
    share = round(100 * seen.plane.share(table.rows))
    others = table.rows.shape[1] - 2
    rest = f"; the rest lies in {others} more directions" if others > 0 else ""
    return f"{said}The picture shows {share} % of how the words differ{rest}."


def sentence_of_depth(
    tokens: Sequence[str], first: np.ndarray, rows: np.ndarray, chosen: int, depth: Depth
) -> str:
    """Describe the map of a depth: the distance of a repeated word, or the nearest words.

    ``first`` are the embeddings of the text, ``rows`` its vectors at the depth, both (n, d).
    """
    twins = [k for k, token in enumerate(tokens) if token == tokens[chosen] and k != chosen]
    names = named(tokens)
    if twins:
        before = float(np.linalg.norm(first[chosen] - first[twins[0]]))
        now = float(np.linalg.norm(rows[chosen] - rows[twins[0]]))
        word = quoted(labels.shown(tokens[chosen]))
        if depth.path.endswith(".embedding"):
            return (
                f"{word} is in the text at positions {chosen} and {twins[0]}. The distance of "
                f"its two embeddings is {now:.2f}: a word is the same point at every position."
            )
        return (
            f"The {word} at position {chosen} and the {word} at {twins[0]} begin {before:.2f} "
            f"apart; {depth.label} they are {now:.2f} apart."
        )
    if len(tokens) < 2:
        return ""
    found = neighbors(rows, chosen)
    return (
        f"{depth.label.capitalize()}, the arrow of {quoted(names[chosen])} is nearest to that of "
        f"{quoted(names[found[0].at])}, {found[0].angle:.0f}° away, and farthest from that of "
        f"{quoted(names[found[-1].at])}, {found[-1].angle:.0f}°."
    )
