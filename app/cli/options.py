"""Sentences of the library in the words of a command: its options instead of arguments."""

import re
from collections.abc import Mapping

_CALL = re.compile(r"write \w+\((?P<given>[^()]*?)(?:, …)?\)")


def in_options(sentence: str, options: Mapping[str, str]) -> str:
    """A sentence that names options.

    Args:
        sentence: what the library says, with names of arguments and perhaps a call.
        options: name of an argument -> option.
    """
    said = _CALL.sub(lambda call: f"give {call['given'].replace(', ', ' ')}", sentence)
    for name, option in options.items():
        # A name without “_” may be a word of the sentence, as in “of the 600 steps”.
        after = r"\b" if "_" in name else r"(?= is | \(|=)"
        said = re.sub(rf"\b{name}{after}", option, said)
    return re.sub(r"(--[\w-]+)=", r"\1 ", said)
