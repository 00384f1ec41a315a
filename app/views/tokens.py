"""The left side, top: tokens of source and target, and the words to answer with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.controls import Tokens
from app.scenario import Scenario
from app.settings import LIMITS
from app.state import AppState


class TokensView:
    """Chips for each list of tokens; what is typed becomes a scenario at once."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.source = self._chips("Source", self._change_source)
        self.target = self._chips("Target", self._change_target)
        self.answers = self._chips("Words to answer with", self._change_answers)
        self._fill()
        state.param.watch(lambda event: self._fill(), "scenario")

    @property
    def parts(self) -> list[Tokens]:
        """The components, from top to bottom."""
        return [self.source, self.target, self.answers]

    def _chips(self, label: str, change: Callable[[list[str]], str | None]) -> Tokens:
        most, longest = LIMITS["tokens"][1], LIMITS["token_length"][1]
        return Tokens(label=label, on_change=change, limit=most, max_length=longest)

    def _fill(self) -> None:
        scenario = self.state.scenario
        for chips, tokens in (
            (self.source, scenario.source),
            (self.target, scenario.target),
            (self.answers, scenario.answers),
        ):
            if tuple(chips.tokens) != tokens:
                chips.tokens = list(tokens)
        self.source.visible = bool(scenario.settings.encoder_layers)
        self.target.visible = self.answers.visible = bool(scenario.settings.decoder_layers)

    def _change_source(self, tokens: Sequence[str]) -> str | None:
        return self._try(lambda: self.state.scenario.with_tokens("source", tokens))

    def _change_target(self, tokens: Sequence[str]) -> str | None:
        return self._try(lambda: self.state.scenario.with_tokens("target", tokens))

    def _change_answers(self, tokens: Sequence[str]) -> str | None:
        return self._try(lambda: self.state.scenario.with_answers(tokens))

    def _try(self, change: Callable[[], Scenario]) -> str | None:
        """Take the change, or say in a sentence why not."""
        try:
            self.state.scenario = change()
        except ValueError as error:
            return str(error)
        return None
