"""Generates the target by greedy decoding within the pass that the page shows.

Every written word has the largest probability at its position in that pass, which includes
overridden cells and even probabilities that were set by hand. Dropout is off while a model writes,
as at inference (Section 5.4); if the page shows dropout, its pass applies dropout to the sentence
that was written without dropout.
"""

from collections.abc import Callable

import numpy as np

from transformer_math import Trace

from ..scenario.limits import MAX_TOKENS
from ..scenario.scenario import Scenario
from .drafts import Drafts, completed, confirmed, continued
from .forward_pass import ForwardPassRunner
from .silencing import reads_ahead

PROBABILITIES = "output.probabilities"
_BY_KEY = ("masked_scores", "weights", "weights_dropout")  # have a cell for each query and key


def with_written_target(scenario: Scenario, runner: ForwardPassRunner) -> Scenario:
    """Return the scenario with the target that its model writes, unless the target is given.

    Row t of a decoder depends only on tokens up to t, so one pass verifies a whole guessed
    sentence. The previous sentence is a good guess: after most edits a single pass is enough, and
    the page shows that pass. Otherwise a new sentence is drafted, which costs less than one pass
    per guess, and then verified. Raise ``ValueError`` if the logits are not finite.
    """
    if not scenario.writes_itself:
        return scenario
    if scenario.training:
        written = with_written_target(scenario.with_training(False), runner).target
        return scenario if written == scenario.target else scenario.with_written(written)
    end = scenario.vocabulary.end or ""
    guess = _first_guess(scenario)
    limit = written_limit(scenario)
    is_causal = not looks_ahead(scenario)
    drafted = _drafter(scenario, runner)
    sure = 1  # the number of leading tokens of the guess that are confirmed
    while True:
        guess = guess[: limit if is_causal else sure]
        candidate = scenario if guess == scenario.target else scenario.with_written(guess)
        best = likeliest(candidate, runner)
        sure = confirmed(guess, sure, best)
        if sure == limit or best[sure - 1] == end:
            if sure == len(guess):
                return candidate
            guess = guess[:sure]
        else:
            guess = continued(guess, sure, end, best)
            sure += 1
            if is_causal:
                guess = completed(guess, sure, limit, end, drafted)


def drafted_target(scenario: Scenario, runner: ForwardPassRunner) -> tuple[str, ...]:
    """Draft the target that the model would write instead of the one that its decoder reads.

    Drafts have no traces, so they are cheap enough while a number changes. Return no words if the
    target stays, or with dropout or without a causal mask. Raise ``ValueError`` if the logits are
    not finite.
    """
    guess = _first_guess(scenario)
    if guess != scenario.target or scenario.training or looks_ahead(scenario):
        return ()
    end, limit = scenario.vocabulary.end or "", written_limit(scenario)
    best = likeliest(scenario, runner)
    sure = confirmed(guess, 1, best)
    if sure == limit or best[sure - 1] == end:
        return guess[:sure]
    guess = continued(guess, sure, end, best)
    return completed(guess, sure + 1, limit, end, _drafter(scenario, runner))


def _first_guess(scenario: Scenario) -> tuple[str, ...]:
    """Return the previous sentence without unlearned words, which the model never writes."""
    start, end = scenario.vocabulary.start or "", scenario.vocabulary.end or ""
    known = scenario.with_written((start,)).vocabulary
    guess = scenario.target[1:] if scenario.target[0] == start else ()
    # Keep the start token even if it is also the end token, as in BART.
    return start, *(t for t in guess if known.row("target", t) is not None and t != end)


def _drafter(
    scenario: Scenario, runner: ForwardPassRunner
) -> Callable[[tuple[str, ...]], tuple[str, ...]]:
    """Return a function that returns the likeliest next word after each word of a guess."""
    drafts = Drafts(scenario, runner)

    def drafted(words: tuple[str, ...]) -> tuple[str, ...]:
        draft = scenario.with_written(words)
        return _words(draft, drafts.probabilities(draft))

    return drafted


def looks_ahead(scenario: Scenario) -> bool:
    """Return whether a position can depend on later words.

    It can without a causal mask, with a part silenced to its mean over the text, and with an
    overridden cell whose key comes after its query.
    """
    if not scenario.settings.causal_mask or reads_ahead(scenario):
        return True
    for edit in scenario.edits:
        place, _, leaf = edit.path.rpartition(".")
        is_mine = place.startswith("decoder.") and place.endswith(".self_attn")
        if is_mine and leaf in _BY_KEY and int(edit.place[-1]) > int(edit.place[-2]):
            return True
    return False


def likeliest(scenario: Scenario, runner: ForwardPassRunner) -> tuple[str, ...]:
    """Return the likeliest allowed word after each position.

    Raise ``ValueError`` if a probability is not finite.
    """

    def find(trace: Trace) -> tuple[str, ...]:
        probabilities = trace[PROBABILITIES].value
        if not np.isfinite(probabilities).all():
            raise ValueError("The numbers are too large to compute what the model would write.")
        return _words(scenario, probabilities)

    return runner.once(scenario, "likeliest", find)


def _words(scenario: Scenario, probabilities: np.ndarray) -> tuple[str, ...]:
    """Return the allowed word with the largest probability in each row."""
    forbidden = scenario.vocabulary.forbidden_ids
    if forbidden:
        probabilities = probabilities.copy()
        probabilities[:, forbidden] = -np.inf
    words = scenario.target_vocabulary
    return tuple(words[k] for k in probabilities.argmax(-1).tolist())


def written_limit(scenario: Scenario) -> int:
    """Return the length, start token included, at which a target without an end is cut off."""
    most = min(MAX_TOKENS, 2 * len(scenario.source) + 4)
    if scenario.settings.positions == "learned":
        most = min(most, scenario.locked.max_positions)
    return most


def predicts_end(scenario: Scenario, runner: ForwardPassRunner) -> bool:
    """Return whether the likeliest word after the target is the end token."""
    return likeliest(scenario, runner)[-1] == scenario.vocabulary.end
