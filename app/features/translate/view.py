"""Shows the top of a trained model's settings: a text, the model's output, and its verdict."""

from typing import Any

from transformer_math.data import dates

from ...components.component import changes
from ...components.form.fields import action, choice, note, switch
from ...components.form.form import Form
from ...explain.sequence_notes import AT_ONCE
from ...model.inference.new_text import with_new_text
from ...model.inference.padding import is_padded, lengths, with_padding
from ...model.inference.text import (
    Translation,
    answer,
    can_be_typed,
    data_of,
    is_dates,
    text_of,
    with_translation,
)
from ...model.inference.writing import looks_ahead, predicts_end
from ...model.scenario.scenario import Scenario
from ...model.scenario.task_words import task_words
from ...model.scenario.training_data import TrainingData
from ...session.state import AppState
from ...typed_text import quoted

PADDED = "padded"
VERDICT = ".note { min-height: 2lh; }"  # so that nothing below moves
DATE_LENGTH = len(dates.EXAMPLES[0][0])
# Kind of model -> the form's heading, the label of the answer, and the label of its button.
KINDS = {
    "encoder-decoder": ("Translate", "Translation", "Let the target be this"),
    "decoder-only": ("Go on", "Goes on", "Let the text be this"),
    "encoder-only": ("Fill in", "Filled in", "Let the text be this"),
}


class TranslateView:
    """A text field for the source; each input immediately creates a new scenario."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self._key: object = None  # identifies the shown form
        self.form = Form(visible=False, stylesheets=[VERDICT])
        self.form.param.watch(self._on_value, "value")
        self.form.param.watch(self._on_typing, "value_input")
        self.form.on_press(self._on_press)
        state.watch_calmly(self._fill, "scenario")
        self._fill()

    def _fill(self, *_: Any) -> None:
        scenario = self.state.scenario
        answer = self._answer(scenario) if can_be_typed(scenario) else None
        key = scenario.structure_key, answer
        if key == self._key:
            return
        self._key = key
        fields = [] if answer is None else _fields(scenario, *answer)
        if fields != self.form.fields:
            # The errors of refused texts are obsolete.
            self.form.param.update(fields=fields, errors={}, visible=bool(fields))

    def _answer(self, scenario: Scenario) -> tuple[Translation, str]:
        """Return the model's translation (the target if the model writes it), and any error."""
        try:
            if not scenario.writes_itself:
                return answer(scenario, self.state.runner.model(scenario)), ""
            words = scenario.target[1:]
            finished = predicts_end(scenario, self.state.runner)
            return Translation(words, text_of(scenario, "target"), finished), ""
        except ValueError as error:  # weights so large that their products are infinite
            return Translation((), "", False), str(error)

    def _on_typing(self, event: Any) -> None:
        """Read a date once it is complete, any other text at every keystroke."""
        for value in changes(event).values():
            text = str(value)
            if not is_dates(self.state.scenario) or len(text) == DATE_LENGTH:
                self._take_text(text, "text")
            else:
                self._read(text)

    def _on_value(self, event: Any) -> None:
        for name, value in changes(event).items():
            if name == PADDED:
                self._pad(bool(value))
            elif value and str(value) != text_of(self.state.scenario):
                self._take_text(str(value), "text")

    def _on_press(self, name: str) -> None:
        data = data_of(self.state.scenario)
        if name == "target":
            self._let_it_be_the_text()
        elif name == "random" and data is not None:
            self._take_text(data.random_text(), "random")

    def _let_it_be_the_text(self) -> None:
        scenario = self.state.scenario
        if not scenario.writes_itself:
            found, _ = self._answer(scenario)
            scenario = with_translation(scenario, found)
        self.state.change(scenario, ("text", "translation"))

    def _pad(self, on: bool) -> None:
        scenario = self.state.scenario
        if on != is_padded(scenario):
            self.state.change(with_padding(scenario, on), ("text", PADDED, on))

    def _take_text(self, text: str, what: str) -> None:
        self.state.change(self._read(text), ("text", what))

    def _read(self, text: str) -> Scenario:
        """Return the scenario with a new text; if it is refused, a note names the shown text."""
        try:
            return with_new_text(self.state.scenario, text, self.state.runner)
        except ValueError:
            self._mark_stale()
            raise

    def _mark_stale(self) -> None:
        """Add a note below the field on the text that the page still shows after a refusal."""
        text, self._key = text_of(self.state.scenario), None
        self.form.fields = [
            {**field, "value": f"The page still shows {quoted(text)}.", "tone": ""}
            if field["name"] == "verdict"
            else field
            for field in self.form.fields
        ]


def _fields(scenario: Scenario, found: Translation, problem: str) -> list[dict[str, Any]]:
    heading, label, button = KINDS[scenario.config.kind]
    data, text = data_of(scenario), text_of(scenario)
    verdict, tone = _verdict(data, text, found)
    if verdict and scenario.writes_itself and looks_ahead(scenario):
        verdict = f"Written word by word: {verdict[0].lower()}{verdict[1:]} {AT_ONCE}"
    if not found.finished and not problem:
        verdict = " ".join(filter(None, [verdict, "The model found no end."]))
    label_of_text = task_words(data).label
    fields: list[dict[str, Any]] = [
        {"name": "text", "kind": "text", "label": label_of_text, "value": text, "live": True},
        *_examples(data, text),
        *_padding(scenario),
        {
            "name": "translation",
            "kind": "output",
            "label": label,
            "value": found.text,
            "tone": tone,
            "hidden": scenario.writes_itself,
        },
        note("verdict", problem or verdict),
        action(
            "target",
            button,
            hidden=scenario.writes_itself
            or bool(problem)
            or with_translation(scenario, found) == scenario,
        ),
    ]
    return [{**field, "group": heading} for field in fields]


def _examples(data: TrainingData | None, text: str) -> list[dict[str, Any]]:
    if data is None:
        return []
    examples = data.example_texts
    return [
        choice(
            "example",
            "Examples",
            text if text in examples else "",
            [("", "choose …"), *((each, each) for each in examples)],
            hidden=not examples,
        ),
        action("random", "Another sentence"),
    ]


def _padding(scenario: Scenario) -> list[dict[str, Any]]:
    to = lengths(scenario)
    if to is None:
        return []
    return [
        switch(
            PADDED,
            f"Pad to {to.source} and {to.target} tokens",
            is_padded(scenario),
            help="Training pads all texts of a batch to one length. The mask hides the "
            "padding: no word looks at it, and the model writes the same.",
        )
    ]


def _verdict(data: TrainingData | None, text: str, found: Translation) -> tuple[str, str]:
    """Return whether the answer is right, as a sentence and as a tone."""
    accepted = None if data is None else data.accepts(found.text)
    if accepted is not None:
        return (
            ("Right: it is one of the phrases.", "good")
            if accepted
            else ("Wrong: no phrase of the data is like this.", "bad")
        )
    try:
        answers = () if data is None else data.answers(text)
    except ValueError as error:
        return f"There is no right answer to compare with. {error}", ""
    if not answers:
        return "", ""
    if found.text in answers and found.finished:
        return "Right.", "good"
    return f"Wrong: it should be {answers[0]}.", "bad"
