"""The functions ``show`` and ``panel``, which display a model on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from transformer_math.checks import check_whole

from .handle import Handle
from .opened_page import followed, opened_page
from .program_page import address_of

if TYPE_CHECKING:
    from .panel_page import PanelPage

HEIGHT = 620
LEAST_HEIGHT, MOST_HEIGHT = 100, 10_000


def show(  # noqa: PLR0913 - what there is to choose of a page, each by its keyword
    model: Any = None,
    source: Any = None,
    *,
    vocabulary: Any = None,
    data: Any = None,
    view: str = "picture",
    step: int = 1,
    parts: Sequence[str] | str | None = None,
    lock: str | bool = "",
    target: Any = None,
    selection: Any = None,
    height: int = HEIGHT,
    **settings: Any,
) -> Handle:
    """Show a model on the page, in a notebook below the cell whose last line this is.

    Args:
        model: a `transformer_math.Transformer`; a ``torch.nn.Transformer``, a module that contains
            one, or its state dict; a file of PyTorch or safetensors, or a folder of Hugging
            Face's; the name of one of the page's own models (``"phrases"``, ``"next-word"``);
            None for the phrases.
        source: the source, as a text, a list of tokens or a list of ids; None for the model's own.
        vocabulary: for a model that brings none: its tokens in the order of the rows, a dict
            token -> id, or a `Tokenizer`, for both sides or as a pair. Without one, tokens are
            named by their ids. Texts are split into characters if all tokens are characters, else
            into words.
        data: what the model learns on the page, in Train: what `next_words`, `blanks` or
            `read_csv` return, a list of texts, or a list of pairs of a source and a target. Without
            a model it is an untrained one, of texts a decoder that learns their next words.
        view: what is shown, by the name that it has in addresses: a view as ``picture`` or
            ``train``; a stage as ``encoder.0.self_attn`` or a matrix as
            ``matrix:encoder.0.self_attn.head.0.W_q``, each by itself; ``film``, the picture with
            its film; a lesson as ``lesson:film``, or a dare as ``dare:white-cat``, which bring
            their own model and restore this one when they are closed.
        step: the step of the lesson, counted from 1.
        parts: what stands beside the view, ``show`` in addresses, of ``tokens``, ``answer``,
            ``views``, ``settings``, ``tools`` and ``inspector``; None for the whole page, or for
            what suits a single stage or matrix.
        lock: True or ``"all"`` if readers may change nothing, ``"settings"`` if not the model.
        target: what the decoder has so far; None lets the model write it, if it has start and end
            tokens.
        selection: the selected number: a path, a row and a column.
        height: the height in pixels.
        **settings: settings of the page by their names, as ``d_model=16`` or ``training=True``, and
            what weights do not say of their model: ``heads`` and other fields of `Config`, and of a
            PyTorch model the modules ``source_embedding``, ``target_embedding`` and ``generator``;
            of a file or a state dict by other names ``names``, as for `Transformer.load`.

    Returns:
        A handle that reads and changes the page by its `scenario`, `trace` and `selection`.

    Warns:
        UserWarning: a setting does not fit the trained weights, which are replaced by random ones.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument does not fit; one sentence.
    """
    check_whole("height", height, LEAST_HEIGHT, MOST_HEIGHT)
    given, of_settings = followed(
        {"model": model, "source": source, "view": view, "target": target, **settings}
    )
    model, source, view = (given.pop(name) for name in ("model", "source", "view"))
    address = address_of(view, parts, lock, step)
    page = opened_page(address, model, source, vocabulary, {**given, "data": data})
    handle = Handle(page, height)
    handle.param.update(**of_settings)
    if selection is not None:
        handle.selection = selection
    return handle


def panel(  # noqa: PLR0913 - what there is to choose of a page, each by its keyword
    model: Any = None,
    source: Any = None,
    *,
    vocabulary: Any = None,
    data: Any = None,
    view: str = "picture",
    step: int = 1,
    parts: Sequence[str] | str | None = None,
    lock: str | bool = "",
    target: Any = None,
    selection: Any = None,
    **settings: Any,
) -> PanelPage:
    """Show a model in an app of Panel's: ``pn.Row(tinkerformer.panel(model))``.

    Args:
        model: as for `show`, like the arguments that follow.
        source: the source.
        vocabulary: the tokens of a model that brings none.
        data: what the model learns on the page.
        view: what is shown.
        step: the step of the lesson.
        parts: what stands beside the view.
        lock: what readers may not change.
        target: what the decoder has so far.
        selection: the selected number.
        **settings: settings as for `show`, and parameters of Panel's, as ``width``, ``height``,
            ``sizing_mode``, ``theme`` and ``disabled``.

    Returns:
        An object of Panel's, whose parameters are the page's.

    Warns:
        UserWarning: as by `show`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument does not fit; one sentence.
    """
    from .panel_page import PanelPage

    return PanelPage(
        model,
        source,
        vocabulary=vocabulary,
        data=data,
        view=view,
        step=step,
        parts=parts,
        lock=lock,
        target=target,
        selection=selection,
        **settings,
    )
