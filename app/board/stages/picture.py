"""The whole model as one picture: every token a lane, every sublayer a part along the lanes.

The pass determines the layout: the tensors of a sublayer are drawn in order of computation, each
with a row for every token. A folded part shows its attention, or its hidden cells, and its output;
an unfolded part shows every step.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, cast

from transformer_math import Trace
from transformer_math.ops.tensor import Tensor

from ...explain import labels
from ...explain.units import in_units
from ...ideas.catalog import ideas_of_part
from ...manifest import (
    LanesEntry,
    LanesItem,
    Manifest,
    MatrixEntry,
    MatrixItem,
    PartEntry,
    StripItem,
    TilesEntry,
)
from ...model.matrices import overview
from ...model.matrices.address import PROBABILITIES
from ...model.matrices.extent import LayerChoice
from ...model.matrices.values import matrix_shape
from ...model.scenario.longest_texts import NO_TEXTS, LongestTexts
from ...model.scenario.scenario import Scenario
from .explore import add_always_sent
from .sheet import Sheet, Viewport, overview_entry, window

STACKS = ("encoder", "decoder")
SIDES = {"encoder": "source", "decoder": "target"}
SUBLAYERS = ("self_attn", "cross_attn", "feed_forward")

MAX_TILES = 400  # with more parameter matrices, only those of unfolded parts are drawn
STRIP_DOTS, TILE_DOTS = 64, 24  # largest number of dots per side of an overview
WINDOW = 16, 40  # largest number of rows and columns of a window

HINT = "Drag numbers, press ribbons, follow words, open titles, zoom in."
LOSSES = "output.token_loss", "output.loss"
MEMORY = "memory"  # the encoder's output as input of the decoder
TITLES = {
    "encoder.self_attn": "self-attention",
    "decoder.self_attn": "masked self-attention",
    "decoder.cross_attn": "cross-attention",
    "feed_forward": "feed-forward",
}
# One word for each step of an unfolded part, shown beside its symbol.
STEPS = {
    "q": "queries",
    "k": "keys",
    "v": "values",
    "raw_scores": "products",
    "scores": "scores",
    "masked_scores": "masked",
    "weights": "attention",
    "weights_dropout": "dropout",
    "context": "context",
    "concat": "joined",
    "hidden": "hidden",
    "activation": "activation",
    "out": "output",
}
# The function of each part, in plain words. The header has the same words, "reads" and "writes".
WORDS = {
    "embed": "reads",
    "self-attention": "words look at each other",
    "masked self-attention": "no word looks ahead",
    "cross-attention": "words look at the source",
    "feed-forward": "each word by itself",
    "next word": "writes",
}


class Rows(NamedTuple):
    """Options for the rows of the picture."""

    lens: Collection[str] = ()  # paths whose rows are labeled with words
    longest: LongestTexts = NO_TEXTS  # the text lengths for which rows are reserved


def manifest(
    scenario: Scenario,
    trace: Trace,
    version: int,
    unfolded: Collection[str] = (),
    viewport: Viewport | None = None,
    rows: Rows | None = None,
) -> Manifest:
    """Return the structure of the whole picture, numbered by ``version``.

    ``unfolded`` are the ids of the parts whose steps are all drawn. All layers are always drawn.
    """
    lens, longest = rows or Rows()
    sheet = WholeSheet(scenario, trace, viewport or Viewport(), frozenset(unfolded))
    sheet.lens = frozenset(lens)
    parts = list(_parts(sheet))
    found: Manifest = {
        "version": version,
        "matrices": sheet.matrices,
        "stages": [],
        "whole": {"lens": bool(lens), "stacks": list(_stacks(sheet, longest)), "parts": parts},
        "choices": [],
        "hint": in_units(scenario, HINT),
    }
    add_always_sent(found, sheet)
    return found


def lanes(scenario: Scenario, trace: Trace) -> list[LanesEntry]:
    """Return the lanes of each stack; other views read the followed word from them."""
    return list(_stacks(WholeSheet(scenario, trace, Viewport(), frozenset()), NO_TEXTS))


class WholeSheet(Sheet):
    """Numbers the matrices of the picture, each of which is drawn once."""

    def __init__(
        self, scenario: Scenario, trace: Trace, viewport: Viewport, unfolded: frozenset[str]
    ) -> None:
        super().__init__(scenario, trace, Viewport(LayerChoice(), viewport.windows))
        self.unfolded = unfolded  # ids of the parts whose steps are all drawn
        self.lens: frozenset[str] = frozenset()  # paths whose rows are labeled with words
        # The tensors of each sublayer, in order of computation.
        self.scopes: dict[str, list[Tensor]] = {}
        for path, tensor in trace.tensors.items():
            self.scopes.setdefault(path.rpartition(".")[0], []).append(tensor)
        matrices = (math.prod(shape[:-2]) for shape in self.parameters.values())
        self.draws_weights = sum(matrices) <= MAX_TILES  # whether folded parts show weights
        self._drawn: dict[str, int] = {}

    @property
    def draws_all(self) -> bool:
        """Return False, because the steps of folded parts are not drawn; see `Sheet.draws_all`."""
        return False

    def strips(self, path: str, title: str = "", under: tuple[str, ...] = ()) -> list[StripItem]:
        """Return a strip for each head of a tensor that has a row for each token."""
        tensor = self.tensor(path)
        stacked = "head" in tensor.dims
        vectors = [self._number(self.tensor(p), None, TILE_DOTS) for p in under if p in self]
        found: list[StripItem] = [
            {
                "strip": self._number(view, head, STRIP_DOTS, by_row=True),
                "stack": self.lanes_of(tensor),
                "title": title,
                "under": vectors,
            }
            for view, head in self._views(tensor, stacked)
        ]
        if tensor.path in self.lens:
            found[-1]["lens"] = True
        return found

    def lanes_of(self, tensor: Tensor) -> str:
        """Return the stack on whose lanes the rows of a tensor are drawn."""
        in_encoder = tensor.path.startswith(("source.", "encoder.")) or (
            tensor.path.startswith("output.") and not self.scenario.settings.decoder_layers
        )
        return "encoder" if in_encoder or "source_position" in tensor.dims[:-1] else "decoder"

    def heads(self, path: str) -> list[int]:
        """Return the indices of a tensor's drawings, one for each head."""
        tensor = self.tensor(path)
        views = self._views(tensor, "head" in tensor.dims)
        return [self._number(view, head, STRIP_DOTS, by_row=True) for view, head in views]

    def tiles(self, path: str) -> TilesEntry:
        """Return the drawing of a parameter, with its heads one below the other."""
        tensor = self.trace[path]
        views = self._views(tensor, "head" in tensor.dims)
        numbers = [self._number(view, head, TILE_DOTS) for view, head in views]
        return {"tex": tensor.symbol, "tiles": numbers}

    def _views(self, tensor: Tensor, stacked: bool) -> list[tuple[Tensor, int | None]]:
        if not stacked:
            return [(tensor, None)]
        return [(tensor.head(k), k) for k in range(tensor.shape[0])]

    def _number(self, tensor: Tensor, head: int | None, dots: int, by_row: bool = False) -> int:
        """Return the index of a tensor's drawing; for a large matrix, of the overview."""
        known = self._drawn.get(tensor.path)
        if known is not None:
            return known
        shape = matrix_shape(tensor)
        is_large = overview.is_large(*shape)
        entry = self.entry(tensor, head, is_whole=not is_large)
        item = self._magnified(tensor, entry, dots, by_row) if is_large else self.append(entry)
        self._drawn[tensor.path] = item["matrix"]
        return item["matrix"]

    def _magnified(self, tensor: Tensor, entry: MatrixEntry, dots: int, by_row: bool) -> MatrixItem:
        """Append the window on a large matrix, then its overview.

        If ``by_row``, the overview has one row of dots per row of the matrix.
        """
        rows, columns = matrix_shape(tensor)
        high = 1 if by_row else overview.side_of_block(rows, dots)
        block = overview.Block(high, overview.side_of_block(columns, dots))
        picture = overview_entry(tensor, entry, block)
        place = self.windows.get(tensor.path, (0, 0))
        part = window(self.tokens, tensor, place, WINDOW)
        self.matrices.append(
            {**entry, **part, "whole": (rows, columns), "overview": picture["path"]}
        )
        return self.append(picture)


