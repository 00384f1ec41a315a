"""Computes the data, sentences and edits of the picture of the stream as a running sum."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from transformer_math import Trace
from transformer_math.experiments import RunningSum, running_sum
from transformer_math.experiments.running_sum import Level, Part
from transformer_math.ops import ADD
from transformer_math.ops.layer_norm import LayerNorm

from ...explain import labels
from ...model.matrices.address import PROBABILITIES
from ...model.matrices.values import shown_tensor
from ...model.scenario.scenario import Scenario
from ...number_text import fixed, joined, signed
from ...typed_text import quoted
from ..focus import row_in_focus
from ..settings import SumSettings

FACTORS = (-5.0, 5.0)  # the range of factors, relative to the numbers before a drag
LEAST = 1e-4  # a part with a smaller contribution cannot be dragged
MOST_HALVES = 40
MUCH = 0.5  # a sentence mentions a step whose effect exceeds its bar by more than this
LEAST_SHARE = 0.0005  # the least change of a probability that a sentence mentions
ALL_NAMED = 4  # up to this many steps are all named; of more, only the two largest
WORDS = 12  # the number of likeliest words offered
MOST_NUMBERS = 8  # the most numbers of a row shown


class Summed(NamedTuple):
    """The running sum of a word's logit at a position."""

    row: int
    word: int  # the column of the logits
    sum: RunningSum
    unfolded: int  # the index of the level whose parts are shown
    share: float  # the probability of the word


def summed(
    scenario: Scenario, trace: Trace, chosen: SumSettings, followed: tuple[str, int] | None = None
) -> Summed:
    """Return the sum for the chosen word; by default the likeliest word at the row in focus."""
    probabilities = trace[PROBABILITIES].value
    count = len(probabilities)
    stack = "decoder" if scenario.settings.decoder_layers else "encoder"
    row = chosen.row
    if not 0 <= row < count:
        row = row_in_focus(trace, stack, count, followed)
    words = scenario.output_vocabulary
    word = words.index(chosen.word) if chosen.word in words else int(probabilities[row].argmax())
    found = running_sum(trace, stack, row, word, carried=chosen.reading == "end")
    steps = _steps(found)
    unfolded = chosen.level if 0 <= chosen.level < len(steps) else int(np.abs(steps).argmax())
    return Summed(row, word, found, unfolded, float(probabilities[row, word]))


def _steps(found: RunningSum) -> list[float]:
    """Return the contribution of each level to the logit."""
    logits = [found.bias, *(level.logit for level in found.levels)]
    return [b - a for a, b in pairwise(logits)]


def offered_words(scenario: Scenario, trace: Trace, shown: Summed) -> list[tuple[str, str]]:
    """Return the likeliest words of the position, and the chosen word."""
    probabilities = trace[PROBABILITIES].value[shown.row]
    likely = np.argsort(-probabilities, kind="stable")[:WORDS].tolist()
    words = scenario.output_vocabulary
    found = dict.fromkeys([*likely, shown.word])
    return [(words[k], f"{labels.visible([words[k]])[0]} {probabilities[k]:.3f}") for k in found]


def level_name(level: Level) -> str:
    """Return the name of a step, such as ``layer 1, self-attention``."""
    if not level.sublayer:
        return "embeddings"
    return labels.place_words(level.path).partition(" ")[2]


def part_name(part: Part, level: Level | None = None) -> str:
    """Return the name of a part of a step."""
    if part.name == "head":
        return f"head {(part.head or 0) + 1}"
    if part.name == "kept" and level is not None and not level.keeps:
        return "the row before it, which it replaces"
    if part.name == "kept" and level is not None and level.deviation is not None:
        return f"the row before it, divided by {level.deviation:.2f}"
    return {
        "embedding": "the word",
        "positions": "its position",
        "network": "the activations × W₂",
        "bias": "the bias",
        "beta": "β of the norm",
        "kept": "the row before it",
        "rest": "set by hand",
    }[part.name]


def _drawn(level: Level) -> list[tuple[int, Part]]:
    """Return the parts of a level with their indices, except a rest that is due to rounding."""
    return [(k, part) for k, part in enumerate(level.parts) if part.name != "rest" or level.is_set]


