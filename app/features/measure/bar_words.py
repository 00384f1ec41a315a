"""Writes the texts of the bars for hidden words and for removed positions."""

from ...experiments.position_effects import PositionEffect, PositionEffects
from ...experiments.word_effects import WordEffect, WordEffects
from ...explain import labels
from ...explain.apart import moved_in_column, moved_share
from ...explain.row_names import row_names
from ...explain.units import in_units
from ...model.matrices.address import Answer
from ...model.scenario.scenario import Scenario
from .effect_bars import EffectRow

LEAST_TOLD = 0.005  # the least change of a probability that a sentence mentions
MOST_WORDS = 9  # the largest number of written words that are quoted
OF: dict[tuple[str, ...], str] = {("source",): "source", ("target",): "target"}
OF_ALL = "both"


def word(scenario: Scenario, column: int) -> str:
    """Return a candidate for the next word, as the page shows the word."""
    words = scenario.output_vocabulary
    return labels.shown(words[column]) if column < len(words) else ""


def read(scenario: Scenario, found: WordEffects, effect: WordEffect) -> str:
    """Return the hidden word, as the page shows the word."""
    return labels.shown(getattr(scenario, found.side)[effect.position])


def word_row(
    scenario: Scenario, answer: Answer, found: WordEffects, effect: WordEffect
) -> EffectRow:
    """Return the bar of a hidden word."""
    name = read(scenario, found, effect)
    return {
        "label": name,
        "probability": effect.probability,
        "change": moved_in_column(found.probability, effect.probability),
        "writes": _instead(scenario, found.writes, effect.writes),
        "is_other": effect.writes != found.writes,
        "is_out": None,
        "does": f"Follow “{name}”; without it {word(scenario, answer[1])}",
    }


def word_conclusion(scenario: Scenario, answer: Answer, found: WordEffects) -> str:
    """Return a sentence on the word that matters most, and the words written without it."""
    asked = f"“{word(scenario, answer[1])}”"
    falls = sorted(found.effects, key=lambda each: each.change)
    if not falls or max(abs(each.change) for each in falls) < LEAST_TOLD:
        return f"Without any one word, {asked} is as likely as with it."
    does_fall = -falls[0].change >= LEAST_TOLD
    most = falls[0 if does_fall else -1]
    change = moved_share(found.probability, most.probability)
    name = f"“{read(scenario, found, most)}”"
    if not does_fall:
        return f"Without any word {asked} stays at least as likely; most without {name}: {change}."
    then = f"“{word(scenario, most.writes)}”"
    if found.writes != answer[1]:
        said = f"Without {name}, {asked} is less likely: {change}, and {then} is written"
    elif most.writes == found.writes:
        said = f"Without {name} it still writes {asked}, less surely: {change}"
    else:
        said = f"Without {name} it writes {then} for {asked}: {change}"
    is_most = all(moved_share(found.probability, each.probability) != change for each in falls[1:])
    others = " No other word, when hidden, lowers it as much." if falls[1:] and is_most else ""
    return f"{said}.{others}"


def position_row(scenario: Scenario, found: PositionEffects, effect: PositionEffect) -> EffectRow:
    """Return the bar for the positions of one text, or of all texts."""
    of = OF.get(effect.sides, OF_ALL)
    other = effect.target != found.told.target
    if scenario.writes_itself:
        writes = f"writes {_sentence(scenario, effect.target)}"
    else:
        writes = _instead(scenario, found.told.writes, effect.writes)
        other = effect.writes != found.told.writes
    does = "Restore the positions" if effect.is_silent else "Remove the positions"
    return {
        "label": of,
        "probability": effect.probability,
        "change": moved_in_column(found.told.probability, effect.probability),
        "writes": in_units(scenario, writes),
        "is_other": other,
        "is_out": effect.is_silent,
        "does": f"{does} of {of}",
    }


def position_conclusion(scenario: Scenario, answer: Answer, found: PositionEffects) -> str:
    """Describe the text that is written without any positions."""
    told, untold = found.told, found.effects[-1]
    change = moved_share(told.probability, untold.probability)
    asked = f"“{word(scenario, answer[1])}” {row_names(scenario)[answer[0]]}"
    if scenario.writes_itself:
        with_them = _sentence(scenario, told.target) if told.target[1:] else "no word"
        without = _sentence(scenario, untold.target)
        if told.target == untold.target:
            return f"Without positions it still writes {without}; {asked}: {change}."
        comma = "" if untold.target[1:] else ","
        return (
            f"Without positions it writes {without}{comma} in place of {with_them}; "
            f"{asked}: {change}."
        )
    if told.writes == untold.writes:
        return f"Without positions it still writes “{word(scenario, told.writes)}”: {change}."
    then, now = (f"“{word(scenario, each.writes)}”" for each in (untold, told))
    return f"Without positions it writes {then} in place of {now}; {asked}: {change}."


def _instead(scenario: Scenario, now: int, then: int) -> str:
    return f"{'then' if now != then else 'still'} “{word(scenario, then)}”"


def _sentence(scenario: Scenario, target: tuple[str, ...]) -> str:
    """Return the written sentence, quoted, without its start token, and cut if it is long."""
    words = [labels.shown(each) for each in target[1:]]
    between = "" if scenario.vocabulary.unit == "character" else " "
    if not words:
        return labels.no_word(scenario.vocabulary.end)
    more = " …" if len(words) > MOST_WORDS and between else ""
    return f"“{between.join(words[: MOST_WORDS if between else None])}{more}”"
