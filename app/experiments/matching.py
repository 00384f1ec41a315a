"""Matches the tokens of the present text with those of the baseline."""

from collections.abc import Sequence

from transformer_math.experiments.patch import matched

from ..model.matrices.values import ScenarioTrace
from ..model.scenario.axis_tokens import POSITION_AXES
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side
from ..typed_text import quoted

# For each index of an axis, the baseline's index; None if there is no counterpart.
Places = list[int | None]


def match(now: Scenario, then: Scenario, side: Side) -> Places:
    """Return the position of each token's counterpart in the baseline; None if it has none."""
    return matched(*(s.source if side == "source" else s.target for s in (now, then)))


def places(now: ScenarioTrace, then: ScenarioTrace, stored: str) -> list[Places]:
    """Return the matching indices along each axis: tokens by their words, other axes by index.

    Raise ``ValueError`` if the baseline lacks the tensor, or has it in another size.
    """
    if stored not in then.trace:
        raise ValueError("The baseline’s model has no such matrix.")
    tensor, other = now.trace[stored], then.trace[stored]
    tokens, others = now.scenario.axis_tokens, then.scenario.axis_tokens
    found: list[Places] = []
    for axis, size, there in zip(tensor.dims, tensor.shape, other.shape, strict=True):
        if axis in POSITION_AXES:
            found.append(match(now.scenario, then.scenario, tokens.side(stored, axis)))
        elif axis == "vocab":
            found.append(_by_word(tokens.along(stored, axis), others.along(stored, axis)))
        elif size != there:
            raise ValueError(
                f"This matrix has {size} {'heads' if axis == 'head' else 'numbers in a row'}, "
                f"and {there} in the baseline: they do not belong together."
            )
        else:
            found.append(list(range(size)))
    return found


def _by_word(now: Sequence[str] | None, then: Sequence[str] | None) -> Places:
    at = {word: k for k, word in reversed(list(enumerate(then or ())))}
    return [at.get(word) for word in now or ()]


def sentence(now: Scenario, then: Scenario) -> str:
    """Return a sentence about the matched tokens; empty if all match and the lengths are equal."""
    words = []
    for side in ("source", "target"):
        if not getattr(now.settings, "encoder_layers" if side == "source" else "decoder_layers"):
            continue
        tokens: tuple[str, ...] = getattr(now, side)
        others: tuple[str, ...] = getattr(then, side)
        pairs = match(now, then, side)
        if None not in pairs and len(tokens) == len(others):
            continue
        alone = [token or "∅" for token, at in zip(tokens, pairs, strict=True) if at is None]
        same = sum(at is not None for at in pairs)
        said = f"Of the {side}, {same} of {len(tokens)} tokens are matched, from both ends"
        named = ", ".join(quoted(token) for token in alone)
        words.append(f"{said}; without a partner: {named}." if alone else f"{said}.")
    return " ".join(words)
