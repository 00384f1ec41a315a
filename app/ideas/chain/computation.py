"""Computes the data, sentences and navigation of the picture of the chain rule."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from transformer_math import Trace, sweep
from transformer_math.explain.chain import Term, chain_rule, made_of
from transformer_math.graph.backward import LOSS
from transformer_math.ops import IDENTITY
from transformer_math.ops.expression import Cell

from ...explain import labels
from ...explain.gradient import RESOLUTION, STEP
from ...model.inference import cost
from ...model.matrices.address import CellAddress, address_text, read_address
from ...model.matrices.resolved_cell import ResolvedCell, resolve, resolve_if_there
from ...model.matrices.scale import is_share
from ...model.scenario.scenario import Scenario
from ..focus import row_in_focus
from ..naming import decimal_text, kind_in_words, number_in_words, number_name, place_in_words
from ..settings import ChainSettings

CellSlice = tuple[int | slice, int | slice]  # the index of a row or a column of a matrix

MOST_TERMS = 10
MOST_MADE_OF = 8
LONGEST = 90  # the most characters of `Chain.way` as text; a longer way is cut
REACH = 1.0  # the largest step of a trial, on each side
FINE = (STEP, 0.02)  # the smallest steps of a trial, besides the multiples of EVEN
EVEN = 0.05
AGREES = 0.05  # relative tolerance within which a trial agrees with the gradient
MOST_TRIED = 40  # the most numbers that are tried to find the first number of a chain


class Link(NamedTuple):
    """A number of the chain."""

    cell: ResolvedCell  # the number
    gradient: float  # ∂loss/∂cell
    slope: float  # ∂cell/∂the previous cell; 1 for the first


class Chain(NamedTuple):
    """Numbers, each computed from the previous one; and the shown number's terms and inputs."""

    links: tuple[Link, ...]
    # For each link except the first, its index among the terms of the previous link.
    way: tuple[int, ...]
    at: int  # the index of the shown link
    terms: list[Term]  # the numbers computed from the shown number
    made_of: list[Term]  # the inputs of the shown number, the largest slope first

    @property
    def shown(self) -> Link:
        return self.links[self.at]

    @property
    def is_finite(self) -> bool:
        """Whether the shown number and the numbers of its terms are finite."""
        numbers = [number for term in self.terms for number in term[1:]]
        return all(map(math.isfinite, [self.shown.cell.value, *numbers]))


def chain_of(
    trace: Trace,
    chosen: ChainSettings,
    selected: ResolvedCell | None = None,
    followed: tuple[str, int] | None = None,
) -> Chain:
    """Return the chosen chain; it starts by default at the selected number or `telling_cell`.

    The trace must have gradients. The chain ends before the first term that the model lacks.
    """
    address = read_address(chosen.cell)
    start = resolve_if_there(trace, address) if address else None
    cell = next(
        (each for each in (start, selected) if each and trace[each.stored].grad is not None),
        None,
    ) or telling_cell(trace, followed)
    links, way = [Link(cell, _gradient(trace, cell), 1.0)], []
    terms = _terms(trace, cell)
    every = [terms]
    for k in map(int, chosen.way.split()):
        if k >= len(terms):
            break
        cell = _resolved(trace, terms[k].cell)
        links.append(Link(cell, terms[k].gradient, terms[k].slope))
        way.append(k)
        terms = _terms(trace, cell)
        every.append(terms)
    at = min(chosen.at, len(links) - 1)
    shown = links[at].cell
    found = made_of(trace, shown.stored, shown.full)
    found.sort(key=lambda term: -abs(term.slope))
    return Chain(tuple(links), tuple(way), at, every[at], found)


def _terms(trace: Trace, cell: ResolvedCell) -> list[Term]:
    return chain_rule(trace, cell.stored, cell.full)


def _gradient(trace: Trace, cell: ResolvedCell) -> float:
    gradient = trace[cell.stored].grad
    assert gradient is not None
    return float(gradient[cell.full])


def _resolved(trace: Trace, cell: Cell) -> ResolvedCell:
    path, index = cell.address
    row, column = (0, 0, *index)[-2:]
    return resolve(trace, CellAddress(path, row, column))


