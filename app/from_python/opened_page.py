"""Opens a page from what a program says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from transformer_math import Transformer

from ..files.given_model import scenario_of
from ..inference.forward_pass import ForwardPassRunner
from ..inference.writing import with_written_target
from ..scenario.model_names import NAMES
from ..scenario.scenario import Scenario
from ..session.address import PageAddress
from .program_page import ProgramPage
from .wishes import NAMES_OF_WISHES, OF_MODEL, granted


def opened_page(
    address: PageAddress, model: Any, source: Any, vocabulary: Any, others: Mapping[str, Any]
) -> ProgramPage:
    """Open a page.

    Args:
        address: what is shown, as `address_of` reads it.
        model: see `show`, as for the arguments that follow.
        source: what it reads.
        vocabulary: the tokens of a model that brings none.
        others: parameters of the page by name, and what weights do not say of their model.

    Raises:
        TypeError: an argument has the wrong type, or there is none of that name.
        ValueError: an argument does not fit; one sentence.
    """
    if "show" in others:
        raise TypeError(
            "What stands beside the view is given as parts: show is a method of Panel's objects."
        )
    given = dict(others)
    target = given.pop("target", None)
    wishes = {
        name: given.pop(name)
        for name in NAMES_OF_WISHES
        if name in given and (_is_whole(model) or name not in OF_MODEL)
    }
    model = given.pop("scenario", model)
    data = given.pop("data", None)
    scenario = scenario_of(model, source, target, vocabulary, given, data)
    if wishes:
        scenario = with_written_target(granted(scenario, wishes), ForwardPassRunner())
    return ProgramPage(scenario, address)


def _is_whole(model: Any) -> bool:
    """Whether a model says all of itself, so that a setting given beside it is a change of it."""
    is_named = isinstance(model, str) and model in NAMES
    return model is None or is_named or isinstance(model, Transformer | Scenario)
