"""What checks may ask: the numbers of a pass, and where the reader is on the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transformer_math import Trace

from ..inference.forward_pass import ForwardPassRunner
from ..inference.text import joined_text
from ..matrices.address import PROBABILITIES, CellAddress
from ..matrices.values import matrix_shape, own_index
from ..scenario.scenario import Scenario
from .expressions import FUNCTIONS

LOSS = "output.loss"


@dataclass(frozen=True, slots=True)
class LiveNumbers:
    """A scenario and its pass, and where the reader is.

    Attributes:
        runner: computes the pass.
        start: what the step began with; None: this is it.
        selection: the selected number.
        swings: whether it swings.
        follows: the word that is followed, by stack and position.
        view: the open view.
        training: whether a training runs.
    """

    scenario: Scenario
    runner: ForwardPassRunner
    start: LiveNumbers | None = None
    selection: CellAddress | None = None
    swings: bool = False
    follows: tuple[str, int] | None = None
    view: str = ""
    training: bool = False

    def at_start(self) -> LiveNumbers:
        """The same as the step began."""
        return self.start or self

    def ask(self, name: str, arguments: list[Any]) -> Any:
        """The answer of one of the functions that a check may have.

        Raises:
            KeyError: the pass has no such matrix.
            ValueError: it has no such cell, word or position.
        """
        if name not in FUNCTIONS:
            raise ValueError(f"there is no function {name}")
        found: Callable[..., Any] = getattr(self, f"_{name}")
        return found(*arguments)

    def with_scenario(self, scenario: Scenario, runner: ForwardPassRunner) -> LiveNumbers:
        """The same page with another scenario; what the step began with stays."""
        return replace(self, scenario=scenario, runner=runner, start=self.at_start())

    # -- numbers of the pass -------------------------------------------------------------------

    @property
    def trace(self) -> Trace:
        """The pass."""
        return self.runner.trace(self.scenario)

    def _value(self, path: str, i: int = 0, j: int = 0) -> float:
        tensor = self.trace[_path(path)]
        return float(tensor.value[own_index(tensor, _whole(i), _whole(j))])

    def _gradient(self, path: str, i: int = 0, j: int = 0) -> float:
        tensor = self.runner.with_gradients(self.scenario)[_path(path)]
        if tensor.grad is None:
            raise ValueError(f"{path} has no gradient")
        return float(tensor.grad[own_index(tensor, _whole(i), _whole(j))])

    def _matrix(self, path: str) -> np.ndarray:
        tensor = self.trace[_path(path)]
        return tensor.value.reshape(matrix_shape(tensor))

    def _row(self, path: str, i: int) -> np.ndarray:
        return _line(self._matrix(path), i, f"{path} has no row")

    def _sum_row(self, path: str, i: int) -> float:
        return float(self._row(path, i).sum())

    def _argmax_row(self, path: str, i: int) -> int:
        return int(self._row(path, i).argmax())

    def _argmin_row(self, path: str, i: int) -> int:
        return int(self._row(path, i).argmin())

    def _argmax_column(self, path: str, j: int) -> int:
        return int(_line(self._matrix(path).T, j, f"{path} has no column").argmax())

    def _rows(self, path: str) -> int:
        return matrix_shape(self.trace[_path(path)])[0]

    def _columns(self, path: str) -> int:
        return matrix_shape(self.trace[_path(path)])[1]

    def _attention(self, scope: str, head: int, query: int, key: int) -> float:
        return self._value(f"{scope}.head.{_whole(head)}.weights", query, key)

    def _loss(self) -> float:
        return self._value(LOSS)

    # -- words -------------------------------------------------------------------------------

    def _word(self, position: int) -> str:
        """The likeliest next word after a position of the target."""
        return self.scenario.output_vocabulary[self._argmax_row(PROBABILITIES, position)]

    def _probability(self, word: str, position: int) -> float:
        words = self.scenario.output_vocabulary
        if word not in words:
            raise ValueError(f"{word!r} is not in the target vocabulary")
        return self._value(PROBABILITIES, position, words.index(word))

    def _written(self) -> str:
        """The target as one reads it."""
        if self.scenario.own_vocabulary is None:
            return " ".join(self.scenario.target)
        return joined_text(self.scenario, self.scenario.target)

    def _writes(self, word: str) -> bool:
        """Whether a word is in the target."""
        return word in self.scenario.target

    def _tokens(self, side: str) -> tuple[str, ...]:
        known = {
            "source": self.scenario.source,
            "target": self.scenario.target,
            "vocabulary": self.scenario.output_vocabulary,
        }
        if side not in known:
            raise ValueError(f"there are tokens of {', '.join(known)}, not of {side!r}")
        return known[side]

    def _position(self, word: str, side: str) -> int:
        tokens = self._tokens(side)
        if word not in tokens:
            raise ValueError(f"{word!r} is not in the {side}")
        return tokens.index(word)

    def _length(self, side: str) -> int:
        return len(self._tokens(side))

    # -- the model ---------------------------------------------------------------------------

    def _parameters(self) -> int:
        return self.scenario.config.parameter_count()

    def _setting(self, name: str) -> Any:
        settings = self.scenario.settings
        if name == "name" or name not in settings.param:
            raise ValueError(f"there is no setting {name!r}")
        return getattr(settings, name)

    def _dropout(self) -> bool:
        return self.scenario.training

    def _edited(self, path: str = "") -> int:
        return sum(edit.path.startswith(path) for edit in self.scenario.edits)

    def _steps_taken(self) -> int:
        return self.scenario.steps_taken

    # -- the page ----------------------------------------------------------------------------

    def _selected(self, path: str, i: int = -1, j: int = -1) -> bool:
        here = self.selection
        return (
            here is not None
            and here.path == path
            and i in (-1, here.row)
            and (j in (-1, here.column))
        )

    def _swings(self) -> bool:
        return self.swings

    def _follows(self, side: str, position: int) -> bool:
        return self.follows == ({"source": "encoder", "target": "decoder"}.get(side), position)

    def _view(self) -> str:
        return self.view

    def _training(self) -> bool:
        return self.training


def _path(raw: Any) -> str:
    if not isinstance(raw, str):
        raise ValueError(f"{raw!r} is no path of a matrix")
    return raw


def _whole(raw: Any) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int):
        raise ValueError(f"{raw!r} is no row or column")
    return raw


def _line(matrix: np.ndarray, at: Any, what: str) -> np.ndarray:
    if not 0 <= _whole(at) < len(matrix):
        raise ValueError(f"{what} {at}")
    found: np.ndarray = matrix[at]
    return found