def sum_data(scenario: Scenario, trace: Trace, shown: Summed) -> dict[str, Any]:
    """Return the data of the component `RunningSum`."""
    found = shown.sum
    rows: list[dict[str, Any]] = []
    at = found.bias
    if at:
        rows.append(_row("the output’s bias", -1, -1, (0.0, at)))
    reached = [0.0, at]
    for k, level in enumerate(found.levels):
        unfolded = k == shown.unfolded
        rows.append(
            _row(level_name(level), k, -1, (at, level.logit))
            | {"length": level.added, "stream": level.length, "unfolded": unfolded}
        )
        reached.append(level.logit)
        if unfolded:
            for index, part in _drawn(level):
                pulls = _pulls(scenario, part)
                rows.append(
                    _row(part_name(part, level), k, index, (at, at + part.logit))
                    | {"length": part.length or None, "pulls": pulls, "title": part.path}
                )
                at += part.logit
                reached.append(at)
        at = level.logit
    rows.append(_row("the logit", -1, -1, (0.0, found.logit)))
    room = 0.06 * (max(reached) - min(reached) or 1)
    lengths = [x for level in found.levels for x in (level.added, level.length)]
    return {
        "rows": rows,
        "low": min(reached) - room,
        "high": max(reached) + room,
        "longest": max(lengths) or 1.0,
        "total": fixed(found.logit, 3),
        "sums": _sums(shown),
        **_numbers(trace, shown),
    }


def _sums(shown: Summed) -> list[dict[str, str]]:
    """Return the sums of the steps, and of the parts of the unfolded step, as text."""
    found, steps = shown.sum, _steps(shown.sum)
    level = found.levels[shown.unfolded]
    parts = [part.logit for _, part in _drawn(level)]
    bias = [found.bias] if found.bias else []
    return [
        {"of": level_name(level), "sum": added_up(parts, steps[shown.unfolded])},
        {"of": "all steps", "sum": added_up([*bias, *steps], found.logit)},
    ]


def added_up(parts: list[float], total: float) -> str:
    """Format a sum such as ``1.21 − 0.20 = 1.01`` so that the printed digits add up, or with ≈."""
    for digits in (3, 2, 4, 1):
        printed = [round(part, digits) for part in parts]
        if round(sum(printed), digits) == round(total, digits):
            sign = "="
            break
    else:
        digits, sign = 3, "≈"
    first, *others = (fixed(part, digits) for part in parts)
    text = first + "".join(f" − {x[1:]}" if x[0] == "−" else f" + {x}" for x in others)
    return f"{text} {sign} {fixed(total, digits)}"


def _numbers(trace: Trace, shown: Summed) -> dict[str, Any]:
    """Return the numbers of the row at the unfolded step: the stream before, and the additions."""
    levels, at = shown.sum.levels, shown.unfolded
    tensor = trace[levels[at].path]

    def row(of: Any) -> np.ndarray:
        found: np.ndarray = np.asarray(of.value[shown.row], float)
        return found

    lines: list[tuple[str, np.ndarray]]
    if not at:
        names = ("the word", "+ its position")
        parts = tensor.inputs if tensor.op is ADD else ()
        lines = [*zip(names, map(row, parts), strict=False), ("= the row", row(tensor))]
    else:
        residual = tensor.inputs[0] if isinstance(tensor.op, LayerNorm) else tensor
        before, together = row(trace[levels[at - 1].path]), row(residual)
        keeps = residual.op is ADD
        added = together - before if keeps else together
        lines = [("the row before it", before), ("+ what it adds", added), ("= together", together)]
        if not keeps:
            lines = [("the row before it", before), ("what takes its place", added)]
        if residual is not tensor:
            mean, deviation = float(together.mean()), levels[at].deviation or 0.0
            moved = f"{'−' if mean >= 0 else '+'} {abs(mean):.2f}"
            lines.append((f"layer norm: {moved}, ÷ {deviation:.2f}, × γ, + β", row(tensor)))
    count = len(lines[-1][1])
    return {
        "numbers": [[name, [signed(x, 2) for x in line[:MOST_NUMBERS]]] for name, line in lines],
        "columns": [f"d{k}" for k in range(min(count, MOST_NUMBERS))],
        "hidden": max(0, count - MOST_NUMBERS),
        "of": level_name(levels[at]),
    }


def _row(label: str, level: int, part: int, ends: tuple[float, float]) -> dict[str, Any]:
    return {
        "label": label,
        "level": level,
        "part": part,
        "from": ends[0],
        "to": ends[1],
        "value": ends[1] - ends[0],
        "length": None,
        "stream": None,
        "pulls": False,
        "unfolded": False,
        "title": label,
    }


