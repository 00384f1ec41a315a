"""Names the rows, columns and matrices on the page."""

import functools
import re
from collections.abc import Iterable, Sequence

from transformer_math.data.tokenizer import EOS
from transformer_math.ops.expression import Cell
from transformer_math.ops.tensor import Index, Tensor

from ..model.matrices.resolved_cell import ResolvedCell
from ..model.scenario.axis_tokens import POSITION_AXES, TOKEN_LOSS, AxisTokens
from ..typed_text import isolated

AXIS_WORDS = {
    "position": "tokens",
    "key_position": "tokens",
    "source_position": "source tokens",
    "vocab": "words",
    "max_position": "positions",
    "head_d_v": "h·d_v",
}

# The letter in the label of a dimension, such as d0.
AXIS_LETTERS = {"d_model": "d", "d_k": "k", "d_v": "v", "d_ff": "f", "head_d_v": "z"}

ROLES = {
    "q": ("W_q", "b_q", "q"),
    "k": ("W_k", "b_k", "k"),
    "v": ("W_v", "b_v", "v", "context"),
    "attention": ("raw_scores", "scores", "masked_scores", "weights", "weights_dropout"),
}

ORDINALS = ("first", "second", "third")

_SIGNS = {
    r"\partial ": "∂",
    r"\ell": "ℓ",
    r"\gamma": "γ",
    r"\beta": "β",
    r"\prime": "′",
    r"\top": "ᵀ",
    r"\ldots": "…",
}


def axis_labels(
    tokens: AxisTokens, path: str, axis: str, size: int, start: int = 0, stop: int | None = None
) -> list[str]:
    """Return the labels of an axis of a tensor, or of a range of it: tokens, words, dimensions."""
    stretch = slice(start, size if stop is None else stop)
    named = tokens.along(path, axis)
    if named is not None:
        return visible(named[stretch])
    letter = AXIS_LETTERS.get(axis, "")
    return [f"{letter}{i}" for i in range(stretch.start, stretch.stop)]


def no_word(end: str | None) -> str:
    """Describe an empty sentence: the model writes its end token first."""
    return f"{end} first, so no word" if end else "no word"


def axis_titles(
    tokens: AxisTokens, path: str, axis: str, size: int, start: int = 0, stop: int | None = None
) -> list[str]:
    """Return the labels beside a matrix, with the next word: ``<sos> → writes le``.

    ``right:`` precedes a word that the model did not write.
    """
    alone = axis_labels(tokens, path, axis, size, start, stop)
    return alone if path == TOKEN_LOSS else _writing(tokens, path, axis, alone, start)


def axis_names(
    tokens: AxisTokens, path: str, axis: str, size: int, start: int = 0, stop: int | None = None
) -> list[str]:
    """Return the full labels, for naming a cell: ``le (position 1, id 2)``; both count from 0."""
    stretch = range(start, size if stop is None else stop)
    if axis == "max_position":
        return [f"position {i}" for i in stretch]
    read = tokens.read_along(path, axis)
    if read is None:
        return axis_labels(tokens, path, axis, size, start, stop)
    alone = [label or "∅" for label in visible(read[stretch.start : stretch.stop])]
    titles = _writing(tokens, path, axis, alone, start)
    ids = tokens.ids_along(path, axis) or []
    at = "position {0}, id {1}" if axis in POSITION_AXES else "id {1}"
    return [f"{title} ({at.format(i, ids[i])})" for i, title in zip(stretch, titles, strict=True)]


def has_names(tokens: AxisTokens, path: str, axis: str) -> bool:
    """Return whether the full names along an axis have positions or ids besides the labels."""
    return axis == "max_position" or tokens.read_along(path, axis) is not None


def _writing(tokens: AxisTokens, path: str, axis: str, labels: list[str], start: int) -> list[str]:
    """Add the next word to labels that begin at index ``start``; padding is not added."""
    written = tokens.written_along(path, axis)
    if written is None:
        return labels
    known, last = tokens.vocabulary, len(tokens.target) - 1

    def does(at: int, word: str) -> str:
        is_written = tokens.writes and (at < last or word in (known.end, EOS))
        return "writes" if is_written else "right:"

    words = enumerate(zip(labels, written[start : start + len(labels)], strict=True), start)
    return [
        label if word == known.pad else f"{label or '∅'} → {does(at, word)} {shown(word)}"
        for at, (label, word) in words
    ]


def visible(tokens: Iterable[str]) -> list[str]:
    """Convert tokens to labels in which spaces are visible."""
    return ["␣" * len(token) if token.isspace() else isolated(token) for token in tokens]


def shown(token: str) -> str:
    """Convert a token to a label that is never empty: ``∅`` for the empty token."""
    return visible([token])[0] or "∅"


def role(path: str) -> str:
    """Return the color role of a tensor: a key of ``ROLES``, or ``plain``."""
    leaf = path.rpartition(".")[2]
    return next((name for name, leaves in ROLES.items() if leaf in leaves), "plain")


def shape_note(tensor: Tensor) -> str:
    """Describe the shape of a tensor: ``6 × 8 · tokens × d_model``."""
    if not tensor.dims:
        return ""
    if tensor.path == "output.token_loss":
        return f"{tensor.shape[0]} right words"
    sizes = " × ".join(map(str, tensor.shape))
    return f"{sizes} · {' × '.join(AXIS_WORDS.get(d, d) for d in tensor.dims)}"


