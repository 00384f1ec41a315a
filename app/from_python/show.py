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
    view: str = "whole",
    step: int = 1,
    parts: Sequence[str] | None = None,
    lock: str = "",
    height: int = HEIGHT,
    **settings: Any,
) -> Handle:
    """A model on the page, in a notebook: as the last line of a cell it is shown below it.

    Args:
        model: a `transformer_math.Transformer`; a ``torch.nn.Transformer``, a module that holds
            one, or a state dict by its names; a folder of a MarianMTModel; a .safetensors file that
            the page opens; the name of one of the page's own models (``"phrases"``, ``"dates"``);
            None for the phrases.
        source: what it reads: a text, a list of tokens, or one of ids; None: as the model opens.
        target: what its decoder has written so far; None: what the model writes, where it knows
            how to start and to end.
        vocabulary: of a model that brings none: its tokens by row, or token -> id, or a
            `Tokenizer`, for both sides or as a pair of them. Without one they are called by their
            ids. A text is cut into characters if all tokens are some, else into words.
        view: what is opened: ``whole``, ``stages``, ``attention``, ``decode``, ``learn``, the path
            of a matrix, which then stands alone, or a lesson, as ``lesson:film``: it brings its own
            model, and gives this one back when it is closed.
        step: of the lesson, from 1 on.
        parts: what stands beside the view, of ``tokens``, ``answer``, ``views``, ``settings``,
            ``tools`` and ``inspector``; None: the whole page.
        lock: ``"all"``: who looks changes nothing; ``"settings"``: not the model.
        height: in pixels.
        **settings: of a model of PyTorch's what it does not show itself: ``source_embedding``,
            ``target_embedding`` and ``generator`` that stand beside it, ``heads`` of a state or a
            file, and fields of `Config` such as ``positions`` and ``embedding_scale``.

    Returns:
        What reads and changes the page, by its `scenario`, `trace` and `selection`.

    Raises:
        TypeError: something is of no kind that can be shown.
        ValueError: something does not fit; one sentence.
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
    """The same for an app of Panel's: ``pn.Row(tinkerformer.panel(model))``.

    Takes what `show` takes. The page is in a frame of its own, so that it looks as it does alone;
    its ``handle`` is what `show` returns.
    """
    return show(*args, **options).framed()