def _stacks(sheet: WholeSheet, longest: LongestTexts) -> Iterator[LanesEntry]:
    for stack in STACKS:
        path = f"{SIDES[stack]}.embedding"
        if path not in sheet:
            continue
        axis, size = sheet.trace[path].dims[0], sheet.trace[path].shape[0]
        writes = sheet.lanes_of(sheet.trace[PROBABILITIES]) == stack
        yield {
            "stack": stack,
            "title": stack.capitalize(),
            "words": labels.axis_labels(sheet.tokens, path, axis, size),
            "names": labels.axis_names(sheet.tokens, path, axis, size),
            "right": _right(sheet) if writes else [],
            "allowed": _allowed(sheet) if writes else [],
            "room": max(size, getattr(longest, SIDES[stack])),
        }


def _right(sheet: WholeSheet) -> list[str | None]:
    """Return the right word of each lane; in a text with a blank, None except at the blank."""
    found: list[str | None] = [*sheet.tokens.label_tokens]
    at = sheet.scenario.blank
    return found if at is None else [word if n == at else None for n, word in enumerate(found)]


def _allowed(sheet: WholeSheet) -> list[list[str]]:
    """Return the words that the data allow on each lane; empty without such data."""
    scenario = sheet.scenario
    data = scenario.data
    if data is None or data.kind != scenario.config.kind or data.kind == "encoder-decoder":
        return []
    if data.kind == "decoder-only":
        texts = [scenario.target[: n + 1] for n in range(len(scenario.target))]
        return [[*data.right_words(text)] for text in texts]
    words = data.right_words(scenario.source)
    return [[*words] if n == scenario.blank else [] for n in range(len(scenario.source))]


