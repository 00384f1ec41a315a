"""The stages of a pass: each has a heading, a few sentences, and rows that read like formulas."""

from collections.abc import Callable, Iterator

from transformer_math import Trace
from transformer_math.ops.activation import ACTIVATION_FUNCTIONS
from transformer_math.ops.loss import smoothed_targets

from ...explain import labels
from ...explain.units import in_units
from ...manifest import (
    Items,
    Manifest,
    MatrixEntry,
    RowEntry,
    StageEntry,
    TokenChoice,
    matrix_entry,
)
from ...model.matrices import address, overview
from ...model.matrices.address import PROBABILITIES
from ...model.matrices.attention import adds_up, hides_a_key, hides_what_follows
from ...model.matrices.extent import ALL_TOKENS, token_choice
from ...model.scenario.scenario import Scenario
from . import settings as of_stages
from . import texts
from .sheet import Sheet, Viewport, axes_of_part, row, sign, stage

Path = Callable[[str], str]  # the path of a leaf of a sublayer

SELECTED = "@0+1,0+1"  # path of the selected cell's matrix while no cell is selected

TIMES, PLUS, EQUALS, THEN = sign(r"\cdot"), sign("+"), sign("="), sign(r"\rightarrow")


def manifest(
    scenario: Scenario,
    trace: Trace,
    version: int,
    viewport: Viewport | None = None,
) -> Manifest:
    """Return the structure of the page: matrices and stages, in order of computation.

    In a large model, only the layers and heads of the viewport are drawn. A large matrix is drawn
    as an overview and a window.
    """
    sheet = Sheet(scenario, trace, viewport)
    found: Manifest = {
        "version": version,
        "stages": lay_out(sheet),
        "matrices": sheet.matrices,
        "choices": sheet.extent.choices,
    }
    add_always_sent(found, sheet)
    return found


def lay_out(sheet: Sheet) -> list[StageEntry]:
    """Return the stages of the formulas; add their matrices to the sheet."""
    return list(_stages(sheet))


def add_always_sent(found: Manifest, sheet: Sheet) -> None:
    """Add the matrices that the browser always has.

    These are the probabilities (or only the largest) and, if not all cells are drawn, a 1 × 1
    matrix for the selected cell.
    """
    matrices = found["matrices"]
    pinned = [i for i, m in enumerate(matrices) if m["path"] == PROBABILITIES][:1]
    if not pinned:
        found["likeliest"] = len(matrices)
        pinned = [found["likeliest"]]
        matrices.append(_likeliest(sheet))
    if not sheet.draws_all:
        found["selected"] = len(matrices)
        pinned.append(found["selected"])
        matrices.append(matrix_entry(SELECTED, (1, 1)))
    found["pinned"] = pinned


def _likeliest(sheet: Sheet) -> MatrixEntry:
    """Return the entry of the largest probabilities of each row, for rows too long to be sent."""
    rows, columns = sheet.trace[PROBABILITIES].shape
    axes = axes_of_part(sheet.tokens, sheet.trace[PROBABILITIES], (0, 0), (rows, 0))
    path = address.likeliest_path(PROBABILITIES)
    return matrix_entry(path, (rows, min(columns, overview.LIKELIEST)), axes=axes, of=columns)


def _stages(sheet: Sheet) -> Iterator[StageEntry]:
    settings = sheet.scenario.settings
    memory = None
    if settings.encoder_layers:
        yield _embedding(sheet, "source", texts.SOURCE)
        yield _unprojected(sheet, "source")
        for n in sheet.extent.layers["encoder"]:
            x = _entering(sheet, "encoder", n)
            yield _self_attention(sheet, f"encoder.{n}", x)
            x = _stream(sheet, f"encoder.{n}.self_attn")
            yield _feed_forward(sheet, f"encoder.{n}", x)
        x = _entering(sheet, "encoder", settings.encoder_layers)
        if "encoder.final.norm" in sheet:
            yield _final(sheet, "encoder", x)
            x = "encoder.final.norm"
        memory = x
    if settings.decoder_layers:
        yield _embedding(sheet, "target", texts.TARGET if memory else texts.SOURCE)
        if not memory:
            yield _unprojected(sheet, "target")
        for n in sheet.extent.layers["decoder"]:
            x = _entering(sheet, "decoder", n)
            yield _self_attention(sheet, f"decoder.{n}", x)
            x = _stream(sheet, f"decoder.{n}.self_attn")
            if memory:
                yield _cross_attention(sheet, f"decoder.{n}", x, memory)
                x = _stream(sheet, f"decoder.{n}.cross_attn")
            yield _feed_forward(sheet, f"decoder.{n}", x)
        x = _entering(sheet, "decoder", settings.decoder_layers)
        if "decoder.final.norm" in sheet:
            yield _final(sheet, "decoder", x)
            x = "decoder.final.norm"
    yield _output(sheet, x)