def telling_cell(trace: Trace, followed: tuple[str, int] | None = None) -> ResolvedCell:
    """Return a number with a large gradient, from the parameters of a word in the text.

    The number is in the embedding of the followed input word, otherwise in the output weights of
    the word that the followed row writes. Prefer a number whose gradient predicts the effect of a
    small step. Near a minimum, where training ends, many gradients predict only smaller steps.
    """
    path, index = _known_numbers(trace, followed)
    tensor = trace[path]
    if tensor.grad is None:
        return steepest(trace)[-1]
    sizes = np.nan_to_num(np.abs(tensor.grad[index]))
    order = np.argsort(-sizes, kind="stable")[:MOST_TRIED]
    places = [tuple(int(k) if isinstance(i, slice) else i for i in index) for k in order]
    cells = [resolve(trace, CellAddress(path, *place)) for place in places]
    return next((cell for cell in cells if _is_told(trace, cell)), cells[0])


def _known_numbers(trace: Trace, followed: tuple[str, int] | None) -> tuple[str, CellSlice]:
    """Return the path of a parameter, and the index of its row or column for a word of the text."""
    logits = trace["output.logits"].value
    stack = "decoder" if "target.ids" in trace else "encoder"
    if followed is not None and followed[0] != stack and "source.ids" in trace:
        ids = trace["source.ids"].value
        return "source.W_e", (int(ids[min(followed[1], len(ids) - 1)]), slice(None))
    row = row_in_focus(trace, stack, len(logits), followed)
    word = int(logits[row].argmax())
    weights = trace["output.logits"].inputs[1].path
    # Tied weights are rows of the embedding table.
    return weights, ((slice(None), word) if weights == "output.W_out" else (word, slice(None)))


def _is_told(trace: Trace, cell: ResolvedCell) -> bool:
    """Return whether a small step changes the loss as the number's gradient predicts."""
    if trace[LOSS].value.size != 1:
        return False
    tried = trial(trace, cell, [STEP])
    said = _gradient(trace, cell) * STEP
    return tried is not None and abs(tried.changes[0] - said) <= AGREES * abs(said)


class Trial(NamedTuple):
    """The change of the loss after each of several steps of one number."""

    loss: float  # the loss at the current value
    steps: list[float]  # the moves of the number
    changes: list[float]  # the change of the loss after each move

    @property
    def least(self) -> float:
        """The smallest change of the loss that exceeds rounding errors."""
        return RESOLUTION * max(1.0, abs(self.loss))


def trial(trace: Trace, cell: ResolvedCell, steps: Sequence[float]) -> Trial | None:
    """Try the steps; return None if the loss is not finite or does not depend on the number."""
    now = cell.value
    if not math.isfinite(now) or cell.stored == LOSS:
        return None
    moved = sweep(trace, cell.stored, cell.full, [now, *(now + step for step in steps)])[LOSS]
    if "sweep" not in moved.dims:
        return None
    before, *after = moved.value.astype(float).tolist()
    changes = [loss - before for loss in after]
    return Trial(before, list(steps), changes) if all(map(math.isfinite, changes)) else None


def trial_steps(cell: ResolvedCell) -> list[float]:
    """Return the steps of a trial; they keep a probability or weight between 0 and 1."""
    even = np.arange(1, round(REACH / EVEN) + 1) * EVEN
    up = sorted({*FINE, *(float(round(step, 2)) for step in even)})
    steps = [*(-step for step in reversed(up)), *up]
    if is_share(cell.tensor):
        steps = [step for step in steps if 0 <= cell.value + step <= 1]
    return steps


def can_try(scenario: Scenario) -> bool:
    """Return whether the curve of a trial is cheap enough to compute on the event loop."""
    return cost.fits_inline(2 * round(REACH / EVEN) * cost.forward_pass(scenario))


