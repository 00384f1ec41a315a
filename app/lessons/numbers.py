"""Computes the functions of lesson expressions from a forward pass and the state of the page."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transformer_math import Trace
from transformer_math.experiments import Likeliest, single_numbers

from ..explain.opening_row import OpeningRow, decisive_swing, opening_row, strongest_key
from ..model.inference import cost
from ..model.inference.forward_pass import ForwardPassRunner
from ..model.inference.held_out import held_out
from ..model.inference.right_pairs import RightPairs
from ..model.inference.right_text import known_right_text
from ..model.inference.text import joined_text
from ..model.matrices.address import PROBABILITIES, CellAddress
from ..model.matrices.resolved_cell import ResolvedCell, resolve
from ..model.matrices.values import matrix_shape
from ..model.scenario.scenario import Scenario

LOSS = "output.loss"
MAX_PAIRS = 400
MAX_WORK = 1 << 30  # bytes that a search for single numbers may compute, in less than a second


@dataclass(frozen=True, slots=True)
class LiveNumbers:
    """A scenario, its forward pass, and the state of the page, for evaluating expressions.

    Each method whose name begins with ``_`` is a function that an expression of a lesson may call.
    """

    scenario: Scenario
    runner: ForwardPassRunner
    start: LiveNumbers | None = None  # the step's initial numbers; None in the initial numbers
    selection: CellAddress | None = None
    swings: bool = False  # whether the selected number oscillates
    follows: tuple[str, int] | None = None  # by stack and position
    view: str = ""
    training: bool = False  # whether a training run is in progress
    held_out: tuple[int, int] | None = None  # correct pairs of the last evaluation, and all of them

    def at_start(self) -> LiveNumbers:
        """Return the numbers when the step began."""
        return self.start or self

    def ask(self, name: str, arguments: list[Any]) -> Any:
        """Evaluate one of the functions that an expression may call.

        Raises:
            KeyError: the pass has no such matrix.
            ValueError: the pass has no such cell, word or position.
        """
        if name not in FUNCTIONS:
            raise ValueError(f"there is no function {name}")
        found: Callable[..., Any] = getattr(self, f"_{name}")
        return found(*arguments)

    def with_scenario(self, scenario: Scenario, runner: ForwardPassRunner) -> LiveNumbers:
        """Return a copy with another scenario; the numbers when the step began stay the same."""
        return replace(self, scenario=scenario, runner=runner, start=self.at_start())

    # -- numbers of the pass -------------------------------------------------------------------

    @property
    def trace(self) -> Trace:
        """The forward pass."""
        return self.runner.trace(self.scenario)

    def _value(self, path: str, i: int = 0, j: int = 0) -> float:
        """A number of a matrix."""
        return _cell(self.trace, path, i, j).value

    def _gradient(self, path: str, i: int = 0, j: int = 0) -> float:
        """The gradient of the loss with respect to a cell, ∂loss/∂x."""
        cell = _cell(self.runner.with_gradients(self.scenario), path, i, j)
        if cell.tensor.grad is None:
            raise ValueError(f"{path} has no gradient")
        return float(cell.tensor.grad[cell.index])

    def matrix(self, path: str) -> np.ndarray:
        """Return the values (rows, columns) of a matrix."""
        tensor = self.trace[_path(path)]
        return tensor.value.reshape(matrix_shape(tensor))

    def row(self, path: str, i: int) -> np.ndarray:
        """Return a row of a matrix; ``ValueError`` if there is no such row."""
        return _line(self.matrix(path), i, f"{path} has no row")

    def _sum_row(self, path: str, i: int) -> float:
        """The sum of a row."""
        return float(self.row(path, i).sum())

    def _argmax_row(self, path: str, i: int) -> int:
        """The column of the largest number in a row."""
        return int(self.row(path, i).argmax())

    def _argmin_row(self, path: str, i: int) -> int:
        """The column of the smallest number in a row."""
        return int(self.row(path, i).argmin())

    def _argmax_column(self, path: str, j: int) -> int:
        """The row of the largest number in a column."""
        return int(_line(self.matrix(path).T, j, f"{path} has no column").argmax())

    def _rows(self, path: str) -> int:
        """The number of rows of a matrix."""
        return matrix_shape(self.trace[_path(path)])[0]

    def _columns(self, path: str) -> int:
        """The number of columns of a matrix."""
        return matrix_shape(self.trace[_path(path)])[1]

    def _attention(self, scope: str, head: int, query: int, key: int) -> float:
        """A weight of the attention with a scope such as ``decoder.0.cross_attn``."""
        return self._value(f"{scope}.head.{_whole(head)}.weights", query, key)

    def _loss(self) -> float:
        """The loss with respect to the correct next word."""
        return self._value(LOSS)

    # -- words -------------------------------------------------------------------------------

    def _word(self, position: int) -> str:
        """The most likely next word after a position of the target."""
        return self.scenario.output_vocabulary[self._argmax_row(PROBABILITIES, position)]

    def _probability(self, word: str, position: int) -> float:
        """The probability of a word after a position of the target."""
        return self._value(PROBABILITIES, position, self.column(word))

    def column(self, word: str) -> int:
        """Return the column of a word in the output."""
        words = self.scenario.output_vocabulary
        if word not in words:
            raise ValueError(f"{word!r} is not in the target vocabulary")
        return words.index(word)

    def _written(self) -> str:
        """The target as plain text."""
        return self.joined(self.scenario.target)

    def joined(self, tokens: tuple[str, ...]) -> str:
        """Return tokens as plain text."""
        if self.scenario.own_vocabulary is None:
            return " ".join(tokens)
        return joined_text(self.scenario, tokens)

    def _writes(self, word: str) -> bool:
        """Whether a word is in the target."""
        return word in self.scenario.target

    def _tokens(self, side: str) -> tuple[str, ...]:
        """The tokens of ``source``, ``target`` or ``vocabulary``."""
        known = {
            "source": self.scenario.source,
            "target": self.scenario.target,
            "vocabulary": self.scenario.output_vocabulary,
        }
        if side not in known:
            raise ValueError(f"there are tokens of {', '.join(known)}, not of {side!r}")
        return known[side]

    def _position(self, word: str, side: str) -> int:
        """The position of a word in the source, the target or the vocabulary."""
        tokens = self._tokens(side)
        if word not in tokens:
            raise ValueError(f"{word!r} is not in the {side}")
        return tokens.index(word)

    def _length(self, side: str) -> int:
        """The number of tokens in the source, the target or the vocabulary."""
        return len(self._tokens(side))

    def _token(self, side: str, position: int) -> str:
        """The token at a position of the source, the target or the vocabulary."""
        tokens = self._tokens(side)
        if not 0 <= _whole(position) < len(tokens):
            raise ValueError(f"the {side} has no token {position}")
        return tokens[position]

    # -- the most telling words --------------------------------------------------------------

    def _opening_position(self, side: str) -> int:
        """A position that the page opens with: in the ``target`` that of the opening row, in the
        ``source`` that of the word that this row reads most.
        """
        found = self.in_focus
        if side == "target":
            return found.writes.position
        if side != "source":
            raise ValueError(f"there are words of source and target, not of {side!r}")
        return found.read.position

    def _opening_word(self, which: str) -> str:
        """A word that the page opens with: ``asks`` for the word at the opening row, ``read`` for
        the word that this row reads most, or ``written`` for the word that it writes.
        """
        found, scenario = self.in_focus, self.scenario
        if which == "written":
            return self._word(found.writes.position)
        if which not in ("read", "asks"):
            raise ValueError(f"there is a word that is read, asks or written, not {which!r}")
        stack, position = found.read if which == "read" else found.writes
        return (scenario.source if stack == "encoder" else scenario.target)[position]

    @property
    def in_focus(self) -> OpeningRow:
        """The row that the page opens with."""
        found = opening_row(self.scenario, self.trace)
        if found is None:
            raise ValueError("no word of this model attends to another one")
        return found

    def _last(self, stack: str, sublayer: str) -> str:
        """The last sublayer of a kind, as a scope: ``last("encoder", "self_attn")``."""
        count = {
            "encoder": self.scenario.settings.encoder_layers,
            "decoder": self.scenario.settings.decoder_layers,
        }.get(stack, 0)
        scope = f"{stack}.{count - 1}.{sublayer}"
        if not any(path.startswith(f"{scope}.") for path in self.trace.tensors):
            raise ValueError(f"this model has no {sublayer} in a stack {stack!r}")
        return scope

    def _strongest(self, scope: str, query: int) -> int:
        """The key that a query of an attention attends to most, in any head."""
        return strongest_key(self.trace, _path(scope), _whole(query)).key

    def _strongest_weight(self, scope: str, query: int) -> float:
        """The largest weight of a query of an attention, in any head."""
        return strongest_key(self.trace, _path(scope), _whole(query)).weight

    def _strongest_head(self, scope: str, query: int) -> int:
        """The head with the largest weight of a query of an attention, counted from 1."""
        return strongest_key(self.trace, _path(scope), _whole(query)).head + 1

    def _written_before(self, position: int) -> str:
        """The target up to a position as plain text, without its start token, or ``nothing``."""
        own = self.scenario.vocabulary
        words = [x for x in self.scenario.target[: _whole(position) + 1] if x != own.start]
        return self.joined(tuple(words)) or "nothing"

    def _swing(self, what: str) -> float | str:
        """A fact about the number of the read word whose oscillation makes the model write another
        word: its ``column``, its value (``number``), the end of the oscillation (``far``), and at
        this end the ``probability`` of the word that is written now, or the likeliest ``word``.
        """
        found = decisive_swing(self.scenario, self.trace)
        if found is None:
            raise ValueError("no number of this model is tried")
        said: dict[str, float | str] = {
            "column": f"d{found.cell.column}",
            "number": found.number,
            "far": found.far,
            "probability": found.probability,
            "word": self.scenario.output_vocabulary[found.word],
        }
        if what not in said:
            raise ValueError(f"a swing has {', '.join(said)}, and no {what!r}")
        return said[what]

    # -- the model ---------------------------------------------------------------------------

    def _parameters(self) -> int:
        """The number of parameters of the model."""
        return self.scenario.config.parameter_count()

    def _setting(self, name: str) -> Any:
        """The value of a model setting."""
        settings = self.scenario.settings
        if name == "name" or name not in settings.param:
            raise ValueError(f"there is no setting {name!r}")
        return getattr(settings, name)

    def _dropout(self) -> bool:
        """Whether dropout is on."""
        return self.scenario.training

    def _edited(self, path: str = "") -> int:
        """The number of edited cells, in all matrices or in one."""
        return sum(edit.path.startswith(path) for edit in self.scenario.edits)

    def _farthest(self) -> float:
        """The largest change of an edited parameter, as an absolute value."""
        given = self.scenario.overrides()
        own = self.runner.model(self.scenario).parameters
        moves = [
            abs(value - float(own[path][index]))
            for path, cells in given.items()
            if path in own
            for index, value in cells.items()
        ]
        return max(moves, default=0.0)

    def _alone(self, word: str, position: int) -> int:
        """The number of parameters that can, each changed alone by at most 4, make the model write
        a word after a position. This is slow, so use it in answers, not in live texts.
        """
        model, never = self.runner.model(self.scenario), self.scenario.vocabulary.forbidden_ids
        wish = Likeliest(position, self.column(word))
        found = single_numbers(model, wish, self.trace, never=never, work=MAX_WORK)
        if found.tried < found.of:
            raise ValueError("this model is too large to try every number")
        return len(found.found)

    def _steps_taken(self) -> int:
        """The number of training steps taken on this page."""
        return self.scenario.steps_taken

    def _right(self) -> bool:
        """Whether the generated text is the correct answer to the source."""
        right = known_right_text(self.scenario)
        return right is not None and self._written() == right

    def _phrases_right(self, count: int) -> int:
        """The number of the first ``count`` held-out pairs, at most 400, that the model translates
        correctly with its edits and silenced parts.
        """
        scenario = self.scenario
        if not 1 <= _whole(count) <= MAX_PAIRS:
            raise ValueError(f"1 to {MAX_PAIRS} phrases can be asked, not {count}")
        pairs = held_out(scenario, count)
        if pairs is None:
            raise ValueError("this model has no phrases that it was not trained on")
        tokens = pairs.source.size + pairs.target.size
        if tokens * scenario.config.parameter_count() > cost.UNASKED:
            raise ValueError(f"this model is too large to be asked {count} phrases")
        runner = ForwardPassRunner(beside=self.runner)
        return RightPairs(runner, scenario, pairs).count(scenario)

    def _held_out_right(self) -> float:
        """The share of held-out pairs that were correct; 0 if none was evaluated."""
        correct, total = self.held_out or (0, 1)
        return correct / max(total, 1)

    # -- the page ----------------------------------------------------------------------------

    def _selected(self, path: str, i: int = -1, j: int = -1) -> bool:
        """Whether a matrix is selected, or one of its rows or cells."""
        here = self.selection
        return (
            here is not None
            and here.path == path
            and i in (-1, here.row)
            and (j in (-1, here.column))
        )

    def _swings(self) -> bool:
        """Whether the selected number oscillates."""
        return self.swings

    def _follows(self, side: str, position: int) -> bool:
        """Whether the word at a position of ``source`` or ``target`` is followed."""
        return self.follows == ({"source": "encoder", "target": "decoder"}.get(side), position)

    def _view(self) -> str:
        """The name of the open view."""
        return self.view

    def _training(self) -> bool:
        """Whether a training run is in progress."""
        return self.training


def _cell(trace: Trace, path: Any, row: Any, column: Any) -> ResolvedCell:
    return resolve(trace, CellAddress(_path(path), _whole(row), _whole(column)))


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


def _count_of_arguments(method: Callable[..., Any]) -> tuple[int, int]:
    _, *own = inspect.signature(method).parameters.values()
    return sum(each.default is each.empty for each in own), len(own)


# The functions of expressions, with their minimum and maximum number of arguments.
FUNCTIONS = {
    name[1:]: _count_of_arguments(method)
    for name, method in vars(LiveNumbers).items()
    if re.match("_[a-z]", name)
}