def _with(sheet: Sheet, names: tuple[str, ...], entry: StageEntry) -> StageEntry:
    """Add the settings that belong to a stage."""
    entry["settings"] = of_stages.fields(sheet.scenario, names)
    return entry


def _entering(sheet: Sheet, stack: str, n: int) -> str:
    """Return the path of the input of layer n; after the last layer, of the stack's output."""
    if n == 0:
        return "source.dropout" if stack == "encoder" else "target.dropout"
    return _stream(sheet, f"{stack}.{n - 1}.feed_forward")


def _stream(sheet: Sheet, sublayer: str) -> str:
    """Return the path of a sublayer's output: with pre-norm the residual sum, else the norm."""
    return f"{sublayer}.{'residual' if sheet.scenario.settings.norm == 'pre' else 'norm'}"


def _embedding(sheet: Sheet, side: str, text: texts.Text) -> StageEntry:
    at = f"{side}.".__add__
    shared = sheet.trace[at("embedding")].inputs[1].path
    rows = [
        row(
            sheet.show(shared),
            THEN,
            sheet.show(at("embedding")),
            tex=sheet.formula(at("embedding")),
            caption="Rows of the table, one for each token"
            + (", times √d_model." if sheet.scenario.settings.embedding_scale else "."),
        )
    ]
    if at("positions") in sheet:
        learned = sheet.show(at("W_p")) if at("W_p") in sheet else []
        rows.append(
            row(
                sheet.show(at("embedding")),
                PLUS,
                sheet.show(at("positions")),
                EQUALS,
                sheet.show(at("sum")),
                tex=sheet.formula(at("positions"), at("sum")),
            )
        )
        if learned:
            rows.append(
                row(learned, caption="The learned table of positions; its first rows are used.")
            )
    if at("norm") in sheet:
        rows.append(_norm(sheet, at))
    if not sheet.is_off(at("dropout")):
        rows.append(_dropout(sheet, at("dropout")))
    if at("mask") in sheet and side == "source":
        rows.append(
            row(
                sheet.show(at("mask")),
                caption="The padding mask M: −∞ where a token is only <pad>.",
            )
        )
    title = f"{side.capitalize()}: embeddings and positions"
    return _with(sheet, of_stages.EMBEDDING, stage(side, ("Input", title), text, rows))


def _dropout(sheet: Sheet, path: str) -> RowEntry:
    return row(sheet.show(path), tex=sheet.formula(path), caption=_dropped(sheet, path))


def _dropped(sheet: Sheet, path: str) -> str:
    """Return the effect of dropout at a site, with its rate, in words."""
    return f"{texts.DROPPED} {sheet.tensor(path).op.note}"


def _unprojected(sheet: Sheet, side: str) -> StageEntry:
    at = f"{side}.unprojected.".__add__
    rows = [
        row(
            sheet.show(at("raw_scores")),
            THEN,
            sheet.show(at("scores")),
            tex=sheet.formula(at("raw_scores"), at("scores")),
        ),
        *_mask(sheet, at, f"{side}.mask"),
        row(
            sheet.show(at("weights")),
            TIMES,
            sheet.show(f"{side}.dropout"),
            EQUALS,
            sheet.show(at("context")),
            tex=sheet.formula(at("weights"), at("context")),
        ),
    ]
    heading = "A first step", "Attention without weights"
    return stage("unprojected", heading, texts.UNPROJECTED, rows)