def steepest(trace: Trace) -> list[ResolvedCell]:
    """Return, for each matrix that the loss depends on, the number with the largest gradient."""
    counted = {LOSS, *trace.upstream(LOSS)}
    found = []
    for path, tensor in trace.tensors.items():
        if path not in counted or tensor.grad is None or tensor.op is IDENTITY:
            continue
        sizes = np.nan_to_num(np.abs(tensor.grad))
        at = np.unravel_index(int(sizes.argmax()), sizes.shape)
        if sizes[at]:
            found.append(_resolved(trace, Cell(tensor, tuple(map(int, at)))))
    return found


# -- a step along the chain ------------------------------------------------------------------------


def onward(chosen: ChainSettings, found: Chain, term: int) -> ChainSettings:
    """Return the chain after a step to a term of the shown number; ValueError if there is none."""
    if term >= len(found.terms):
        raise ValueError(f"There are {len(found.terms)} numbers, counted from 0.")
    if found.way[found.at : found.at + 1] == (term,):
        return chosen.replace(**_written(found.links, found.way, found.at + 1))
    links, way = found.links[: found.at + 1], (*found.way[: found.at], term)
    return chosen.replace(**_written(links, way, found.at + 1))


def backward(chosen: ChainSettings, found: Chain, trace: Trace, index: int) -> ChainSettings:
    """Return the chain after a step to an input of the shown number; ValueError if it has none."""
    if index >= len(found.made_of):
        raise ValueError(f"There are {len(found.made_of)} numbers, counted from 0.")
    source = _resolved(trace, found.made_of[index].cell)
    if found.at and found.links[found.at - 1].cell.address == source.address:
        return chosen.replace(**_written(found.links, found.way, found.at - 1))
    shown = found.shown.cell
    places = [(each.cell.tensor.path, each.cell.index) for each in _terms(trace, source)]
    term = places.index((shown.stored, shown.full))
    links = (Link(source, 0.0, 1.0), *found.links[found.at :])
    return chosen.replace(**_written(links, (term, *found.way[found.at :]), 0))


def shown_at(chosen: ChainSettings, found: Chain, at: int) -> ChainSettings:
    """Return the same chain with another link as the shown number."""
    return chosen.replace(**_written(found.links, found.way, min(at, len(found.links) - 1)))


def begun(cell: ResolvedCell) -> ChainSettings:
    """Return the settings of a chain that has only this number."""
    return ChainSettings(cell=address_text(cell.address))


def _written(links: Sequence[Link], way: Sequence[int], at: int) -> dict[str, Any]:
    """Return the settings of a chain; if it is too long, cut its end and, if needed, its start."""
    while len(text := " ".join(map(str, way))) > LONGEST:
        if at < len(way):
            way = way[:-1]
        else:
            links, way, at = links[1:], way[1:], at - 1
    return {"cell": address_text(links[0].cell.address), "way": text, "at": at}


# -- data and sentences ----------------------------------------------------------------------------


def order_of(found: Chain) -> list[int]:
    """Return the indices of the drawn terms, the largest product first."""
    sizes = [-abs(term.product) for term in found.terms]
    order = sorted(range(len(sizes)), key=sizes.__getitem__)
    return order if len(order) <= MOST_TERMS + 1 else order[:MOST_TERMS]


def chain_data(
    scenario: Scenario, trace: Trace, found: Chain, order: Sequence[int], tried: Trial | None = None
) -> dict[str, Any]:
    """Return the data of the component `ChainRule`."""
    tokens, shown = scenario.axis_tokens, found.shown
    value = shown.cell.value
    total = math.fsum(term.product for term in found.terms)
    kinds = {kind_in_words(_resolved(trace, found.terms[k].cell)) for k in order}
    rows, reached = _summands(scenario, trace, found, order, has_kinds=len(kinds) > 1)
    reach = 1.0 if is_share(shown.cell.tensor) else max(1.0, 1.5 * abs(value))
    return {
        "links": [
            {
                "name": number_in_words(tokens, link.cell),
                "label": number_name(tokens, link.cell),
                "place": _in_words(scenario, link.cell),
                "slope": link.slope,
                "gradient": link.gradient,
            }
            for link in found.links
        ],
        "at": found.at,
        "is_loss": found.links[-1].cell.stored == LOSS,
        "name": number_in_words(tokens, shown.cell),
        "label": number_name(tokens, shown.cell),
        "words": _in_words(scenario, shown.cell),
        "next": _next_in_words(kinds, len(found.terms)),
        "all": _all_in_words(found, total),
        "trial": None if tried is None else tried._asdict() | {"least": tried.least},
        "value": value,
        "low": 0.0 if is_share(shown.cell.tensor) else -reach,
        "high": reach,
        "settable": shown.cell.stored != LOSS and scenario.can_be_set(shown.cell.path),
        "rows": rows,
        "ends": [min(reached), max(reached)],
        "gradients": _largest(found.terms[k].gradient for k in order),
        "slopes": _largest(found.terms[k].slope for k in order),
        "total": total,
        "made_of": [
            {
                **_named(scenario, trace, term.cell, shown.cell, with_kind=True),
                "slope": term.slope,
            }
            for term in found.made_of[:MOST_MADE_OF]
        ],
        "more": max(0, len(found.made_of) - MOST_MADE_OF),
        "why": _made_of_nothing(scenario, shown.cell) if not found.made_of else "",
    }


