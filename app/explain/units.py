"""Names the tokens of a model in sentences: words, characters, or tokens cut from words.

Sentences are written for models of words; `in_units` adapts them to any other model.
"""

import re

from ..model.scenario.scenario import Scenario

# Quoted text is left as it is.
_WORD = re.compile(r"“[^”]*”|\b([Ww])ord(?=s?\b)")


def in_units(scenario: Scenario, sentence: str) -> str:
    """Return a sentence on words with the name of the model's tokens in place of ``word``."""
    unit = scenario.vocabulary.unit_name
    if unit == "word":
        return sentence

    def named(found: re.Match[str]) -> str:
        first = found[1]
        return unit.capitalize() if first == "W" else unit if first else found[0]

    return _WORD.sub(named, sentence)