def _pulls(scenario: Scenario, part: Part) -> bool:
    return bool(part.path) and abs(part.logit) >= LEAST and scenario.can_be_set(part.path)


class Grip(NamedTuple):
    """A part that is being dragged, as it was at the start of the drag."""

    part: Part
    earlier: tuple[Part, ...]  # the parts of its step whose bars precede its own
    begin: float  # the start of the step's bars, on the axis of the logit
    stood: float  # the logit of the stream before the step, at the start of the drag
    values: dict[tuple[int, ...], float]  # the numbers of the part, by index

    @property
    def end(self) -> float:
        """The end of the part's bar at the start of the drag."""
        return self.begin + sum(part.logit for part in self.earlier) + self.part.logit

    def end_at(self, factor: float) -> float:
        """Return the end of the bar if a factor scales the part and the norm rescales all parts."""
        spread = self.part.spread
        assert spread is not None
        times = spread.deviation(1) / spread.deviation(factor)
        before = sum(self._divided(part, times) for part in self.earlier)
        return self.begin + before + self.part.at(factor)

    def _divided(self, part: Part, times: float) -> float:
        """Return the contribution of an earlier part after the norm scales it by ``times``."""
        if part.name == "kept":
            return (part.logit + self.stood) * times - self.stood
        return part.logit * (times if _is_divided(part) else 1)

    def changed(self, scenario: Scenario, factor: float) -> Scenario:
        """Return the scenario with the numbers of the part scaled."""
        values = {index: factor * value for index, value in self.values.items()}
        return scenario.with_values(self.part.path, values)

    def factor(self, trace: Trace) -> float:
        """Return the factor by which the part's numbers changed since the start of the drag."""
        now = shown_tensor(trace[self.part.path]).value
        squares = sum(old * old for old in self.values.values())
        found = sum(float(now[index]) * old for index, old in self.values.items())
        return found / squares if squares else 1.0


def _is_divided(part: Part) -> bool:
    return part.spread is None or part.spread.own > 0 or part.spread.shared != 0


def gripped(scenario: Scenario, trace: Trace, shown: Summed, level: int, part: int) -> Grip | None:
    """Return the grip of a part of a level; None if the part cannot be dragged."""
    levels = shown.sum.levels
    if level >= len(levels) or part >= len(levels[level].parts):
        return None
    parts = levels[level].parts
    found = parts[part]
    if not _pulls(scenario, found):
        return None
    tensor = shown_tensor(trace[found.path])
    row = tensor.value if tensor.value.ndim == 1 else tensor.value[shown.row]
    front = () if tensor.value.ndim == 1 else (shown.row,)
    begin = levels[level - 1].logit if level else shown.sum.bias
    values = {(*front, j): float(x) for j, x in enumerate(row)}
    return Grip(found, parts[:part], begin, levels[level].stood, values)


def bar_end(shown: Summed, level: int, part: int) -> float:
    """Return the end of a part's bar, on the axis of the logit."""
    levels = shown.sum.levels
    begin = levels[level - 1].logit if level else shown.sum.bias
    return begin + sum(each.logit for each in levels[level].parts[: part + 1])


class Reached(NamedTuple):
    """A factor, and whether it is a limit at which the bar does not reach the wanted place."""

    factor: float
    is_limit: bool


def factor_for(
    end_at: Callable[[float], float], wanted: float, factor: float, exact: float
) -> Reached:
    """Search, beginning at a factor, for the first factor at which a bar ends at the wanted place.

    ``exact`` is the tolerance of the place. The search stops where the bar turns back, because a
    norm divides by a deviation that grows faster than the part.
    """
    low, high = FACTORS
    now = end_at(factor)
    step = 0.02
    side = 1.0 if (end_at(factor + step) - now) * (wanted - now) > 0 else -1.0
    while abs(wanted - now) > exact:
        farther = min(high, max(low, factor + side * step))
        if farther == factor or step < LEAST:
            return Reached(factor, True)
        reached = end_at(farther)
        if (wanted - reached) * (wanted - now) <= 0:
            return Reached(_between(end_at, wanted, (factor, farther), exact), False)
        if abs(wanted - reached) < abs(wanted - now):
            factor, now, step = farther, reached, 2 * step
        else:
            step /= 4
    return Reached(factor, False)


