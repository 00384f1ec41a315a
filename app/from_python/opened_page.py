"""Opens a page from the arguments of a program."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from param.parameterized import resolve_ref, resolve_value

from transformer_math import Config, Transformer
from transformer_math.checkpoints.torch_module import PARTS
from transformer_math.checks import UnknownSetting

from ..files.given_model import scenario_of
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import with_written_target
from ..model.scenario.model_names import NAMES
from ..model.scenario.scenario import Scenario
from ..view_model.page_location import FIRST_VIEW
from .naming import lost_weights, unseen_words, warn
from .page_parameters import READ, READ_ONLY, WISHED
from .program_page import ProgramPage, address_of
from .unknown_names import is_of_panel_alone, no_setting
from .wishes import NAMES_OF_WISHES, OF_MODEL, granted


def open_page(given: Mapping[str, Any]) -> tuple[ProgramPage, dict[str, Any]]:
    """Open a page from the arguments of `show` by name, and return the references to follow.

    The page opens with the present values of widgets and bound functions, and follows changes.

    Warns:
        UserWarning: a setting does not fit the trained weights; random weights replace them.

    Raises:
        TypeError: an argument has the wrong type or an unknown name.
        ValueError: an argument is invalid; the message is one sentence.
    """
    found, references = _followed(given)
    places = {name: found.pop(name) for name in ("parts", "lock", "step") if name in found}
    address = address_of(found.pop("view", FIRST_VIEW), **{"parts": None, "lock": "", **places})
    model, source, words = (found.pop(name, None) for name in ("model", "source", "vocabulary"))
    if "show" in given:
        raise TypeError("show is a method of Panel objects: parts=… is what is beside the view.")
    _check_names(found, model)
    target = found.pop("target", None)
    wishes = {
        name: found.pop(name)
        for name in NAMES_OF_WISHES
        if name in found and (_is_whole(model) or name not in OF_MODEL)
    }
    model = found.pop("scenario", model)
    data = found.pop("data", None)
    scenario = scenario_of(model, source, target, words, found, data)
    said = ""
    if wishes:
        opened = scenario
        scenario = with_written_target(granted(scenario, wishes), ForwardPassRunner())
        said = lost_weights(opened, scenario, wishes)
    texts = {"source": source, "target": target}
    said = said or unseen_words(scenario, [side for side, text in texts.items() if text])
    page = ProgramPage(scenario, address)
    if said:
        warn(said)
        page.say(said)
    return page, references


def _followed(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Resolve widgets, parameters and bound functions that are passed as values.

    Return the values with which the page opens, and the references to follow later.
    """
    found = {name: x for name, x in given.items() if name in WISHED and resolve_ref(x)}
    return {**given, **{name: resolve_value(x) for name, x in found.items()}}, found


def _check_names(given: Mapping[str, Any], model: Any) -> None:
    """Raise ``TypeError`` if a name is unknown; the message may suggest a known name.

    A setting of a stack that the model lacks is never suggested.
    """
    of_model = {*NAMES_OF_WISHES, *PARTS, "names", *(field.name for field in fields(Config))}
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
        raise UnknownSetting(no_setting(name, {*of_model, *of_page, "height"}, model))


def _is_whole(model: Any) -> bool:
    """Return whether a model is complete, so that a setting passed with it changes the model."""
    is_named = isinstance(model, str) and model in NAMES
    return model is None or is_named or isinstance(model, Transformer | Scenario)
