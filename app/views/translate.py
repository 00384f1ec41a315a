"""The top of the left side, for trained translators: a text, and its translation."""

from __future__ import annotations

import datetime
import random
from typing import Any

from transformer_math.data import dates

from ..components.component import changes
from ..components.form.form import Form
from ..inference.text import (
    Translation,
    can_translate,
    is_dates,
    text_of,
    translation,
    with_text,
    with_translation,
)
from ..scenario.scenario import Scenario
from ..state import AppState

FIRST_DAY = datetime.date(dates.FIRST_YEAR, 1, 1).toordinal()
DATE_LENGTH = len(dates.EXAMPLES[0][0])
LAST_DAY = datetime.date(dates.LAST_YEAR, 12, 31).toordinal()


class TranslateView:
    """A field for the source, and its translation; what is typed is the scenario at once."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.form = Form(visible=False)
        self.form.param.watch(self._on_value, "value")
        self.form.param.watch(self._on_typing, "value_input")
        self.form.on_press(self._on_press)
        state.param.watch(self._fill, "scenario")
        self._fill()

    def _fill(self, *_: Any) -> None:
        scenario = self.state.scenario
        fields = []
        if can_translate(scenario):
            answer, problem = self._answer(scenario)
            fields = _fields(scenario, answer, problem)
        if fields != self.form.fields:
            # What was refused before is not what stands there now.
            self.form.param.update(fields=fields, errors={}, visible=bool(fields))

    def _answer(self, scenario: Scenario) -> tuple[Translation, str]:
        try:
            return translation(scenario, self.state.runner.model(scenario)), ""
        except ValueError as error:  # weights so large that their products are infinite
            return Translation((), "", False), str(error)

    def _on_typing(self, event: Any) -> None:
        """A date is read as soon as it is whole, any other text at once."""
        for value in changes(event).values():
            text = str(value)
            if not is_dates(self.state.scenario) or len(text) == DATE_LENGTH:
                self._take_text(text, "text")
            else:
                self._read(text)

    def _on_value(self, event: Any) -> None:
        for value in changes(event).values():
            if value and str(value) != text_of(self.state.scenario):
                self._take_text(str(value), "text")

    def _on_press(self, name: str) -> None:
        if name == "target":
            self._take(self.state.scenario, "translation")
        elif name == "random":
            day = datetime.date.fromordinal(random.randint(FIRST_DAY, LAST_DAY))
            self._take_text(dates.iso(day), "random day")

    def _take_text(self, text: str, what: str) -> None:
        self._take(self._read(text), what)

    def _read(self, text: str) -> Scenario:
        """The scenario with a text.

        Raises:
            ValueError: it cannot be read; what stands below the field then says whose it is.
        """
        try:
            return with_text(self.state.scenario, text)
        except ValueError:
            self._mark_stale()
            raise

    def _mark_stale(self) -> None:
        """What stands below the field is of the text before the one that was refused."""
        text = text_of(self.state.scenario)
        self.form.fields = [
            {**field, "value": f"Still that of {text}.", "tone": ""}
            if field["name"] == "verdict"
            else field
            for field in self.form.fields
        ]

    def _take(self, scenario: Scenario, what: str) -> None:
        """The scenario, with the model's translation as what the decoder has written."""
        answer, _ = self._answer(scenario)
        self.state.change(with_translation(scenario, answer), ("text", what))


def _fields(scenario: Scenario, answer: Translation, problem: str) -> list[dict[str, Any]]:
    of_dates = is_dates(scenario)
    text = text_of(scenario)
    verdict, tone = _verdict(text, answer) if of_dates else ("", "")
    if not answer.finished and not problem:
        verdict = " ".join(filter(None, [verdict, "The model found no end."]))
    fields: list[dict[str, Any]] = [
        {
            "name": "text",
            "kind": "text",
            "label": "Date" if of_dates else "Text",
            "value": text,
            "live": True,
        }
    ]
    if of_dates:
        examples = [iso for iso, _ in dates.EXAMPLES]
        fields += [
            {
                "name": "example",
                "kind": "choice",
                "label": "Examples",
                "value": text if text in examples else "",
                "options": [["", "choose …"], *([iso, iso] for iso in examples)],
            },
            {"name": "random", "kind": "action", "label": "Random day"},
        ]
    fields += [
        {
            "name": "translation",
            "kind": "output",
            "label": "Translation",
            "value": answer.text,
            "tone": tone,
        },
        {"name": "verdict", "kind": "note", "label": "", "value": problem or verdict},
        {
            "name": "target",
            "kind": "action",
            "label": "Let the target be this",
            "hidden": bool(problem) or with_translation(scenario, answer) == scenario,
        },
    ]
    return [{**field, "group": "Translate"} for field in fields]


def _verdict(date: str, answer: Translation) -> tuple[str, str]:
    """Whether the translation is right, in a sentence and in a word."""
    try:
        right = dates.translate(date)
    except ValueError as error:
        return f"No day to check it by. {error}", ""
    if answer.text == right and answer.finished:
        return "Right: it is that day.", "good"
    return f"Wrong: {right} is that day.", "bad"
