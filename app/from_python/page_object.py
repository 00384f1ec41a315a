"""A page as an object of ``param``: a program reads and changes the user's choices.

``page.param.watch(f, "selection")`` calls f whenever the selection changes, and ``pn.bind(f,
page.param.source)``, ``@param.depends``, ``.rx`` and widgets made of the parameters work. A value
that a program sets is a request to the page; if the page refuses it, the parameter keeps its value.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from operator import index as whole_number
from typing import Any, ClassVar, Literal, NoReturn, Self, SupportsIndex
from uuid import uuid4

import numpy as np
import param
from param.parameterized import Watcher, batch_call_watchers, resolve_ref, resolve_value

from transformer_math import Trace, Transformer
from transformer_math.arguments import checked, wrong_argument
from transformer_math.checks import check_above, check_number, described, naming, plain
from transformer_math.ops.tensor import check_cell, split_head

from ..exports.exported import OF_A_MATRIX, exported
from ..model.inference.text import edited_parameters
from ..model.matrices.address import CellAddress
from ..model.matrices.resolved_cell import resolve
from ..model.scenario.limits import MAX_VALUE
from ..model.scenario.lock import refusal
from ..model.scenario.scenario import Scenario
from ..session.session_json import to_json
from ..shell.in_frame import bokeh_js, document
from ..transport.frame import IFrames
from ..transport.frame.iframes import Tell
from .naming import lost_weights, unseen_words, warn
from .page_parameters import PROBABILITIES, READ, READ_ONLY, SCORE, WISHED, PageParameters
from .program_page import ProgramPage
from .unknown_names import no_setting
from .wishes import NAMES_OF_WISHES, chosen, granted

Index = Sequence[int] | int
INDEX = ("a list of whole numbers", "a whole number")
ExportKind = Literal["numpy", "torch", "safetensors", "csv", "npy", "session", "svg"]
UNHEARD = "The page has not yet confirmed that it shows this."


class PageObject(PageParameters):
    """The parameters and methods of one page; different pages share no state.

    The methods are the Python interface of a page.

    Values that are set together, by ``page.param.update(...)`` or within
    ``param.parameterized.batch_call_watchers(page)``, are one change of the page.
    """

    _asked: int = param.Integer(default=0, precedence=-1)  # counts requests to the page

    # Parameters that Panel does not send to the browser.
    UNSENT: ClassVar[tuple[str, ...]] = (
        *("scenario", "selection", PROBABILITIES, SCORE, "parts", "lock", "_asked"),
    )

    def __init__(self, page: ProgramPage, **params: Any) -> None:
        self._is_told = True  # while parameters are set from the page
        self._page = page
        self._wishes: dict[str, Any] = {}
        self._complaints: dict[str, str] = {}  # messages shown on the page, by parameter
        self._followed: dict[str, list[tuple[param.Parameterized, Watcher]]] = {}
        self._picture = page.picture(f"tinkerformer-{uuid4().hex[:12]}")
        state = page.state
        super().__init__(parts=page.parts, lock=state.address.lock, **params)
        # After super().__init__, because setting a parameter may add a choice, to this object only.
        self.param.update(**self._found())
        self._keep_ranges()
        self._is_told = False
        state.watch(self._follow, ["selection", "location", "lesson", "film"])
        state.watch_calmly(self._follow, "scenario")
        page.results.param.watch(self._follow, "score")

    def __setattr__(self, name: str, value: Any) -> None:
        if name in WISHED and not self._is_told:
            self._wish(name, value)
        elif name in READ and not self._is_told:
            raise TypeError(READ_ONLY.format(name))
        elif not (name.startswith("_") or name in type(self).param):
            raise AttributeError(_not_set(name, type(self), self._page.state.scenario))
        else:
            super().__setattr__(name, value)

    @property
    def transformer(self) -> Transformer:
        """The page's model with its present parameters, for `transformer_math`.

        Computed numbers that were set by hand belong to the page's pass, and not to the model.
        """
        with self._page.session.changing():
            state = self._page.state
            model = state.runner.model(state.scenario)
            return model.with_parameters(edited_parameters(state.scenario, model))

    @property
    def trace(self) -> Trace:
        """The forward pass of the scenario: ``page.trace["output.probabilities"].value``."""
        with self._page.session.changing():
            return self._page.state.trace

    @checked()
    def set(self, path: str, index: Index, value: float) -> None:
        """Set one number, of a parameter or of a computed tensor.

        Args:
            path: the tensor's path as in ``trace``, or that of one of its heads:
                ``encoder.0.self_attn.head.1.W_q``.
            index: the index of the cell; a single integer for a vector. Negative indices count from
                the end.
            value: the new number, from −1,000 to 1,000.

        Raises:
            NoSuchPath: there is no such tensor; also a ``KeyError``.
            ValueError: there is no such cell, or it cannot be set to this value.
            TypeError: an argument has the wrong type.
        """
        number = _number("value", value)
        with self._page.changed_by_program():
            state = self._page.state
            at = _index(path, index, state.trace[path].shape)
            self._change(state.scenario.with_value(path, at, number))

    @checked()
    def apply(self, values: Mapping[str, Mapping[Any, float] | np.ndarray]) -> None:
        """Set many numbers as one change, from overrides or the result of `pull`.

        Args:
            values: path -> the numbers by index, or a whole array, of which the numbers that differ
                are set. Numbers are from −1,000 to 1,000.

        Raises:
            NoSuchPath: there is no such tensor; also a ``KeyError``.
            ValueError: a cell does not exist or cannot be set; no number is set.
            TypeError: an index or a value has the wrong type.
        """
        with self._page.changed_by_program():
            trace, scenario = self._page.state.trace, self._page.state.scenario
            with naming("values"):
                for path, given in values.items():
                    wanted = _cells(path, given, trace[path].value)
                    scenario = scenario.with_values(path, wanted)
            self._change(scenario)

    @checked()
    def restore(self, path: str, index: Index) -> None:
        """Undo ``set`` for one number: restore the original parameter or the computed value.

        Args:
            path: the tensor's path, as for ``set``.
            index: the index of the cell.

        Raises:
            NoSuchPath: there is no such tensor; also a ``KeyError``.
            ValueError: there is no such cell.
        """
        with self._page.changed_by_program():
            state = self._page.state
            at = _index(path, index, state.trace[path].shape)
            self._change(state.scenario.without_value(path, at))

    def undo(self) -> None:
        """Undo one step, as on the page; an oscillation stops first."""
        with self._page.changed_by_program():
            self._page.state.undo()

    def redo(self) -> None:
        """Redo one step."""
        with self._page.changed_by_program():
            self._page.state.redo()

    @checked()
    def oscillate(self, on: bool = True) -> None:
        """Start or stop the oscillation of the selected number.

        Args:
            on: whether to start it.

        Raises:
            ValueError: no number is selected, or it cannot be set.
        """
        with self._page.changed_by_program():
            state, selected = self._page.state, self._page.state.selection
            if on and (selected is None or not state.scenario.can_be_set(selected.path)):
                raise ValueError(
                    "Select a number that can be set first; then it can oscillate: "
                    "page.selection = (path, row, column)."
                )
            state.oscillation = state.oscillation._replace(on=bool(on))

    @checked()
    async def shown(self, patience: float = 10.0) -> None:
        """Wait until the browser has drawn all changes so far; without a browser, do not wait.

        Args:
            patience: the timeout in seconds.

        Raises:
            ValueError: the timeout is not above 0.
            TimeoutError: the browser did not confirm in time. Some notebooks deliver widget
                messages only between two cells.
        """
        check_above("patience", patience, 0)
        if not await self._page.session.until(lambda: self._page.is_shown, patience):
            raise TimeoutError(UNHEARD)

    @checked()
    def export(self, kind: ExportKind, path: str | None = None) -> str | bytes:
        """Return the content of one of the page's export files, with the present numbers.

        Args:
            kind: ``numpy`` or ``torch``, a script that computes the pass, with a function ``main``;
                ``safetensors``, the model with its edits; ``csv`` or ``npy``, one matrix;
                ``session``, all choices, which *Share* opens again; ``svg``, a static picture.
            path: for ``csv`` and ``npy``, the matrix or one head of it; by default the selected
                matrix.

        Returns:
            The text of the file, or bytes for ``safetensors`` and ``npy``.

        Raises:
            ValueError: there is no such kind, or no matrix is given or selected.
            NoSuchPath: there is no such matrix.
        """
        with self._page.session.changing():
            state = self._page.state
            if kind == "session":
                return to_json(state.snapshots.take())
            if kind == "svg":
                return self._page.picture("tinkerformer")
            if kind in OF_A_MATRIX:
                if path is None and state.selection is None:
                    raise ValueError(f"path names the matrix of {kind}, unless one is selected.")
                path = state.selection.path if path is None else path
                _ = state.trace[path]
            file = exported(state.shown, kind, path or "")
        return file.data.decode() if file.mime.startswith("text/") else file.data

    def close(self) -> None:
        """Close the page: its training stops, and no browser can connect again."""
        self._page.close()

    # -- from the page to the parameters -----------------------------------------------------

    def _new_iframes(self, tell: Tell) -> IFrames:
        return IFrames(self._page, tell, partial(document, self._page.query), bokeh_js)

    def _found(self) -> dict[str, Any]:
        """Return the page's present values, by parameter name."""
        state = self._page.state
        return {
            "scenario": state.scenario,
            "selection": state.selection,
            PROBABILITIES: _probabilities(state.trace),
            "view": self._page.view,
            SCORE: self._page.results.score,
            **chosen(state.scenario),
        }

    def _follow(self, *_events: param.parameterized.Event) -> None:
        found = {k: x for k, x in self._found().items() if not _is_same(getattr(self, k), x)}
        # Watchers are called at the end of the batch, and may set any parameter.
        with batch_call_watchers(self):
            self._is_told = True
            try:
                self.param.update(**found)
                self._keep_ranges()
            finally:
                self._is_told = False

    def _keep_ranges(self) -> None:
        """Update the ranges that depend on other settings."""
        limits = self._page.state.scenario.settings.limits("d_model")
        declared = self.param["d_model"]
        bounds = (limits.low, limits.high)
        if (declared.softbounds, declared.step) != (bounds, limits.step):
            declared.step, declared.softbounds = limits.step, bounds

    # -- from the parameters to the page -----------------------------------------------------

    def _wish(self, name: str, value: Any) -> None:
        """Request a value; follow the value of a widget, a parameter or a bound function.

        All values that are set together become one request to the page.
        """
        for source, watcher in self._followed.pop(name, ()):
            source.param.unwatch(watcher)

        sources = resolve_ref(value)

        def take(*_events: param.parameterized.Event) -> None:
            self._wishes[name] = resolve_value(value) if sources else value
            self._asked += 1

        self._followed[name] = [
            (each.owner, each.owner.param.watch(take, each.name)) for each in sources
        ]
        take()

    # ``depends`` calls this before a program's watchers.
    @param.depends("_asked", watch=True)  # type: ignore[untyped-decorator]
    def _ask(self) -> None:
        """Apply all requested values to the page.

        Warns:
            UserWarning: a setting does not fit the trained weights; random weights replace them.

        Raises:
            TypeError: a value has the wrong type.
            ValueError: a value is not allowed; the page does not change.
        """
        wishes, self._wishes = self._wishes, {}
        # A widget whose value was refused is reset to the page's value.
        new = {name for name, value in wishes.items() if not _is_same(getattr(self, name), value)}
        try:
            with self._page.changed_by_program():
                self._grant(wishes)
        except (TypeError, ValueError, KeyError) as error:
            self._refused(wishes, str(error))
            raise
        for name in new & self._complaints.keys():
            self._page.withdraw(self._complaints.pop(name))

    def _refused(self, wishes: Mapping[str, Any], why: str) -> None:
        """Handle a refusal; a subclass may show the reason, and store it in ``_complaints``."""

    def _grant(self, wishes: Mapping[str, Any]) -> None:
        state = self._page.state
        scenario = wishes.get("scenario", state.scenario)
        if not isinstance(scenario, Scenario):
            raise wrong_argument("scenario", ("a Scenario",), scenario)
        now = granted(scenario, {k: x for k, x in wishes.items() if k in NAMES_OF_WISHES})
        if "view" in wishes:
            self._page.check_view(wishes["view"], now)
        said = lost_weights(state.scenario, now, wishes) or unseen_words(now, wishes.keys())
        if now != state.scenario:
            self._rest()
            self._change(now)
        if "view" in wishes and wishes["view"] != self.view:
            self._page.go(wishes["view"])
        if "selection" in wishes:
            self._select(wishes["selection"])
        if said:
            self._page.say(said)
            warn(said)

    def _rest(self) -> None:
        """Stop the oscillation, which would continue from other numbers."""
        state = self._page.state
        state.oscillation = state.oscillation._replace(on=False)

    def _change(self, scenario: Scenario) -> None:
        """Replace the scenario, unless the new scenario changes something that is locked."""
        state = self._page.state
        refused = refusal(state.address.lock, state.scenario, scenario)
        if refused:
            raise ValueError(refused)
        state.change(scenario)

    def _select(self, value: Any) -> None:
        state = self._page.state
        cell = None if value is None else _cell(value, state.trace)
        if cell != state.selection:
            resting = state.oscillation._replace(on=False)
            state.update(selection=cell, oscillation=resting)

    # -- display -----------------------------------------------------------------------------

    def __repr__(self, depth: int = 0) -> str:
        """Return a short text with the model's name; Panel's layouts pass the unused depth."""
        return f"<the page of {self._page.title}>"

    __str__ = __repr__

    def clone(self, **params: Any) -> Self:
        """Open another page with the same state, except for the given arguments.

        Raises:
            TypeError: there is no argument of that name.
            ValueError: an argument does not fit; the message is one sentence.
        """
        raise NotImplementedError

    def __copy__(self) -> Self:
        """Return an independent page, because a plain copy would share this page's watchers."""
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.clone()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError(
            "A page cannot be pickled, because browsers are connected to it; "
            'page.export("session") is all that it shows, as text.'
        )

    @property
    def _title(self) -> str:
        return f"Tinkerformer: {self._page.title}"


