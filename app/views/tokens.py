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
        lists = _lists(self.state.scenario)
        if [entry["tokens"] for entry in lists] != [e["tokens"] for e in self.tokens.lists] or [
            entry["hidden"] for entry in lists
        ] != [e["hidden"] for e in self.tokens.lists]:
            self.tokens.lists = lists

    def _change(self, name: str, tokens: list[str]) -> str | None:
        scenario = self.state.scenario
        try:
            if name == "answers":
                self.state.scenario = scenario.with_answers(tokens)
            else:
                self.state.scenario = scenario.with_tokens(
                    "source" if name == "source" else "target", tokens
                )
        except ValueError as error:
            return str(error)
        return None


def _lists(scenario: Scenario) -> list[dict[str, Any]]:
    encoder, decoder = scenario.settings.encoder_layers, scenario.settings.decoder_layers
    return [
        {
            "name": name,
            "label": label,
            "tokens": list(tokens),
            "limit": LIMITS["tokens"][1],
            "error": "",
            "hidden": not used,
        }
        for name, label, tokens, used in (
            ("source", "Source", scenario.source, encoder),
            ("target", "Target", scenario.target, decoder),
            ("answers", "Words to answer with", scenario.answers, decoder),
        )
    ]