def plain(tex: str) -> str:
    r"""Convert a symbol's LaTeX to plain text: ``W_{1}^{Q}`` -> ``W₁^Q``, ``\gamma`` -> ``γ``."""
    for command, sign in _SIGNS.items():
        tex = tex.replace(command, sign)
    tex = re.sub(r"\\mathrm\{([^}]*)\}", r"\1", tex)
    tex = re.sub(r"_\{([a-z]+)\}", r"_\1", tex)
    tex = re.sub(
        r"_\{(\d+)\}", lambda m: m[1].translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")), tex
    )
    return re.sub(r"[{}]", "", tex).replace("^′", "′")


def cell_name(tokens: AxisTokens, cell: Cell) -> str:
    """Name a cell by its symbol and the labels of row and column: ``K₁[cat, k0]``."""
    return line_name(tokens, cell, None)


def cell_in_words(tokens: AxisTokens, cell: Cell) -> str:
    """Name a cell for readers who do not know the matrices: ``“black”, column d3 in E``.

    Without an axis of words, use the symbol with row and column. If the matrix is in a layer, add
    its place.
    """
    tensor, index = cell.tensor, cell.index
    place = place_words(tensor.path)
    within = f", {place}" if "," in place else ""
    words, numbers = [], []
    lines = [""] * (len(index) - 2) + ["row", "column"][-len(index) :]
    for line, axis, size, i in zip(lines, tensor.dims, tensor.shape, index, strict=True):
        if tokens.along(tensor.path, axis) is not None:
            words.append(which_word(axis_labels(tokens, tensor.path, axis, size), i))
        elif axis != "head":
            (label,) = axis_labels(tokens, tensor.path, axis, size, i, i + 1)
            numbers.append(f"{line} {label}")
    if not words or len(words) + len(numbers) > 2:
        return f"{cell_name(tokens, cell)}{within}"
    named = ", ".join([" to ".join(words), *numbers])
    return f"{named} in {symbol(cell)}{within}"


def which_word(labels: Sequence[str], i: int) -> str:
    """Quote a word and, if it occurs several times, add its number."""
    word = f"“{labels[i] or '∅'}”"
    if labels.count(labels[i]) == 1:
        return word
    count = labels[:i].count(labels[i])
    return f"the {_ordinal(count)} {word}"


def _ordinal(index: int) -> str:
    """Return ``first`` for 0, and ``21st`` for 20."""
    if index < len(ORDINALS):
        return ORDINALS[index]
    number = index + 1
    tens, ones = number // 10 % 10, number % 10
    return f"{number}{'th' if tens == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(ones, 'th')}"


def cell_labels(tokens: AxisTokens, cell: ResolvedCell) -> list[str]:
    """Return the labels of a cell along the axes of its drawn matrix: ``["cat", "the"]``."""
    tensor = cell.tensor
    return [
        axis_labels(tokens, cell.stored, axis, size, i, i + 1)[0] or "∅"
        for axis, size, i in zip(tensor.dims, tensor.shape, cell.index, strict=True)
    ]


def cell_words(tokens: AxisTokens, stored: str, tensor: Tensor, index: Index) -> str:
    """Describe the place of a cell: ``row cat (position 2, id 6), column k0``."""
    words = []
    for name, axis, size, i in zip(
        ("row", "column")[2 - len(index) :], tensor.dims, tensor.shape, index, strict=True
    ):
        (label,) = axis_names(tokens, stored, axis, size, i, i + 1)
        words.append(f"{name} {label}")
    return ", ".join(words)


def place_in_short(tokens: AxisTokens, stored: str, tensor: Tensor, index: Index) -> str:
    """Describe the place of a cell in short: ``“cat” · number d2 of d0–d7``."""
    found = []
    axes = [
        each for each in zip(tensor.dims, tensor.shape, index, strict=True) if each[0] != "head"
    ]
    for name, (axis, size, i) in zip(("row", "number")[2 - len(axes) :], axes, strict=True):
        label, first, last = (
            axis_labels(tokens, stored, axis, size, k, k + 1)[0] for k in (i, 0, size - 1)
        )
        is_word = tokens.along(stored, axis) is not None
        found.append(f"“{label or '∅'}”" if is_word else f"{name} {label} of {first}–{last}")
    return " · ".join(found)


def line_name(tokens: AxisTokens, cell: Cell, along: int | None) -> str:
    """Name the row or column of a cell: ``K₁[cat, ·]``."""
    tensor, index = cell.tensor, cell.index
    if not tensor.dims:
        return symbol(cell)
    labels = [
        "·" if k == along else axis_labels(tokens, tensor.path, axis, size, i, i + 1)[0] or "∅"
        for k, (axis, size, i) in enumerate(zip(tensor.dims, tensor.shape, index, strict=True))
        if axis != "head"
    ]
    return f"{symbol(cell)}[{', '.join(labels)}]"


def symbol(cell: Cell) -> str:
    """Return the symbol of a cell's matrix as plain text, with its head: ``K₁``."""
    tensor = cell.tensor
    return plain((tensor.head(cell.index[0]) if tensor.dims[:1] == ("head",) else tensor).symbol)


@functools.lru_cache(4096)  # called for every matrix of every structure
def place_words(path: str) -> str:
    """Describe ``encoder.0.self_attn.head.1.q`` as ``encoder layer 1, self-attention, head 2``."""
    words = []
    parts = path.split(".")[:-1]
    for part, after in zip(parts, [*parts[1:], ""], strict=True):
        if part in ("encoder", "decoder") and after.isdigit():
            words.append(f"{part} layer {int(after) + 1}")
        elif part == "head":
            words.append(f"head {int(after) + 1}")
        elif not part.isdigit():
            words.append(_PLACES.get(part, part))
    return ", ".join(words)


_PLACES = {
    "self_attn": "self-attention",
    "cross_attn": "cross-attention",
    "feed_forward": "feed-forward network",
    "final": "final norm",
    "unprojected": "attention without weights",
}
