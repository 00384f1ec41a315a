"""The functions ``show`` and ``panel``, which display a model on the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..files.given_model import scenario_of
from .handle import Handle
from .program_page import ProgramPage, address_of

if TYPE_CHECKING:
    from ..components.carriers.panel import FramedPage

HEIGHT = 620
LEAST_HEIGHT, MOST_HEIGHT = 100, 10_000


def show(  # noqa: PLR0913 - what there is to choose of a page, each by its keyword
    model: Any = None,
    source: Any = None,
    *,
    target: Any = None,
    vocabulary: Any = None,
    view: str = "picture",
    step: int = 1,
    parts: Sequence[str] | None = None,
    lock: str | bool = "",
    height: int = HEIGHT,
    **settings: Any,
) -> Handle:
    """Show a model on the page, in a notebook below the cell whose last line this is.

    Args:
        model: a `transformer_math.Transformer`; a ``torch.nn.Transformer``, a module that contains
            one, or its state dict; a folder with a MarianMTModel; a .safetensors file that the page
            can open; the name of one of the page's own models (``"phrases"``, ``"dates"``); None
            for the phrases.
        source: the source, as a text, a list of tokens or a list of ids; None for the model's own.
        target: the target that the decoder reads; None lets the model generate it, if it has start
            and end tokens.
        vocabulary: for a model that brings none: its tokens in the order of the rows, a dict
            token -> id, or a `Tokenizer`, for both sides or as a pair. Without one, tokens are
            named by their ids. Texts are split into characters if all tokens are characters, else
            into words.
        view: the view to open: ``whole``, ``stages``, ``attention``, ``decode`` or ``learn``; the
            path of a matrix to show alone; or a lesson such as ``lesson:film``, which brings its
            own model and restores this one when it is closed.
        step: the step of the lesson, counted from 1.
        parts: the parts around the view, of ``tokens``, ``answer``, ``views``, ``settings``,
            ``tools`` and ``inspector``; None for the whole page.
        lock: True or ``"all"`` if readers may change nothing, ``"settings"`` if not the model.
        height: the height in pixels.
        **settings: what a PyTorch model does not contain: the modules ``source_embedding``,
            ``target_embedding`` and ``generator``; ``heads`` for a state dict or a file; and fields
            of `Config` such as ``positions`` and ``embedding_scale``.

    Returns:
        A handle that reads and changes the page by its `scenario`, `trace` and `selection`.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument does not fit; one sentence.
    """
    if isinstance(height, bool) or not isinstance(height, int):
        raise TypeError(f"The height is a whole number of pixels, not {height!r:.40}.")
    if not LEAST_HEIGHT <= height <= MOST_HEIGHT:
        raise ValueError(f"The height is from {LEAST_HEIGHT} to {MOST_HEIGHT:,}, not {height}.")
    if not isinstance(view, str):
        raise TypeError(f"A view is called by its name or a path, not {view!r:.40}.")
    if isinstance(parts, str):
        parts = [part.strip() for part in parts.split(",") if part.strip()]
    address = address_of(view, parts, lock, step)
    scenario = scenario_of(model, source, target, vocabulary, settings)
    return Handle(ProgramPage(scenario, address), height)


def panel(*args: Any, **options: Any) -> FramedPage:
    """Show a model in a Panel app: ``pn.Row(tinkerformer.panel(model))``.

    The arguments are those of `show`. The page is in an iframe, so that it looks as it does alone;
    its ``handle`` is what `show` returns.
    """
    return show(*args, **options).framed()
