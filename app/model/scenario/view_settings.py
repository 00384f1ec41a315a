"""The user's settings for drawing matrices."""

from typing import Literal, TypeAlias

import param

from .settings import Settings

Pace: TypeAlias = Literal["slow", "fast", "full"]


class ViewSettings(Settings):
    """The numbers shown (values, gradients, changes or patch shares), their style, and the pace."""

    palette = param.Selector(
        default="blue-red",
        objects={"blue and red": "blue-red", "color-blind safe": "safe"},
        label="colors",
    )

    scale = param.Selector(
        default="fixed",
        objects={"−10 to 10": "fixed", "by matrix": "matrix"},
        label="scale",
        doc="Gradients always have a scale for each matrix.",
    )

    numbers = param.Selector(
        default="decimal",
        objects={"decimal": "decimal", "scientific": "scientific"},
        label="numbers",
        doc="The status line shows each number in full. Gradients are always scientific.",
    )

    plane = param.Selector(
        default="value",
        objects={
            "values": "value",
            "gradients": "gradient",
            "change": "change",
            "patch": "patch",
        },
        label="show",
    )

    all_numbers = param.Boolean(
        default=False,
        label="all numbers",
        doc="The picture shows weights, symbols and scales without zooming in.",
    )

    token_numbers = param.Boolean(
        default=False,
        label="ids and probabilities",
        doc="Under every word of the sentence, not only under the followed one.",
    )

    pace = param.Selector(
        default="slow",
        objects={"slow": "slow", "fast": "fast", "full speed": "full"},
        label="pace",
        doc="How fast you see it train. Slow takes 25 s, of which 10 s for the first hundred "
        "steps; fast takes 8 s, or more on a slow machine. The result is the same.",
    )

    @property
    def compares(self) -> bool:
        """Whether the view compares with a baseline."""
        return self.plane in ("change", "patch")
