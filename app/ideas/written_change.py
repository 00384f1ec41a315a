"""Describes how a drag changes the words that the model writes."""

from ..explain import labels
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.writing import likeliest
from ..model.scenario.scenario import Scenario
from ..number_text import counted
from ..typed_text import quoted

NAMED = 2  # the most words that are named


def written_change(
    before: Scenario, now: Scenario, runner: ForwardPassRunner, *, held: bool
) -> str:
    """Describe how the written words change; empty if the model does not write the target.

    While a drag is ``held``, the text is not rewritten yet.
    """
    if not now.writes_itself or not now.settings.decoder_layers:
        return ""
    if not held:
        if now.target == before.target:
            return "The model writes the same sentence."
        written = " ".join(word or "∅" for word in labels.visible(now.target[1:]))
        if not written:
            return f"The model now writes {labels.no_word(now.vocabulary.end)}."
        return f"The model now writes: {written}."
    pairs = zip(before.label_tokens, likeliest(now, runner), strict=False)
    others = [labels.visible(pair) for pair in pairs if pair[0] != pair[1]]
    if not others:
        return "The model would write the same words."
    named = [f"{quoted(new or '∅')} in place of {quoted(old or '∅')}" for old, new in others]
    more = len(named) - NAMED
    rest = f" and {counted(more, 'other word')}" if more > 0 else ""
    return f"The model would write {' and '.join(named[:NAMED])}{rest}."