def _between(
    end_at: Callable[[float], float], wanted: float, ends: tuple[float, float], exact: float
) -> float:
    """Find by bisection the factor at which a bar ends at a given place."""
    start, end = ends
    rises = end_at(end) > end_at(start)
    middle = (start + end) / 2
    for _ in range(MOST_HALVES):
        middle = (start + end) / 2
        now = end_at(middle)
        if abs(now - wanted) <= exact:
            break
        start, end = (middle, end) if (now < wanted) == rises else (start, middle)
    return middle


def drag_sentence(
    scenario: Scenario, before: Summed, now: Summed, place: tuple[int, int], factor: float
) -> str:
    """Describe how a drag of a bar changed the numbers of its part, and the logit.

    ``place`` has the indices of the level and its part. ``factor`` multiplied the part's numbers.
    """
    level, part = place
    old, new = (each.sum.levels[level].parts[part] for each in (before, now))
    spreads = [each.sum.levels[level].deviation for each in (before, now)]
    shown = [f"{spread:.2f}" for spread in spreads if spread is not None]
    divided = ""
    if len(set(shown)) > 1:
        divided = f" Layer norm divides the whole row by {shown[1]} now, not by {shown[0]}."
    return (
        f"You multiplied the numbers of “{part_name(new)}” by {fixed(factor, 2)}: it adds "
        f"{signed(new.logit, 3)} in place of {signed(old.logit, 3)}, and the logit of "
        f"{quoted(shown_word(scenario, now))} goes from {fixed(before.sum.logit, 3)} to "
        f"{fixed(now.sum.logit, 3)}.{divided}{_turned(before, now, place, factor)}"
        f"{_against(before, now)}"
    )


def _turned(before: Summed, now: Summed, place: tuple[int, int], factor: float) -> str:
    """Explain a bar that moves left with a larger factor, or right with a smaller one."""
    level, part = place
    old, new = (each.sum.levels[level].parts[part].logit for each in (before, now))
    moved = bar_end(now, level, part) - bar_end(before, level, part)
    if factor < 0 or moved * (factor - 1) >= 0:
        return ""
    much, way = ("more", "left") if factor > 1 else ("less", "right")
    if old < 0 and (new - old) * moved > 0:
        return f" Its numbers lower this logit: with {much} of them its bar ends farther {way}."
    spreads = [each.sum.levels[level].deviation or 0.0 for each in (before, now)]
    divides = "the norms after it divide by other deviations"
    if spreads[0] != spreads[1]:
        amount = "more" if spreads[1] > spreads[0] else "less"
        divides = f"the norm divides the whole row by {amount}"
    return f" There is {much} of it, and yet its bar ends farther {way}, as {divides} now."


def _against(before: Summed, now: Summed) -> str:
    """Explain a probability that moves against the logit; empty if it does not."""
    rise, more = now.sum.logit - before.sum.logit, now.share - before.share
    if rise * more >= 0 or abs(more) < LEAST_SHARE:
        return ""
    way, others = ("falls", "rose") if more < 0 else ("rises", "fell")
    return (
        f" Its probability {way} all the same, {before.share:.3f} → {now.share:.3f}: the logits of "
        f"other words {others} more."
    )


def limit_sentence(grip: Grip, reached: Reached) -> str:
    """Explain why a bar does not follow the pointer any farther; empty if it does."""
    if not reached.is_limit:
        return ""
    name = part_name(grip.part)
    if reached.factor in FACTORS:
        return f"It stops here: “{name}” is {abs(reached.factor):g} times what it was."
    return (
        f"It stops here: “{name}” changes the deviation by which the norm divides, and any farther "
        "its bar would turn back."
    )


def sum_sentence(scenario: Scenario, trace: Trace, shown: Summed) -> str:
    """Describe the contribution of each step, the parts of the unfolded step, and their sums."""
    found = shown.sum
    word = shown_word(scenario, shown)
    steps = _steps(found)
    names = _names(found)
    named = range(1, len(steps)) if len(steps) <= ALL_NAMED else _largest(steps)
    shown_moves = dict.fromkeys([*named, shown.unfolded])
    moves = [f"{names[k]} adds {signed(steps[k], 3)}" for k in sorted(shown_moves) if k]
    own = float(trace["output.logits"].value[shown.row, shown.word])
    bias = f"{signed(found.bias, 3)} of the bias, " if found.bias else ""
    said = (
        f"The logit of {quoted(word)} starts with {bias}{signed(steps[0], 3)} of the embeddings; "
        f"{joined(moves)}.{_divided_sentence(shown, names)} All {len(steps)} steps add up to "
        f"{fixed(found.logit, 3)}"
    )
    if abs(own - found.logit) > 1e-3 * (1 + abs(own)):
        said += f"; the model’s own logit, {fixed(own, 3)}, is set by hand."
    else:
        said += f", the model’s own logit, which gives a probability of {shown.share:.3f}."
    return said