def _summands(
    scenario: Scenario, trace: Trace, found: Chain, order: Sequence[int], *, has_kinds: bool
) -> tuple[list[dict[str, Any]], list[float]]:
    """Return the rows of the sum, with a last row for all undrawn terms, and the partial sums."""
    rows: list[dict[str, Any]] = []
    reached = [0.0]
    for k in order:
        term = found.terms[k]
        rows.append(
            {
                "term": k,
                **_named(scenario, trace, term.cell, found.shown.cell, with_kind=has_kinds),
                "reads": _reading(scenario, trace, term),
                "gradient": term.gradient,
                "slope": term.slope,
                "from": reached[-1],
                "to": reached[-1] + term.product,
            }
        )
        reached.append(reached[-1] + term.product)
    if len(order) < len(found.terms):
        rows.append(
            {
                "term": -1,
                "name": f"{len(found.terms) - len(order):,} others",
                **dict.fromkeys(("label", "place", "words", "reads"), ""),
                **dict.fromkeys(("gradient", "slope")),
                "from": reached[-1],
                "to": math.fsum(term.product for term in found.terms),
            }
        )
    return rows, reached


def _reading(scenario: Scenario, trace: Trace, term: Term) -> str:
    """Return the sentence of one term, for a step of ``STEP``."""
    name = number_in_words(scenario.axis_tokens, _resolved(trace, term.cell))
    moved = term.slope * STEP
    small = _times(decimal_text(term.slope), f"{STEP}", moved)
    loss = _times(decimal_text(term.gradient), decimal_text(moved), term.gradient * moved)
    return (
        f"Raised by {STEP}, this number moves the {name}, by {small}. "
        f"That moves the loss by {loss}."
    )


def _times(x: str, y: str, product: float) -> str:
    """Format a product such as ``0.5 × 0.01 = 0.005``, with ≈ if the printed result is rounded."""
    printed = decimal_text(product)
    exact = float(x.replace("−", "-")) * float(y.replace("−", "-"))
    is_exact = math.isclose(exact, float(printed.replace("−", "-")), rel_tol=1e-9)
    return f"{x} × {y} {'=' if is_exact else '≈'} {printed}"


def _next_in_words(kinds: set[str], count: int) -> str:
    """Describe the numbers that are computed from the shown number."""
    what = "the number" if count == 1 else f"the {count:,} numbers"
    kind = f": {next(iter(kinds))}" if len(kinds) == 1 else ""
    return f"{what} next to it{kind}"


def _all_in_words(found: Chain, total: float) -> str:
    """State the sum of the products, for a small step."""
    count = len(found.terms)
    if not count:
        return ""
    lines = "The line alone is" if count == 1 else f"All {count:,} lines add up to"
    return (
        f"{lines} {decimal_text(total)}, the gradient of this number: raised by {STEP}, "
        f"it moves the loss by {_times(decimal_text(total), f'{STEP}', total * STEP)}."
    )