def _self_attention(sheet: Sheet, layer: str, x: str) -> StageEntry:
    at = f"{layer}.self_attn.".__add__
    before, inner = _before(sheet, at, x)
    side = "source" if layer.startswith("encoder") else "target"
    rows = [
        *before,
        *_projected(sheet, at, "q", lambda: sheet.show(inner)),
        *_projected(sheet, at, "k", lambda: sheet.show(inner)),
        *_projected(sheet, at, "v", lambda: sheet.show(inner)),
        *_attend(sheet, at, f"{side}.mask"),
        *_merge(sheet, at),
        *_after(sheet, at, x),
    ]
    stack, _, n = layer.partition(".")
    masked = stack == "decoder" and sheet.scenario.settings.causal_mask
    title = (
        f"{'Masked self-attention' if masked else 'Self-attention'} · {stack} layer {int(n) + 1}"
    )
    text = texts.MASKED_SELF_ATTENTION if masked else texts.SELF_ATTENTION
    names = of_stages.MASKED if stack == "decoder" else of_stages.SELF_ATTENTION
    heading = stack.capitalize(), title
    return _with(sheet, names, stage(at("")[:-1], heading, text, rows, _heads(sheet)))


def _cross_attention(sheet: Sheet, layer: str, x: str, memory: str) -> StageEntry:
    at = f"{layer}.cross_attn.".__add__
    before, inner = _before(sheet, at, x)
    source = "Keys and values come from the source, as the encoder left it."
    rows = [
        *before,
        *_projected(
            sheet, at, "q", lambda: sheet.show(inner), caption="Queries come from the target."
        ),
        *_projected(sheet, at, "k", lambda: sheet.show_memory(memory), caption=source),
        *_projected(sheet, at, "v", lambda: sheet.show_memory(memory)),
        *_attend(sheet, at, "source.mask"),
        *_merge(sheet, at),
        *_after(sheet, at, x),
    ]
    title = f"Cross-attention · decoder layer {int(layer.partition('.')[2]) + 1}"
    heading = "Decoder", title
    entry = stage(at("")[:-1], heading, texts.CROSS_ATTENTION, rows, _heads(sheet))
    return _with(sheet, of_stages.SELF_ATTENTION, entry)


def _heads(sheet: Sheet) -> int:
    """Return the number of heads that the stage offers to show separately."""
    return len(sheet.extent.heads)


def _each_head(sheet: Sheet, path: str) -> list[int | None]:
    """Return the heads that are drawn in separate rows; ``[None]`` if the tensor has no heads."""
    return list(sheet.extent.heads) if "head" in sheet.tensor(path).dims else [None]


def _linear(
    sheet: Sheet,
    x: Items,
    weights: str,
    bias: str,
    *out: str,
    head: int | None = None,
    caption: str | None = None,
) -> Iterator[RowEntry]:
    """Yield the rows of x times W; the last path of ``out`` is the result.

    The formula has all paths of ``out``. A bias, if there is one, is stacked above the result.
    """
    product = x, TIMES, sheet.show_head(weights, head)
    added = sheet.show_head(bias, head) if bias in sheet else None
    result = EQUALS, sheet.show_head(out[-1], head)
    tex = sheet.formula(*out, head=head)
    if added is None:
        yield row(*product, *result, tex=tex, caption=caption)
        return
    yield row(*product, tex=tex)
    yield row(PLUS, added, *result, caption=caption, stacked=True)


def _activation(sheet: Sheet, path: str) -> RowEntry:
    kind = ACTIVATION_FUNCTIONS[sheet.scenario.settings.activation]
    caption = f"The activation is {kind.name}: {kind.words}."
    return row(sheet.show(path), tex=sheet.formula(path), caption=caption)


def _projected(
    sheet: Sheet, at: Path, what: str, show: Callable[[], Items], caption: str | None = None
) -> Iterator[RowEntry]:
    """Yield the rows of queries, keys or values: for each head, the input times the weights."""
    for head in _each_head(sheet, at(what)):
        names = at(f"W_{what}"), at(f"b_{what}"), at(what)
        yield from _linear(sheet, show(), *names, head=head, caption=caption)