def _not_set(name: str, kind: type[PageParameters], scenario: Scenario) -> str:
    """Return a sentence on why a name that is not a parameter of a page cannot be set."""
    if hasattr(kind, name):
        return f"{name} of a page cannot be set, because it is no parameter."
    return no_setting(name, [each for each in kind.param if not each.startswith("_")], scenario)


def _probabilities(trace: Trace) -> np.ndarray | None:
    path = "output.probabilities"
    return trace[path].value if path in trace else None


def _is_same(before: Any, now: Any) -> bool:
    if isinstance(before, np.ndarray) and isinstance(now, np.ndarray):
        return before is now or np.array_equal(before, now)
    return type(before) is type(now) and bool(before == now)


def _number(name: str, value: Any) -> float:
    """Convert a value to a number that a cell can have, or raise ``ValueError``."""
    check_number(name, plain(value), -MAX_VALUE, MAX_VALUE)
    return float(value)


def _cells(path: str, given: Any, present: np.ndarray) -> dict[tuple[int, ...], float]:
    """Return the cells to set, index -> number; of an array, only the cells that differ.

    Raise ``ValueError`` if an array has another shape, or there is no such cell.
    """
    if isinstance(given, Mapping):
        return {
            _index(path, index, present.shape): _number(f"The cell {index} of {path}", value)
            for index, value in given.items()
        }
    array = np.asarray(given)
    if array.shape != present.shape or array.dtype.kind not in "biuf":
        raise ValueError(f"{path} has the shape {present.shape}, and not {described(array)}.")
    cells = np.argwhere(array.astype(present.dtype) != present)
    return {
        tuple(map(int, cell)): _number(f"A cell of {path}", array[tuple(cell)]) for cell in cells
    }


