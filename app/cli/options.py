"""Rewrites error messages of transformer_math with a command's options instead of arguments."""

import re
from collections.abc import Mapping

_CALL = re.compile(r"write \w+\((?P<given>[^()]*?)(?:, …)?\)")


def in_options(sentence: str, options: Mapping[str, str]) -> str:
    """Replace argument names in an error message of transformer_math by options."""
    said = _CALL.sub(lambda call: f"give {call['given'].replace(', ', ' ')}", sentence)
    for name, option in options.items():
        # A name without “_” may be an ordinary word, as in “of the 600 steps”.
        after = r"\b" if "_" in name else r"(?= is | \(|=)"
        said = re.sub(rf"\b{name}{after}", option, said)
    return re.sub(r"(--[\w-]+)=", r"\1 ", said)