def _parts(sheet: WholeSheet) -> Iterator[PartEntry]:
    settings = sheet.scenario.settings
    counts = {"encoder": settings.encoder_layers, "decoder": settings.decoder_layers}
    for stack, count in counts.items():
        if not count:
            continue
        yield _input(sheet, stack)
        scopes = [f"{stack}.{n}.{sublayer}" for n in range(count) for sublayer in SUBLAYERS]
        scopes = [scope for scope in scopes if scope in sheet.scopes]
        has_final = f"{stack}.final.norm" in sheet
        is_read = stack == "encoder" and settings.decoder_layers > 0
        for scope in scopes:
            is_last = scope == scopes[-1] and not has_final
            yield _sublayer(sheet, scope, MEMORY if is_last and is_read else "")
        if has_final:
            yield _final(sheet, stack)
    yield _output(sheet)


def _input(sheet: WholeSheet, stack: str) -> PartEntry:
    side = SIDES[stack]
    items = sheet.strips(f"{side}.embedding", "word")
    if f"{side}.positions" in sheet:
        items += [{**item, "sign": "+"} for item in sheet.strips(f"{side}.positions", "position")]
        items += [{**item, "sign": "="} for item in sheet.strips(f"{side}.sum")]
    if f"{side}.norm" in sheet:
        under = (f"{side}.gamma", f"{side}.beta")
        items += sheet.strips(f"{side}.norm", "norm", under)
    if not sheet.is_off(f"{side}.dropout"):
        items += sheet.strips(f"{side}.dropout")
    found = _part(sheet, side, "input", "embed", [*items])
    return {**found, "stack": stack}


def _sublayer(sheet: WholeSheet, scope: str, title: str) -> PartEntry:
    """Return a sublayer: its links or hidden cells, and its output; all steps if unfolded."""
    stack, _, sublayer = scope.split(".")
    unfolded = scope in sheet.unfolded
    is_attention = sublayer != "feed_forward"
    is_pre = sheet.scenario.settings.norm == "pre"
    if unfolded:
        items = list(_steps(sheet, scope, title))
    else:
        inner = [_links(sheet, scope)] if is_attention else sheet.strips(_hidden(sheet, scope))
        leaving = f"{scope}.{'residual' if is_pre else 'norm'}"
        items = [*inner, *_stream(sheet, leaving, title)]
    kind = {"self_attn": "attention", "cross_attn": "cross"}.get(sublayer, sublayer)
    name = TITLES.get(f"{stack}.{sublayer}", TITLES.get(sublayer, ""))
    if not sheet.scenario.settings.causal_mask:
        name = name.removeprefix("masked ")
    found = _part(sheet, scope, kind, name, items)
    lines = ("weights", "context") if is_attention else ("hidden", "activation", "out")
    return {
        **found,
        "tex": sheet.formula(*(f"{scope}.{leaf}" for leaf in lines)),
        "adds": "" if sheet.is_off(f"{scope}.residual") else adds(name, is_pre),
        "unfolds": True,
        "unfolded": unfolded,
    }


def adds(name: str, is_pre: bool) -> str:
    """Return a sentence on the terms of a residual connection."""
    then = "" if is_pre else "; layer norm follows"
    return f"Residual connection: what enters {name} is added to what it gives{then}"


def _steps(sheet: WholeSheet, scope: str, title: str) -> Iterator[StripItem | LanesItem]:
    """Yield every step of a sublayer; the links come after the weights that they show."""
    last = sheet.mixing(scope).path if f"{scope}.weights" in sheet else ""
    for tensor in sheet.scopes[scope]:
        if tensor.is_leaf or sheet.is_off(tensor.path):
            continue
        if tensor.path.endswith((".residual", ".norm")):
            yield from _stream(sheet, tensor.path, title)
        else:
            words = {"words": STEPS.get(tensor.path.rpartition(".")[2], "")}
            yield from (cast(StripItem, item | words) for item in sheet.strips(tensor.path))
        if tensor.path == last:
            yield _links(sheet, scope)


