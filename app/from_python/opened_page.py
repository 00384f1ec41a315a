"""Opens a page from what a program says of it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from param.parameterized import resolve_ref, resolve_value

from transformer_math import Config, Transformer
from transformer_math.checkpoints.torch_module import PARTS
from transformer_math.checks import UnknownSetting
from transformer_math.suggestions import aliases_for, meant_setting

from ..files.given_model import scenario_of
from ..inference.forward_pass import ForwardPassRunner
from ..inference.writing import with_written_target
from ..scenario.model_names import NAMES
from ..scenario.scenario import Scenario
from ..session.address import PageAddress
from .naming import lost_weights
from .page_parameters import READ, READ_ONLY, WISHED
from .program_page import ProgramPage
from .wishes import NAMES_OF_WISHES, OF_MODEL, granted

_TEXTS = dict.fromkeys(("text", "sentence", "input", "input_ids"), "source")


def opened_page(
    address: PageAddress,
    model: Any,
    source: Any,
    vocabulary: Any,
    others: Mapping[str, Any],
    depth: int = 3,
) -> ProgramPage:
    """Open a page.

    Args:
        address: what is shown, as `address_of` reads it.
        model: see `show`, as for the arguments that follow.
        source: what it reads.
        vocabulary: the tokens of a model that brings none.
        others: parameters of the page by name, and what weights do not say of their model.
        depth: the number of calls from here to the program, which a warning names a line of.

    Warns:
        UserWarning: a setting does not fit the trained weights, which are replaced by random ones.

    Raises:
        TypeError: an argument has the wrong type, or there is none of that name.
        ValueError: an argument does not fit; one sentence.
    """
    if "show" in others:
        raise TypeError("show is a method of Panel objects: parts=… is what is beside the view.")
    _check_names(others, model)
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
    said = ""
    if wishes:
        opened = scenario
        scenario = with_written_target(granted(scenario, wishes), ForwardPassRunner())
        said = lost_weights(opened, scenario, wishes)
    page = ProgramPage(scenario, address)
    if said:
        warnings.warn(said, stacklevel=depth)
        page.say(said)
    return page


def followed(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read widgets, parameters and bound functions that are given for values.

    Returns:
        The values to open a page with, and what it is to follow from then on; both by name.
    """
    found = {name: x for name, x in given.items() if name in WISHED and resolve_ref(x)}
    return {**given, **{name: resolve_value(x) for name, x in found.items()}}, found


def is_of_panel_alone(name: str) -> bool:
    """Whether something is what `tinkerformer.panel` has and `show` has not, as ``theme``."""
    from .handle import Handle  # and Panel, which is not imported unless it is asked for
    from .panel_page import PanelPage

    return hasattr(PanelPage, name) and not hasattr(Handle, name)


def _check_names(given: Mapping[str, Any], model: Any) -> None:
    """Check the names of what is given, for those that no model has.

    Args:
        given: name -> value.
        model: as of `opened_page`; nothing of a stack that it lacks is suggested.

    Raises:
        TypeError: there is none of that name; one sentence, which suggests one.
    """
    of_model = {*NAMES_OF_WISHES, *PARTS, *(field.name for field in fields(Config))}
    of_page = {"scenario", "data", "vocabulary", "view", "step", "parts", "lock", "selection"}
    for name in given:
        if name in of_model | of_page:
            continue
        if name in READ:
            raise TypeError(READ_ONLY.format(name))
        if is_of_panel_alone(name):
            raise TypeError(
                f"{name} is a parameter of Panel objects: tinkerformer.panel(…, {name}=…) takes it."
            )
        config = model.config if isinstance(model, Transformer | Scenario) else None
        stacks = {} if config is None else config.as_dict()
        known = {*of_model, *of_page, "height"}
        meant = meant_setting(name, known, {**aliases_for(stacks), **_TEXTS}) or _of_panel(name)
        raise UnknownSetting(f"A page has no setting called {name}{meant}.")


def _of_panel(name: str) -> str:
    """The end of a sentence about a name that comes near one of Panel's; empty if none does."""
    from .panel_page import PanelPage

    meant = meant_setting(name, [*PanelPage.param], {})
    return f"{meant}, which tinkerformer.panel takes" if meant else ""


def _is_whole(model: Any) -> bool:
    """Whether a model says all of itself, so that a setting given beside it is a change of it."""
    is_named = isinstance(model, str) and model in NAMES
    return model is None or is_named or isinstance(model, Transformer | Scenario)
