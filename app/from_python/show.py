"""Defines ``show`` and ``panel``, which display a model on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from transformer_math.checks import check_whole

from .handle import Handle
from .opened_page import open_page

if TYPE_CHECKING:
    from .panel_page import PanelPage

HEIGHT = 620
LEAST_HEIGHT, MOST_HEIGHT = 100, 10_000


def show(  # noqa: PLR0913 - a keyword for each choice
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
    """Show a model on the page; in a notebook, below a cell that ends with this call.

    Args:
        model: a `transformer_math.Transformer`; a ``torch.nn.Transformer``, a module that contains
            one, or its state dict; a file of PyTorch or safetensors, or a folder of Hugging
            Face; the name of one of the page's own models (``"phrases"``, ``"next-word"``);
            None for the phrase translator.
        source: the source, as a text or a list of tokens or ids; None for the model's first source.
        vocabulary: for a model without a vocabulary: its tokens in row order, a dict token -> id,
            or a `Tokenizer`, for both sides or as a pair. With None, the ids are used as tokens.
            Texts are split into characters if all tokens are characters, else into words.
        data: the training data for Train on the page: the result of `next_words`, `blanks` or
            `read_csv`, a list of texts, or a list of pairs of a source and a target. Without a
            model, the page creates an untrained model; for texts, a next-word model.
        view: the view to show, by its name in addresses: a view such as ``picture`` or ``train``;
            a single stage such as ``encoder.0.self_attn``, or a single matrix such as
            ``matrix:encoder.0.self_attn.head.0.W_q``; ``film``, the picture with its film; a lesson
            such as ``lesson:film``, or a dare such as ``dare:white-cat``, which open with their own
            model and restore this model when they are closed.
        step: the step of the lesson, counted from 1.
        parts: the parts beside the view (``show`` in addresses): some of ``tokens``, ``answer``,
            ``views``, ``settings``, ``tools`` and ``inspector``; None for the whole page, or for
            the default parts beside a single stage or matrix.
        lock: True or ``"all"`` if readers may change nothing, ``"settings"`` to fix the model.
        target: the text that the decoder has so far; with None the model writes it, if it has start
            and end tokens.
        selection: the selected number: a path, a row and a column.
        height: the height in pixels.
        **settings: settings of the page by name, such as ``d_model=16`` or ``training=True``, and
            values that the weights do not contain: ``heads`` and other fields of `Config`; for a
            PyTorch model, the modules ``source_embedding``, ``target_embedding`` and ``generator``;
            for a file or a state dict with other names, ``names`` as for `Transformer.load`.

    Returns:
        A handle that reads and changes the page by its `scenario`, `trace` and `selection`.

    Warns:
        UserWarning: a setting does not fit the trained weights; random weights replace them.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument does not fit; the message is one sentence.
    """
    check_whole("height", height, LEAST_HEIGHT, MOST_HEIGHT)
    given = {"model": model, "source": source, "vocabulary": vocabulary, "data": data}
    given |= {"view": view, "step": step, "parts": parts, "lock": lock, "target": target}
    page, references = open_page({**given, **settings})
    handle = Handle(page, height)
    handle.param.update(**references)
    if selection is not None:
        handle.selection = selection
    return handle


def panel(  # noqa: PLR0913 - a keyword for each choice
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
    """Show a model in a Panel app: ``pn.Row(tinkerformer.panel(model))``.

    Args:
        model: the model; see `show` for this argument and those that follow.
        source: the source.
        vocabulary: the tokens of a model without a vocabulary.
        data: the training data.
        view: the view to show.
        step: the step of the lesson.
        parts: the parts beside the view.
        lock: the choices that readers may not change.
        target: the text that the decoder has so far.
        selection: the selected number.
        **settings: settings as for `show`, and parameters of Panel, such as ``width``, ``height``,
            ``sizing_mode``, ``theme`` and ``disabled``.

    Returns:
        A Panel object with the parameters of the page.

    Warns:
        UserWarning: as for `show`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument does not fit; the message is one sentence.
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
