"""Shows softmax and its temperature, for the next word and for attention (Section 3.2.1)."""

from collections.abc import Sequence

from ...components.component import Message, Placed
from ...components.form.fields import choice
from ...explain import labels
from ..kit.choices import Choices, token_choice
from ..kit.picture import Around, IdeaPicture
from .computation import (
    Logits,
    attentions,
    logits_of,
    order_of,
    softmax_data,
    softmax_sentence,
    temperature_of,
    with_logit,
)
from .temperature import Temperature

NEXT_WORD = "next word"


class SoftmaxPicture(IdeaPicture):
    """The logits and shares of one row, below a slider for the temperature."""

    name = "softmax"
    watched = ("scenario", "ideas", "location")
    has_written_row = True

    def __init__(self, around: Around) -> None:
        # The order of the bars is kept during the drag of a bar.
        self._order: tuple[tuple[str, int, int], list[int]] | None = None
        super().__init__(around)

    def parts(self) -> Sequence[Placed]:
        self.choices = Choices(self.state)
        self.bars = Temperature(on_message=self.hear)
        return [self.choices.form, self.said, self.bars]

    def draw(self) -> None:
        scenario = self.state.scenario
        chosen, found = self.settings, self._logits()
        if not self.state.dragging:
            self._fill(found)
        key = found.path, found.row, len(found.values)
        if self._order is None or self._order[0] != key or not self.state.dragging:
            self._order = key, order_of(found)
        temperature = temperature_of(found, chosen)
        if not found.is_attention and not self.state.dragging:
            self.agree(found.row)
        self.bars.data = softmax_data(scenario, found, temperature, self._order[1])
        self.say(softmax_sentence(scenario, found, temperature))

    def _fill(self, found: Logits) -> None:
        """Update the choices, which no drag changes."""
        scenario, trace = self.state.scenario, self.state.trace
        heads = attentions(scenario, trace)
        options = [("", NEXT_WORD), *((path, labels.place_words(path)) for path in heads)]
        shown = found.path if found.is_attention else ""
        axis = trace[found.path].dims[0]
        tokens = scenario.axis_tokens.along(found.path, axis) or ()
        self.choices.show(
            [
                choice("softmax.scores", "softmax of", shown, options),
                token_choice("softmax.row", "row of", found.row, tokens),
            ]
        )

    def _logits(self) -> Logits:
        state = self.state
        return logits_of(state.scenario, state.trace, self.settings, self.row_in_header)

    def on_message(self, message: Message) -> None:
        state = self.state
        if message["type"] == "temperature":
            self.choose(self.settings.changed("temperature", message["value"]))
        else:
            found, column = self._logits(), message["column"]
            changed = with_logit(state.scenario, found, column, message["value"])
            of = ("softmax", found.path, column)
            state.change(changed, of, message["press"], held=message["held"])