def _stream(sheet: WholeSheet, path: str, title: str) -> list[StripItem]:
    """Return the strips of a sublayer's residual sum or norm."""
    scope, _, leaf = path.rpartition(".")
    under = (f"{scope}.gamma", f"{scope}.beta") if leaf == "norm" else ()
    is_pre = sheet.scenario.settings.norm == "pre"
    if leaf == ("residual" if is_pre else "norm"):
        # The final norm of a stack has no residual connection.
        adds = f"{scope}.residual" in sheet and not sheet.is_off(f"{scope}.residual")
        what = "add" if is_pre else "add & norm" if adds else "norm"
        if scope in sheet.unfolded and not is_pre:
            what = "norm"
        return sheet.strips(path, title or what, under)
    return sheet.strips(path, "add" if leaf == "residual" else "norm", under)


def _links(sheet: WholeSheet, scope: str) -> LanesItem:
    """Return an attention as links, which show the weights that mix the values."""
    weights = sheet.mixing(scope)
    stack = scope.partition(".")[0]
    return {
        "lanes": sheet.heads(weights.path),
        "stack": stack,
        "keys": "encoder" if "source_position" in weights.dims else stack,
    }


def _hidden(sheet: WholeSheet, scope: str) -> str:
    dropped = f"{scope}.activation_dropout"
    return dropped if dropped in sheet else f"{scope}.activation"


def _final(sheet: WholeSheet, stack: str) -> PartEntry:
    scope = f"{stack}.final"
    title = MEMORY if stack == "encoder" and "target.embedding" in sheet else "norm"
    return _part(sheet, scope, "norm", "final norm", [*_stream(sheet, f"{scope}.norm", title)])


def _output(sheet: WholeSheet) -> PartEntry:
    unfolded = "output" in sheet.unfolded
    steps = (
        [
            *(sheet.strips(f"output.{leaf}") for leaf in ("hidden", "activation")),
            sheet.strips("output.norm", "norm", ("output.gamma", "output.beta")),
        ]
        if "output.norm" in sheet
        else []
    )
    before = [item for step in steps[0 if unfolded else 2 :] for item in step]
    logits = sheet.strips("output.logits") if unfolded else []
    written = sheet.strips(PROBABILITIES, "probabilities")
    written[0]["backward"] = "gradients start at logits"
    items = [*before, *logits, *written]
    title = "next word" if sheet.scenario.settings.decoder_layers else "word"
    found = _part(sheet, "output", "output", title, items)
    losses = [sheet.tiles(path) for path in LOSSES if path in sheet]
    if losses:
        losses[0]["starts_row"] = True
    return {
        **found,
        "stack": sheet.lanes_of(sheet.trace[PROBABILITIES]),
        "tex": sheet.formula("output.logits", PROBABILITIES),
        "tiles": [*found["tiles"], *losses],
        "unfolds": True,
        "unfolded": unfolded,
    }


def _part(
    sheet: WholeSheet, scope: str, kind: str, title: str, items: Sequence[StripItem | LanesItem]
) -> PartEntry:
    """Return a part, with the parameters of its scope that are not shown under its strips."""
    stack, number = (*scope.split("."), "")[:2]
    settings = sheet.scenario.settings
    layers = {"encoder": settings.encoder_layers, "decoder": settings.decoder_layers}
    learned = [tensor.path for tensor in sheet.scopes[scope] if tensor.path in sheet.parameters]
    strips = [cast(StripItem, item) for item in items if "strip" in item]
    under = {index for strip in strips for index in strip["under"]}
    is_drawn = sheet.draws_weights or scope in sheet.unfolded
    tiles = [sheet.tiles(path) for path in learned] if is_drawn else []
    return {
        "id": scope,
        "stack": stack,
        "kind": kind,
        "title": in_units(sheet.scenario, title),
        "words": in_units(sheet.scenario, WORDS.get(title, "")),
        "layer": int(number) + 1 if number.isdecimal() and layers[stack] > 1 else None,
        "stage": scope,
        "tex": [],
        "items": list(items),
        "tiles": [tile for tile in tiles if not under.intersection(tile["tiles"])],
        "weights": sum(math.prod(sheet.parameters[path]) for path in learned),
        "adds": "",
        "unfolds": False,
        "unfolded": False,
        "ideas": ideas_of_part(scope),
    }
