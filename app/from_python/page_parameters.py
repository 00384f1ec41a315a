"""Declares the parameters of ``param`` by which a program reads and changes a page.

The settings are copies of their declarations in `app/model/scenario`. So a widget made of a
parameter has the label, the choices and the range of the form on the page.
"""

import copy
import re
from inspect import cleandoc
from typing import Any, ClassVar

import numpy as np
import param

from transformer_math import Config

from ..model.matrices.address import CellAddress
from ..model.scenario.model_names import NAMES, PHRASES
from ..model.scenario.model_settings import DROPOUT_PRESETS, RATE_LIMITS, ModelSettings
from ..model.scenario.recipe_settings import RecipeSettings
from ..model.scenario.scenario import Scenario
from ..model.scenario.settings import Settings
from ..model.scenario.view_settings import ViewSettings
from ..session.address import LOCKS
from ..view_model.page_location import FIRST_VIEW, VIEWS
from .wishes import DROPOUT, MODEL_SETTINGS, OF_RECIPE, OF_VIEW, SETTING, SITES

PROBABILITIES = "probabilities"
SCORE = "score"
UNSHOWN = -1  # precedence of parameters that no form, address or browser has


class PageParameters(param.Parameterized):
    """The parameters of a page; `PageObject` keeps them in sync with the page.

    Attributes:
        groups: name of a group -> names of parameters: ``page``, ``model``, ``drawing`` and
            ``training``.
    """

    groups: ClassVar[dict[str, list[str]]] = {}

    model: str = param.Selector(
        default=PHRASES,
        objects=list(NAMES),
        check_on_set=False,
        doc="The name of the model. Set a name, or a model that `show` accepts.",
    )
    source: str = param.String(
        default="",
        label="reads",
        doc="The text that the model reads. Tokens and ids are accepted, too.",
    )
    target: str = param.String(
        default="",
        label="writes",
        doc="The text of the decoder. Set it to None, and the model writes it.",
    )
    view: str = param.Selector(
        default=FIRST_VIEW,
        objects={label: name for name, label in VIEWS.items()},
        check_on_set=False,
        doc="The name of the view, as in addresses.",
    )
    training: bool = param.Boolean(
        default=False, label="dropout", doc="Whether dropout is on, as in training."
    )
    dropout: float = param.Number(
        default=0.1,
        bounds=RATE_LIMITS,
        step=0.1,
        label="dropout rate",
        doc="The dropout rate of all sites.",
    )
    dropout_sites: str = param.Selector(
        default="paper",
        objects={**{x.label: name for name, x in DROPOUT_PRESETS.items()}, "your own": "own"},
        label="dropout sites",
        doc="The places at which dropout applies in training mode.",
    )
    scenario: Scenario = param.Parameter(
        precedence=UNSHOWN, doc="All choices of the user: words, settings, edits. Immutable."
    )
    selection: CellAddress | None = param.Parameter(
        precedence=UNSHOWN, doc="The selected cell: path, row, column; or None."
    )
    probabilities: np.ndarray | None = param.Parameter(
        precedence=UNSHOWN,
        doc="Next-word probabilities (position, vocabulary); read-only.",
    )
    score: dict[str, Any] | None = param.Parameter(
        precedence=UNSHOWN,
        doc="The state of the attempt at the open dare, a dict; None without one; read-only.",
    )
    parts: tuple[str, ...] | None = param.Parameter(
        constant=True,
        precedence=UNSHOWN,
        doc="The parts beside the view, ``show`` in addresses; None: the whole page.",
    )
    lock: str = param.Selector(
        default="",
        objects=list(LOCKS),
        constant=True,
        precedence=UNSHOWN,
        doc="What readers cannot change: ``all``, ``settings`` or nothing.",
    )


def _sentences_of_config() -> dict[str, str]:
    """Return the description of each setting in the docstring of `Config`, by its name."""
    text = cleandoc(Config.__doc__ or "")  # Python 3.13 has removed the indentation already
    listed = text.partition("Attributes:\n")[2].partition("\n\n")[0]
    found = re.findall(r"^ {4}(\w+): ((?:.|\n {8})*)", listed, re.MULTILINE)
    return {name: f"{text[:1].upper()}{' '.join(text[1:].split())}" for name, text in found}


# Descriptions of settings that have only a label on the page.
_SENTENCES = {
    **_sentences_of_config(),
    "palette": "The colors of the numbers: blue and red, or safe for the color-blind.",
    "plane": "What is shown of each number: its value, its gradient or its change.",
}


def _declare(kind: type[Settings], names: tuple[str, ...]) -> None:
    """Add the settings of a class as parameters, each with its declaration.

    A setting that may be None gets no range, as sliders cannot show None; the page checks values.
    """
    for name in names:
        declared = copy.copy(kind.param[SETTING.get(name, name)])
        object.__setattr__(declared, "name", name)  # param does not allow renaming
        declared.doc = declared.doc or _SENTENCES.get(name)  # python -OO removes docstrings
        if declared.allow_None and isinstance(declared, param.Number):
            declared.bounds = declared.softbounds = None
        PageParameters.param.add_parameter(name, declared)


_declare(ModelSettings, MODEL_SETTINGS)
_declare(ViewSettings, OF_VIEW)
_declare(RecipeSettings, OF_RECIPE)

# Parameters that a program can set; those in READ are read-only.
WISHED = frozenset(
    {
        *("model", "source", "target", "view", "training", "scenario", "selection"),
        *(DROPOUT, SITES, *MODEL_SETTINGS, *OF_VIEW, *OF_RECIPE),
    }
)
# The parameters by group, for panes: ``pn.Param(page, parameters=page.groups["model"])``.
GROUPS: dict[str, list[str]] = {
    "page": ["source", "target", "view", "training", "dropout", "dropout_sites"],
    "model": ["model", *MODEL_SETTINGS],
    "drawing": list(OF_VIEW),
    "training": list(OF_RECIPE),
}
PageParameters.groups = GROUPS
READ = frozenset({PROBABILITIES, SCORE})
READ_ONLY = "{} is read-only, because it follows from the numbers of the page."