def shown_word(scenario: Scenario, shown: Summed) -> str:
    """Return the word whose logit is added up, as it is shown."""
    return labels.shown(scenario.output_vocabulary[shown.word])


def _largest(steps: list[float]) -> list[int]:
    """Return the two steps that change the logit most, in their order."""
    return sorted(sorted(range(1, len(steps)), key=lambda k: -abs(steps[k]))[:2])


def _names(found: RunningSum) -> list[str]:
    """Return the names of the steps in a sentence, with the layer if there are several layers."""
    names = [level_name(level) for level in found.levels]
    layers = {name.partition(", ")[0] for name in names if ", " in name}
    return [name.partition(", ")[2] or name for name in names] if len(layers) < 2 else names


def _divided_sentence(shown: Summed, names: list[str]) -> str:
    """Explain the effect of the unfolded step's norm on the row before it."""
    level = shown.sum.levels[shown.unfolded]
    kept = next((part.logit for part in level.parts if part.name == "kept"), None)
    if kept is None or level.deviation is None:
        return ""
    own = level.logit - shown.sum.levels[shown.unfolded - 1].logit - kept
    if not level.keeps:
        return (
            f" Without a residual connection {names[shown.unfolded]} takes the place of the row "
            f"before it, so that the sum before it, {fixed(level.stood, 3)}, counts no more. The "
            f"parts of this step add {signed(own, 3)}."
        )
    less = "less" if abs(level.stood + kept) < abs(level.stood) else "more"
    return (
        f" In {names[shown.unfolded]}, layer norm divides the whole row by its deviation, "
        f"{level.deviation:.2f}, so the sum before it counts {less}: "
        f"{fixed(level.stood + kept, 3)} instead of {fixed(level.stood, 3)}, which is "
        f"{signed(kept, 3)}. The parts of this step add {signed(own, 3)}."
    )


class Without(NamedTuple):
    """A step, and the logit of the model without it."""

    level: int
    logit: float


def hidden_effect(shown: Summed, logit_without: Callable[[Level], float | None]) -> Without | None:
    """Return the step whose effect exceeds its bar the most; None if no bar is misleading.

    ``logit_without`` returns the model's logit without a sublayer; None if the sublayer cannot be
    left out.
    """
    steps, found = _steps(shown.sum), []
    for k, level in enumerate(shown.sum.levels[:-1]):
        logit = logit_without(level) if level.sublayer else None
        if logit is not None:
            lost = shown.sum.logit - logit
            found.append((abs(lost) - abs(steps[k]), Without(k, logit)))
    if not found:
        return None
    more, without = max(found)
    return without if more > MUCH else None


def hidden_effect_sentence(scenario: Scenario, shown: Summed, without: Without | None) -> str:
    """Explain why a small bar may matter a lot: later sublayers read the added numbers."""
    if without is None:
        return ""
    found = shown.sum
    name = _names(found)[without.level]
    step = _steps(found)[without.level]
    return (
        f"The bar of {name} is {signed(step, 3)}, as it shows what the output would read right "
        f"after it. But the later steps read what it added, too: without {name} the logit of "
        f"{quoted(shown_word(scenario, shown))} would be {fixed(without.logit, 3)}, not "
        f"{fixed(found.logit, 3)}."
    )


def norm_note(found: RunningSum) -> str:
    """Explain how the sum handles the norms, which are not linear."""
    if found.is_carried:
        return (
            "Each part is followed to the end, through all norms that come after it, with their "
            "means and deviations as they are now. So no bar is a rescaling; but what a step adds "
            "here is not what the output would read right after it."
        )
    if found.is_post_norm:
        return (
            "Layer norm follows each sublayer. It takes the mean off the row and divides it by its "
            "deviation, which is how widely its numbers spread; then it multiplies by γ and adds "
            "β. It does so to the whole row: what was there and what was added. So all that stood "
            "before is made smaller or larger by one and the same division, and “the row before "
            "it” is by how much that changes the logit."
        )
    if any(part.name == "kept" for level in found.levels for part in level.parts):
        return (
            "The output reads the row through the final norm, which divides it by its deviation, "
            "how widely its numbers spread, and each step changes that. “The row before it” is "
            "what that alone does to the logit."
        )
    return ""
