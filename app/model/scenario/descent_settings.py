"""The learning rate of a single step of gradient descent."""

import param

from .settings import Settings


class DescentSettings(Settings):
    """The settings of plain gradient descent on the page's own text: θ ← θ − η ∂L/∂θ."""

    learning_rate = param.Number(
        default=0.03,
        bounds=(0, 10),
        inclusive_bounds=(False, True),
        step=0.01,
        label="learning rate",
        doc="The gradient is multiplied by this number and subtracted.",
    )