def _index(path: str, index: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Normalize an index to nonnegative integers for all axes, or raise ``WrongArgument``.

    Raise ``ValueError`` if it has too few or too many numbers.
    """
    given = index if isinstance(index, tuple | list) else (index,)
    try:
        found = tuple(whole_number(i) for i in given)
    except TypeError:
        raise wrong_argument("index", INDEX, index) from None
    if len(found) == len(shape) + 1 and found[0] == split_head(path)[1]:
        found = found[1:]  # the index begins with the head, as in `silenced`
    if len(found) != len(shape):
        raise ValueError(
            f"The index {described(index)} has {len(found)} numbers, and {path} has {len(shape)} "
            "axes."
        )
    positive = tuple(i + n if i < 0 else i for i, n in zip(found, shape, strict=True))
    check_cell(path, shape, positive)
    return positive


def _cell(value: Any, trace: Trace) -> CellAddress:
    """Return the cell of a drawn matrix for a path, a row and a column."""
    if not isinstance(value, tuple | list) or len(value) != 3 or not isinstance(value[0], str):
        raise wrong_argument("selection", ("a tuple (path, row, column)", "None"), value)
    with naming("selection"):
        path, *place = value
        row, column = _index(path, place, (1 << 62, 1 << 62))
        return resolve(trace, CellAddress(path, row, column)).address
