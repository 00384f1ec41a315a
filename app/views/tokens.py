"""The left side: tokens of source and target, and the words to answer with."""

from __future__ import annotations

from typing import Any

from ..components.component import changes
from ..components.tokens.tokens import Tokens
from ..scenario.limits import MAX_TOKEN_LENGTH, MAX_TOKENS
from ..scenario.scenario import Scenario
from ..scenario.vocabulary import Side
from ..state import AppState

MAX_KNOWN = 300  # tokens of a vocabulary that are sent to the browser


class TokensView:
    """Chips for each list of tokens; what is typed becomes a scenario at once."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.tokens = Tokens(lists=_lists(state.scenario))
        self.tokens.param.watch(self._on_tokens, "value")
        self.tokens.param.watch(self._on_word, "chosen")
        state.param.watch(self._fill, "scenario")

    def _fill(self, _event: Any) -> None:
        lists, shown = _lists(self.state.scenario), self.tokens.lists
        if lists != [{**entry, "error": ""} for entry in shown]:
            self.tokens.lists = lists

    def _on_tokens(self, event: Any) -> None:
        for name, tokens in changes(event).items():
            scenario = self.state.scenario
            if tuple(tokens) == getattr(scenario, name):
                continue
            if name == "answers":
                new = scenario.with_answers(tokens)
            else:
                new = scenario.with_tokens("source" if name == "source" else "target", tokens)
            self.state.change(new, ("tokens", name))

    def _on_word(self, event: Any) -> None:
        for word in changes(event).values():
            if word != self.state.scenario.next_token:
                self.state.change(self.state.scenario.with_expected(word))


def _lists(scenario: Scenario) -> list[dict[str, Any]]:
    others = [t or "∅" for t in dict.fromkeys(scenario.target) if t not in scenario.answers]
    from_target = f"and from the target: {', '.join(others)}" if others else ""
    encoder, decoder = scenario.settings.encoder_layers, scenario.settings.decoder_layers
    vocabulary = scenario.vocabulary
    longest = MAX_TOKEN_LENGTH
    return [
        {
            "name": name,
            "label": label,
            "tokens": list(tokens),
            "limit": MAX_TOKENS,
            "longest": max(map(len, known)) if known else longest,
            "unit": vocabulary.unit,
            "known": known,
            "note": note,
            "error": "",
            "hidden": not used,
            "choice": _next_word(scenario) if name == "target" else None,
        }
        for name, label, tokens, used, note, known in (
            ("source", "Source", scenario.source, encoder, "", _known(scenario, "source")),
            ("target", "Target", scenario.target, decoder, "", _known(scenario, "target")),
            (
                "answers",
                "Words to answer with",
                scenario.answers,
                decoder and not vocabulary.closed,
                from_target if not vocabulary.closed else "",
                [],
            ),
        )
    ]


def _next_word(scenario: Scenario) -> dict[str, Any]:
    """Which word should follow the target: the loss asks for it at the last position."""
    words = scenario.target_vocabulary
    chosen, requested = scenario.next_token, scenario.expected
    is_gone = chosen != requested and requested != Scenario().expected
    note = f"“{requested}” is not among the words any more; now it is “{chosen}”."
    return {
        "label": "should come next",
        "value": chosen,
        "options": list(words) if len(words) <= MAX_KNOWN else [],
        "note": note if is_gone else "",
    }


def _known(scenario: Scenario, side: Side) -> list[str]:
    """What the browser may take a token to be; empty if anything, or too many to be sent."""
    vocabulary = scenario.vocabulary
    tokens = vocabulary.tokens(side) if vocabulary.closed else ()
    return list(tokens) if len(tokens) <= MAX_KNOWN else []
