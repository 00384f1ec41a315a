"""Names the file in which a page is saved."""

import re

from ..model.scenario import model_names
from ..model.scenario.scenario import Scenario

LONGEST = 60  # maximum number of characters of a model's name
_NO_NAME = re.compile(r"[^\w.-]+")  # matches path separators, blanks and control characters


def file_name(scenario: Scenario) -> str:
    """Name a file by the model or its data and the training step: ``own-pairs-step-412.json``."""
    data, weights = scenario.data, scenario.weights
    name = scenario.model
    if name == model_names.OWN:
        name = "own-pairs" if data is None or data.name == "own" else "own-texts"
    elif name == model_names.FILE and weights is not None:
        name = re.sub(r"\.\w{1,12}$", "", weights.name)
    name = _NO_NAME.sub("-", name)[:LONGEST].strip("-.") or "tinkerformer"
    step = f"-step-{scenario.steps_taken}" if scenario.steps_taken else ""
    return f"{name}{step}.json"