def _named(
    scenario: Scenario, trace: Trace, cell: Cell, beside: ResolvedCell, *, with_kind: bool
) -> dict[str, str]:
    """Return the name of a number, and its place unless ``beside`` is at the same place."""
    found = _resolved(trace, cell)
    place = labels.place_words(found.path)
    is_same = place == labels.place_words(beside.path)
    where = place_in_words(scenario.axis_tokens, found)
    parts = [kind_in_words(found) if with_kind or not where else "", where]
    return {
        "name": ", ".join(filter(None, parts)),
        "label": number_name(scenario.axis_tokens, found),
        "place": "" if is_same else place,
        "words": _in_words(scenario, found),
    }


def _in_words(scenario: Scenario, cell: ResolvedCell) -> str:
    """Describe a number and its place."""
    where = labels.place_words(cell.path)
    return ", ".join(filter(None, [number_in_words(scenario.axis_tokens, cell), where]))


def _largest(numbers: Any) -> float:
    return max(map(abs, numbers), default=0.0) or 1.0


def _made_of_nothing(scenario: Scenario, cell: ResolvedCell) -> str:
    if scenario.is_parameter(cell.path):
        return "It is learned: training moves it against its gradient."
    if cell.tensor.is_leaf or not cell.tensor.inputs:
        return "It is given."
    by_hand = cell.tensor.overridden
    if by_hand is not None and by_hand[cell.index]:
        return (
            "It is set by hand now: it no longer follows from the numbers before it, and no "
            "gradient goes back to them. Undo computes it again."
        )
    return "Nothing that it is computed from moves it here."


def chain_sentence(scenario: Scenario, found: Chain, tried: Trial | None = None) -> str:
    """State how the loss changes when a small step is tried, and what the gradient predicts."""
    cell, terms = found.shown.cell, found.terms
    if cell.stored == LOSS:
        return "This is the loss itself, at which every chain ends: its own gradient is 1."
    name = number_in_words(scenario.axis_tokens, cell)
    total = math.fsum(term.product for term in terms)
    if not total:
        return f"The loss does not change with the {name}: {_why_nothing(terms)}."
    said = _times(decimal_text(total), f"{STEP}", total * STEP)
    change = None
    if tried is not None and STEP in tried.steps:
        change = tried.changes[tried.steps.index(STEP)]
    if change is None or abs(change) < tried.least:  # type: ignore[union-attr]
        return (
            f"Raise the {name}, by {STEP}: the loss {_moves(total)} by about "
            f"{decimal_text(abs(total) * STEP)}, says its gradient: {said}."
        )
    return (
        f"Raise the {name}, by {STEP}, and run the model again: the loss {_moves(change)} by "
        f"{decimal_text(abs(change))}. Its gradient said so before: {said}."
    )


def _moves(change: float) -> str:
    return "falls" if change < 0 else "rises"


def _why_nothing(terms: Sequence[Term]) -> str:
    if not terms:
        return "nothing that counts is computed from it"
    if not any(term.slope for term in terms):
        return "it moves none of the numbers that are computed from it"
    if not any(term.gradient for term in terms):
        return "it does not change with any of the numbers that are computed from it"
    return "the gradients through these numbers cancel"


def way_sentence(scenario: Scenario, found: Chain) -> str:
    """Return a sentence with the product of the chain's slopes; empty for a single number."""
    if len(found.links) < 2:
        return ""
    slopes = [link.slope for link in reversed(found.links[1:])]
    first, last = found.links[0], found.links[-1]
    product = last.gradient * math.prod(slopes)
    factors = " × ".join(map(decimal_text, (last.gradient, *slopes)))
    name = number_name(scenario.axis_tokens, first.cell)
    return (
        f"Along this one way, from its end to its beginning: {factors} ≈ "
        f"{decimal_text(product)}. All ways from {name} to the loss together give "
        f"{decimal_text(first.gradient)}."
    )


def offered(scenario: Scenario, trace: Trace, found: Chain) -> list[tuple[str, str]]:
    """Return the address and description of each number that a chain can start with."""
    first = found.links[0].cell
    cells = {each.address: each for each in (first, *steepest(trace))}
    return [(address_text(address), _in_words(scenario, cell)) for address, cell in cells.items()]
