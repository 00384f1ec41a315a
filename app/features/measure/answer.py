"""Pulls the probability of any word, including words without a visible bar."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...components.component import changes
from ...components.form.fields import action, choice
from ...explain.row_names import row_names
from ...model.matrices.address import PROBABILITIES
from ...session.state import AppState
from ...typed_text import isolated
from .section import Section
from .token_table import ExperimentForm

Pull = Callable[[int, str, float], None]
Wish = Callable[[int, str], None]

MOST_WORDS = 200  # the largest number of words to choose from
USUAL = 0.8
LEAST, MOST = 0.01, 0.99


class AnswerSection(Section):
    """A form for choosing a word and its target probability at the current position."""

    title = "Make it write another word"
    question = (
        "What would make the model write another word? Choose the word. The page then lists every "
        "number that can do it alone, or moves many numbers until the word has the probability "
        "that you set."
    )

    def __init__(self, state: AppState, pull: Pull, wish: Wish) -> None:
        self.state = state
        self._pull, self._wish = pull, wish
        self._word = ""
        self._likely = USUAL
        self.form = ExperimentForm()
        super().__init__(self.form)
        self.form.param.watch(self._on_value, "value")
        self.form.on_press(self._on_press)
        state.watch_calmly(self._follow, ["scenario", "position"])

    def _on_value(self, event: Any) -> None:
        new = changes(event)
        likely = new.get("to", self._likely)
        if type(likely) not in (int, float) or not LEAST <= likely <= MOST:
            raise ValueError(f"A probability from {LEAST} to {MOST} can be asked for.")
        self._word, self._likely = new.get("word", self._word), float(likely)

    def _on_press(self, name: str) -> None:
        if name == "write":
            self._wish(self.state.position, self._word)
        else:
            self._pull(self.state.position, self._word, self._likely)

    def draw(self) -> None:
        """List the words of the position, likeliest first."""
        state = self.state
        shares = state.trace[PROBABILITIES].value
        row = state.position
        words = state.scenario.output_vocabulary
        likeliest = np.argsort(-shares[row], kind="stable")[:MOST_WORDS].tolist()
        options = [
            [words[k], f"{isolated(words[k]) or '∅'}  {shares[row, k]:.3f}"] for k in likeliest
        ]
        names = [name for name, _ in options]
        if self._word not in names:
            self._word = names[min(1, len(names) - 1)]
        fields = [
            choice("word", row_names(state.scenario)[row], self._word, options),
            action("write", "Make it write this"),
            {
                "name": "to",
                "kind": "number",
                "label": "or with probability",
                "value": self._likely,
                "minimum": LEAST,
                "maximum": MOST,
                "step": 0.1,
            },
            action("pull", "Pull"),
        ]
        self.form.update_changed(fields=fields)
