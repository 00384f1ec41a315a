"""Results that one view computes and other views show."""

from __future__ import annotations

import param

from ..experiments.lens_words import LensShown
from ..experiments.patch_map import Shown


class Results(param.Parameterized):
    """What is computed in the background once and shown in several places of a page.

    Each result follows from the state, so it is neither saved nor undone, and the state does not
    hold it. It is not computed again by each view that shows it, because it takes long; as views do
    not import each other, the page gives them all this one object.
    """

    lens = param.ClassSelector(class_=LensShown, doc="What would be written at each depth.")

    patch_map = param.ClassSelector(class_=Shown, doc="Where the baseline's answer is carried.")

    singles = param.Dict(
        default={}, doc="How strongly each number is marked that alone grants a wish, by path."
    )

    checked = param.NumericTuple(
        default=None, length=2, allow_None=True, doc="Held-out pairs that came out right, and all."
    )

    score = param.Dict(
        default=None, allow_None=True, doc="How the attempt at the open dare stands."
    )

    def __init__(self) -> None:
        super().__init__(lens=LensShown(), patch_map=Shown())
