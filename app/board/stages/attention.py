"""The stages of Attention: thumbnails of all heads, one attention large, one pair in detail."""

from collections.abc import Iterator

from transformer_math import Trace
from transformer_math.ops.tensor import head_path

from ...explain import labels
from ...manifest import Items, Manifest, MatrixEntry, MatrixItem, RowEntry, StageEntry, matrix_entry
from ...model.matrices.address import PAIR
from ...model.matrices.attention import AttentionFocus, adds_up, resolve_focus, scopes
from ...model.scenario.scenario import Scenario
from . import explore, texts
from .explore import EQUALS, THEN
from .sheet import Sheet, Viewport, axes_of_part, rated, row, sign, stage

KINDS = {
    "encoder.self_attn": "Self-attention",
    "decoder.self_attn": "Masked self-attention",
    "decoder.cross_attn": "Cross-attention",
}

BY_CELL, SUM = sign(r"\odot"), sign(r"\textstyle\sum")


def manifest(
    scenario: Scenario,
    trace: Trace,
    version: int,
    requested: AttentionFocus | None = None,
    viewport: Viewport | None = None,
) -> Manifest:
    """Return the structure of Attention.

    Matrices that only Formulas draws are listed after those drawn here, so that programs can read
    and edit them by path. ``requested`` names the attention and the pair to show.
    """
    focus = resolve_focus(trace, requested)
    sheet = Sheet(scenario, trace)
    weights = {scope: all_heads(sheet, f"{scope}.weights") for scope in scopes(trace)}
    # The large picture shows the weights that mix the values: after dropout, if dropout is on.
    path = sheet.mixing(focus.scope).path
    mixing = weights[focus.scope] if path.endswith(".weights") else all_heads(sheet, path)
    found = completed(
        version,
        sheet,
        [
            _overview(sheet, weights),
            _links(sheet, focus.scope, mixing),
            _pair(sheet, focus, weights[focus.scope]),
        ],
        viewport,
    )
    found["focus"] = {
        "scope": focus.scope,
        "head": focus.head,
        "query": focus.query,
        "key": focus.key,
    }
    return found


def completed(
    version: int, sheet: Sheet, stages: list[StageEntry], viewport: Viewport | None
) -> Manifest:
    """Return a manifest of ``stages``, with all other matrices of the pass at the end."""
    if viewport is not None:  # every row must be readable by its path
        viewport = viewport._replace(layers=viewport.layers.of_all_tokens)
    whole = Sheet(sheet.scenario, sheet.trace, viewport)
    explore.lay_out(whole)
    here = {matrix["path"] for matrix in sheet.matrices}
    sheet.matrices += [m for m in whole.matrices if m["path"] not in here]
    sheet.is_magnified |= whole.is_magnified
    found: Manifest = {
        "version": version,
        "matrices": sheet.matrices,
        "stages": stages,
        "choices": [],
    }
    explore.add_always_sent(found, sheet)
    return found


def name(scope: str, is_masked: bool = True) -> str:
    """Name an attention: ``encoder.0.self_attn`` -> ``Self-attention · encoder layer 1``."""
    stack, layer, sublayer = scope.split(".")
    return f"{_kind(f'{stack}.{sublayer}', is_masked)} · {stack} layer {int(layer) + 1}"


def _stack(kind: str) -> str:
    return kind.partition(".")[0]


def _kind(kind: str, is_masked: bool) -> str:
    """Return the name of a kind of attention; “masked” is omitted without the causal mask."""
    return KINDS[kind] if is_masked else KINDS[kind].removeprefix("Masked ").capitalize()


def all_heads(sheet: Sheet, path: str) -> list[int]:
    """Return the indices of the drawings of all heads of a tensor."""
    return [item["matrix"] for item in sheet.show_all_heads(path)]


def _overview(sheet: Sheet, weights: dict[str, list[int]]) -> StageEntry:
    heading = "Attention", "Every head of every layer"
    return stage("attention.heads", heading, texts.ALL_HEADS, [row(pictures(sheet, weights))])


def pictures(sheet: Sheet, weights: dict[str, list[int]]) -> Items:
    """Return a block for each kind of attention, a row for each layer, a picture per head."""
    kinds: dict[str, list[str]] = {}
    for scope in weights:
        stack, _, sublayer = scope.split(".")
        kinds.setdefault(f"{stack}.{sublayer}", []).append(scope)
    return [
        {
            "thumbs": [index for scope in layers for index in weights[scope]],
            "scopes": layers,
            "label": f"{_kind(kind, sheet.scenario.settings.causal_mask)} · {_stack(kind)}",
            # The decoder has two attentions in each layer.
            "place": "cross" if kind.endswith("cross_attn") else _stack(kind),
            "heads": sheet.scenario.settings.heads,
        }
        for kind, layers in kinds.items()
    ]


def _links(sheet: Sheet, scope: str, weights: list[int]) -> StageEntry:
    stack, _, sublayer = scope.split(".")
    text = texts.LINKS_OF[f"{stack}.{sublayer}"]
    items: Items = [{"links": weights, "large": True, "scope": scope}]
    heading = stack.capitalize(), name(scope, sheet.scenario.settings.causal_mask)
    return stage("attention.links", heading, text, [row(items)])


