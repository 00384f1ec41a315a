"""The left side, top: tokens of source and target, and the words to answer with."""

from __future__ import annotations

from typing import Any

from app.controls import Tokens
from app.scenario import Scenario
from app.settings import LIMITS
from app.state import AppState


class TokensView:
    """Chips for each list of tokens; what is typed becomes a scenario at once."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.tokens = Tokens(lists=_lists(state.scenario), on_change=self._change)
        state.param.watch(self._fill, "scenario")

    def _fill(self, event: Any) -> None:
        lists, shown = _lists(self.state.scenario), self.tokens.lists
        if lists != [{**entry, "error": ""} for entry in shown]:
            self.tokens.lists = lists

    def _change(self, name: str, tokens: list[str]) -> str | None:
        scenario = self.state.scenario
        try:
            if name == "answers":
                new = scenario.with_answers(tokens)
            else:
                new = scenario.with_tokens("source" if name == "source" else "target", tokens)
        except ValueError as error:
            return str(error)
        self.state.change(new, ("tokens", name))
        return None


def _lists(scenario: Scenario) -> list[dict[str, Any]]:
    others = [t or "∅" for t in scenario.target_vocabulary if t not in scenario.answers]
    from_target = f"and from the target: {', '.join(others)}" if others else ""
    encoder, decoder = scenario.settings.encoder_layers, scenario.settings.decoder_layers
    return [
        {
            "name": name,
            "label": label,
            "tokens": list(tokens),
            "limit": LIMITS["tokens"][1],
            "longest": LIMITS["token_length"][1],
            "note": note,
            "error": "",
            "hidden": not used,
        }
        for name, label, tokens, used, note in (
            ("source", "Source", scenario.source, encoder, ""),
            ("target", "Target", scenario.target, decoder, ""),
            ("answers", "Words to answer with", scenario.answers, decoder, from_target),
        )
    ]