def _attend(sheet: Sheet, at: Path, mask: str) -> Iterator[RowEntry]:
    """Yield, for each head, the rows of scores, mask, weights, and weights times values."""
    heads = _each_head(sheet, at("raw_scores"))
    scaled = [] if sheet.is_off(at("scores")) else [at("scores")]
    for head in heads:
        yield row(
            sheet.show_head(at("raw_scores"), head),
            *([THEN, sheet.show_head(at("scores"), head)] if scaled else []),
            tex=sheet.formula(at("raw_scores"), *scaled, head=head),
            caption=None if scaled else "The scale is off: scores keep their size.",
        )
    yield from _mask(sheet, at, mask)
    weights = [at("weights")]
    if at("weights_dropout") in sheet and not sheet.is_off(at("weights_dropout")):
        weights.append(at("weights_dropout"))
    for head in heads:
        last = sheet.show_head(weights[0], head)
        shown: list[Items] = [[*last]]
        for path in weights[1:]:
            last = sheet.show_head(path, head)
            shown += [THEN, [*last]]
        # The links show the weights that mix the values.
        drawn = [item["matrix"] for item in last]
        links: list[Items] = [] if sheet.is_large(at("weights")) else [[{"links": drawn}]]
        yield row(
            *shown,
            *links,
            tex=sheet.formula(*weights, head=head),
            caption=" ".join(
                [_shares(sheet, at, head), *(_dropped(sheet, path) for path in weights[1:])]
            ),
        )
    for head in heads:
        yield row(
            sheet.show_head(weights[-1], head),
            TIMES,
            sheet.show_head(at("v"), head),
            EQUALS,
            sheet.show_head(at("context"), head),
            tex=sheet.formula(at("context"), head=head),
        )


def _shares(sheet: Sheet, at: Path, head: int | None) -> str:
    """Return a sentence on the rows of A, whose sums may differ from 1 if a weight was set."""
    weights = sheet.trace[at("weights")].value
    if adds_up(weights if head is None else weights[head]):
        return texts.SHARES
    return texts.NO_SHARES


def _mask(sheet: Sheet, at: Path, mask: str) -> Iterator[RowEntry]:
    """Yield the row of the mask added to the scores for each head, if there is a mask."""
    if sheet.is_off(at("masked_scores")):
        return
    for head in _each_head(sheet, at("masked_scores")):
        yield row(
            sheet.show(mask),
            THEN,
            sheet.show_head(at("masked_scores"), head),
            tex=sheet.formula(at("masked_scores"), head=head),
            caption=_masked(sheet, mask),
        )


def _masked(sheet: Sheet, mask: str) -> str:
    """Describe the positions that a mask hides, by its values."""
    values = sheet.trace[mask].value
    return " ".join(
        ([texts.CAUSAL] if hides_what_follows(values) else [])
        + ([texts.PADDED] if hides_a_key(values) else [])
    )


def _merge(sheet: Sheet, at: Path) -> Iterator[RowEntry]:
    """Yield the rows of the output projection: the heads side by side, times W^O."""
    paths = at("W_o"), at("b_o"), at("concat"), at("out")
    yield from _linear(sheet, sheet.show(at("concat")), *paths)


def _before(sheet: Sheet, at: Path, x: str) -> tuple[list[RowEntry], str]:
    """Return the rows before a sublayer (with pre-norm: the norm), and the path of its input."""
    if sheet.scenario.settings.norm == "post":
        return [], x
    return [row(sheet.show(x)), _norm(sheet, at)], at("norm")


def _after(sheet: Sheet, at: Path, x: str) -> Iterator[RowEntry]:
    """Yield the rows of dropout, the residual connection, and with post-norm the norm."""
    if not sheet.is_off(at("dropout")):
        yield _dropout(sheet, at("dropout"))
    if sheet.is_off(at("residual")):
        across = f" {texts.NO_RESIDUAL_ACROSS}" if ".cross_attn." in at("") else ""
        yield row(sheet.show(at("residual")), caption=texts.NO_RESIDUAL + across)
    else:
        yield row(
            sheet.show(x),
            PLUS,
            sheet.show(at("dropout")),
            EQUALS,
            sheet.show(at("residual")),
            tex=sheet.formula(at("residual")),
            caption="The residual connection: the sublayer's input is added to its output.",
        )
    if sheet.scenario.settings.norm == "post":
        yield _norm(sheet, at)


def _norm(sheet: Sheet, at: Path) -> RowEntry:
    """Return the norm, stacked below its scale γ and shift β."""
    return row(
        sheet.show(at("gamma")),
        sheet.show(at("beta")),
        sheet.show(at("norm")),
        tex=sheet.formula(at("norm")),
        caption="Layer norm: every row at mean 0 and deviation 1, then in each column times its γ "
        "plus its β.",
        stacked=True,
    )


