"""The words that can be chosen for a token, in groups."""

from typing import NamedTuple

from transformer_math.data.tokenizer import SPECIAL

from .scenario import Scenario
from .vocabulary import Side

MAX_LISTED = 5_000  # if there are more words, none are sent to the browser


class WordGroup(NamedTuple):
    """Words of one kind."""

    label: str  # such as ``verb``; empty if they have no kind
    words: tuple[str, ...]  # in the order of the vocabulary


def known_words(scenario: Scenario, side: Side) -> list[WordGroup]:
    """Return the words of a side's vocabulary, by kind where the training data declare kinds.

    Words that the user typed but a trained model has not learned are left out. Empty if the
    vocabulary has more than ``MAX_LISTED`` words.
    """
    vocabulary = scenario.own_vocabulary or scenario.vocabulary
    known = vocabulary.tokens(side)
    if len(known) > MAX_LISTED:
        return []
    special = {*SPECIAL, vocabulary.start, vocabulary.end, vocabulary.pad}
    kinds = scenario.data.word_kinds(side) if scenario.data else {}
    of_kind = {word: kind for kind, words in kinds.items() for word in words}
    groups: dict[str, list[str]] = {}
    for word in known:
        label = "special" if word in special else of_kind.get(word, "")
        groups.setdefault(label, []).append(word)
    ordered = (*(name for name in groups if name != "special"), "special")
    return [WordGroup(name, tuple(groups[name])) for name in ordered if name in groups]
