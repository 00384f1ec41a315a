"""Replaces the text that the model reads, together with its target and padding."""

from ..scenario.scenario import Scenario
from .forward_pass import ForwardPassRunner
from .padding import is_padded, lengths, with_padding
from .text import translation, with_text, with_translation


def with_new_text(scenario: Scenario, text: str, runner: ForwardPassRunner) -> Scenario:
    """Replace the text that is given to the model.

    A target that was given, not written by the model, becomes the translation of the new text. Both
    texts are padded if the old ones were.

    Raises:
        ValueError: the text is invalid, or the model's numbers are too large to translate it.
    """
    new = with_text(scenario, text)
    if new.writes_itself or new.config.kind != "encoder-decoder":
        return new
    new = with_translation(new, translation(new, runner.model(new)))
    return with_padding(new, True) if lengths(scenario) and is_padded(scenario) else new