def _feed_forward(sheet: Sheet, layer: str, x: str) -> StageEntry:
    at = f"{layer}.feed_forward.".__add__
    stack, _, n = layer.partition(".")
    with sheet.only(sheet.extent.tokens.get(stack)):
        rows = list(_feed_forward_rows(sheet, at, x))
    title = f"Feed-forward network · {stack} layer {int(n) + 1}"
    entry = stage(
        at("")[:-1],
        (stack.capitalize(), title),
        texts.FEED_FORWARD,
        rows,
        tokens=_tokens(sheet, stack, at("hidden")),
    )
    return _with(sheet, of_stages.FEED_FORWARD, entry)


def _feed_forward_rows(sheet: Sheet, at: Path, x: str) -> Iterator[RowEntry]:
    before, inner = _before(sheet, at, x)
    yield from before
    yield from _linear(sheet, sheet.show(inner), at("W_1"), at("b_1"), at("hidden"))
    yield _activation(sheet, at("activation"))
    dropped = at("activation_dropout")
    if not sheet.is_off(dropped):
        yield _dropout(sheet, dropped)
    yield from _linear(sheet, sheet.show(dropped), at("W_2"), at("b_2"), at("out"))
    yield from _after(sheet, at, x)


def _tokens(sheet: Sheet, stack: str, path: str) -> TokenChoice:
    """Return the tokens of a stack, for choosing one to show alone."""
    tensor = sheet.trace[path]
    axis, size = tensor.dims[0], tensor.shape[0]
    return {
        "name": token_choice(stack),
        "labels": labels.axis_labels(sheet.tokens, path, axis, size),
        "names": labels.axis_names(sheet.tokens, path, axis, size),
        "chosen": sheet.extent.tokens.get(stack, ALL_TOKENS),
    }


def _final(sheet: Sheet, stack: str, x: str) -> StageEntry:
    rows = [row(sheet.show(x)), _norm(sheet, f"{stack}.final.".__add__)]
    return stage(f"{stack}.final", (stack.capitalize(), f"Final norm · {stack}"), texts.FINAL, rows)


def _output(sheet: Sheet, x: str) -> StageEntry:
    weights = sheet.trace["output.logits"].inputs[1].path
    tied = "Tied weights: the output uses the embedding table, transposed."
    transformed = "output.norm" in sheet
    rows = [
        *(_transform(sheet, x) if transformed else ()),
        *_linear(
            sheet,
            sheet.show("output.norm" if transformed else x),
            weights,
            "output.b_out",
            "output.logits",
            caption=tied if weights.endswith("W_e") else None,
        ),
        row(
            sheet.show(PROBABILITIES),
            tex=sheet.formula(PROBABILITIES),
            caption=texts.PROBABILITIES,
        ),
        *_loss(sheet),
    ]
    text = texts.OUTPUT_TRAINED if sheet.scenario.is_trained else texts.OUTPUT
    what = "next word" if sheet.scenario.settings.decoder_layers else "word at each position"
    heading = "Output", in_units(sheet.scenario, f"Probabilities of the {what}")
    return _with(sheet, of_stages.OUTPUT, stage("output", heading, text, rows))


def _transform(sheet: Sheet, x: str) -> Iterator[RowEntry]:
    """Yield the rows of the network before the output: a linear map, the activation and a norm."""
    caption = "A network of its own before the words, as in BERT."
    paths = "output.W_t", "output.b_t", "output.hidden"
    yield from _linear(sheet, sheet.show(x), *paths, caption=caption)
    yield _activation(sheet, "output.activation")
    yield _norm(sheet, "output.".__add__)


def _loss(sheet: Sheet) -> Iterator[RowEntry]:
    """Yield the rows of the loss of each position, and of their mean."""
    settings = sheet.scenario.settings
    what = texts.NEXT_IS_RIGHT if settings.decoder_layers else texts.SAME_IS_RIGHT
    own = ""
    if sheet.scenario.writes_itself:
        own = f"{texts.OWN_WORDS} "
        what = f"{own}{texts.OWN_IS_RIGHT}"
    words = texts.SMOOTHED if settings.label_smoothing else texts.CROSS_ENTROPY
    size = sheet.trace["output.logits"].shape[-1]
    right, other = smoothed_targets(settings.label_smoothing, "paper", size)
    yield row(
        sheet.show("output.token_loss"),
        tex=sheet.formula("output.token_loss"),
        caption=f"{what} {words.format(right=right, other=other, from_logits=texts.FROM_LOGITS)}",
    )
    yield row(
        sheet.show("output.loss"),
        tex=sheet.formula("output.loss"),
        caption=own + texts.LOSS,
    )