def _pair(sheet: Sheet, focus: AttentionFocus, weights: list[int]) -> StageEntry:
    rows = [
        row([{"pair": weights, "scope": focus.scope}]),
        *_arithmetic(sheet, focus),
    ]
    return stage("attention.pair", ("In detail", "One query, one key"), texts.PAIR, rows)


def _arithmetic(sheet: Sheet, focus: AttentionFocus) -> Iterator[RowEntry]:
    """Yield the rows of q and k, their products, the score, and the softmax of the scores."""
    scope, head, query, key = focus
    at = f"{scope}.".__add__

    def show(leaf: str, tex: str, *place: int, note: str = "") -> Items:
        return _part(sheet, head_path(at(leaf), head), place, tex, note)

    listener, listened = _words(sheet, focus)
    yield row(
        show("q", "q", query, note=f"{listener} looks for"),
        BY_CELL,
        show("k", "k", key, note=f"{listened} offers"),
        EQUALS,
        _products(sheet, focus, listener),
        tex=[r"q \cdot k = \sum_{n} q_{n}\,k_{n}"],
        caption="Number by number: where both are large and of one sign, the match grows.",
    )
    scaled, masked = (sheet.trace[at(leaf)] for leaf in ("scores", "masked_scores"))
    steps = [SUM, show("raw_scores", r"q \cdot k", query, key, note="raw score")]
    tex = []
    if not sheet.is_off(scaled.path):
        steps += [THEN, show("scores", "s", query, key, note="scaled")]
        tex.append("s = " + scaled.op.latex(r"q \cdot k"))
    if not sheet.is_off(masked.path):
        steps += [THEN, show("masked_scores", "s^{M}", query, key, note="masked")]
        tex.append(
            "s^{M} = " + masked.op.latex("s" if tex else r"q \cdot k", masked.inputs[1].symbol)
        )
    yield row(
        *steps,
        tex=tex or None,
        caption="The sum is the raw score; the scale is switched off."
        if sheet.is_off(scaled.path)
        else "The sum is the raw score; the model then divides it by √d_k.",
    )
    shown = sheet.tensor(masked.path).path.rpartition(".")[2]
    yield row(
        show(shown, _symbol(sheet, at(shown), head), query, note="all scores of the row"),
        THEN,
        show("weights", _symbol(sheet, at("weights"), head), query, note="their shares"),
        tex=sheet.formula(at("weights")),
        caption="Softmax compares the score with all others of its row; "
        + (
            "they add up to 1."
            if adds_up(sheet.trace[at("weights")].value[head, query])
            else "one of them was set by hand, so they do not add up to 1."
        ),
    )


def _symbol(sheet: Sheet, path: str, head: int) -> str:
    tensor = sheet.trace[path]
    return tensor.head(head).symbol if sheet.scenario.settings.heads > 1 else tensor.symbol


def _words(sheet: Sheet, focus: AttentionFocus) -> list[str]:
    """Return the two tokens of the pair."""
    scores = sheet.trace[f"{focus.scope}.raw_scores"]
    places = zip(scores.dims[1:], scores.shape[1:], (focus.query, focus.key), strict=True)
    return [
        labels.axis_titles(sheet.tokens, scores.path, axis, size)[k] or "∅"
        for axis, size, k in places
    ]


def _part(sheet: Sheet, path: str, place: tuple[int, ...], tex: str, note: str) -> list[MatrixItem]:
    """Return the drawing of one row (``place`` is its index) or one cell of a head's matrix."""
    tensor = sheet.trace[path]
    corner = place[0], place[1] if len(place) > 1 else 0
    shape = 1, 1 if len(place) > 1 else tensor.shape[1]
    entry = matrix_entry(
        f"{path}@{','.join(map(str, place))}",
        shape,
        axes=axes_of_part(sheet.tokens, tensor, corner, shape),
        tex=tex,
        note=note,
        role=labels.role(path),
        origin=(path, *corner),
    )
    return _add(sheet, rated(entry, sheet.scenario, tensor))


def _products(sheet: Sheet, focus: AttentionFocus, listener: str) -> list[MatrixItem]:
    """Return the drawing of the products whose sum is the raw score."""
    q = sheet.trace[head_path(f"{focus.scope}.q", focus.head)]
    inner = labels.axis_labels(sheet.tokens, f"{focus.scope}.q", q.dims[1], q.shape[1])
    whole = head_path(f"{focus.scope}.{PAIR}", focus.head)
    scores = head_path(f"{focus.scope}.raw_scores", focus.head)
    return _add(
        sheet,
        matrix_entry(
            f"{whole}@{focus.query},{focus.key}",
            (1, len(inner)),
            axes=({"labels": [listener]}, {"labels": inner}),
            tex=r"q \odot k",
            note="their products",
            products=True,
            role=labels.role(scores),
            origin=(scores, focus.query, focus.key),
        ),
    )


def _add(sheet: Sheet, entry: MatrixEntry) -> list[MatrixItem]:
    sheet.matrices.append(entry)
    return [{"matrix": len(sheet.matrices) - 1}]
