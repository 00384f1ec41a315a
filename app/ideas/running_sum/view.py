"""Shows the residual stream as a running sum of a word's logit."""

from collections.abc import Sequence

from transformer_math.experiments.running_sum import Level

from ... import theme
from ...components.component import Message, Placed
from ...components.form.fields import choice
from ...components.layout import HTML
from ...model.inference import cost
from ...model.scenario.silences import Silence
from ..kit.choices import Choices, token_choice
from ..kit.picture import ROOM, Around, IdeaPicture
from ..kit.prose import paragraphs
from .computation import (
    FACTORS,
    Grip,
    Reached,
    Summed,
    Without,
    bar_end,
    drag_sentence,
    factor_for,
    gripped,
    hidden_effect,
    hidden_effect_sentence,
    limit_sentence,
    norm_note,
    offered_words,
    sum_data,
    sum_sentence,
    summed,
)
from .running_sum import RunningSum

EXACT = 1e-4  # the relative tolerance between a bar's end and the pointer


class StreamPicture(IdeaPicture):
    """The steps that add up to a word's logit, with the parts of one step."""

    name = "stream"
    tells = True
    watched = ("scenario", "ideas", "location")
    has_written_row = True

    def __init__(self, around: Around) -> None:
        self._grip: tuple[tuple[int, int, int], Grip] | None = None
        self._factor = 1.0  # of the dragged part
        self._limit = ""  # the reason why the dragged bar does not follow the pointer any farther
        self._beside = around.state.runner.aside()  # for passes that the page does not show
        self._hidden: tuple[object, Without | None] | None = None
        super().__init__(around)

    def parts(self) -> Sequence[Placed]:
        self.choices = Choices(self.state)
        self.bars = RunningSum(on_message=self.hear)
        self._note = HTML(stylesheets=[theme.PROSE], margin=ROOM)
        return [self.choices.form, self.said, self.bars, self._note]

    def draw(self) -> None:
        scenario, trace = self.state.scenario, self.state.trace
        found = self._found()
        for part in (self.choices.form, self.bars, self._note):
            part.visible = not isinstance(found, ValueError)
        if isinstance(found, ValueError):
            self.say(str(found))
            return
        if not self.state.dragging:
            self._fill(found)
            self.agree(found.row)
        self.bars.data = sum_data(scenario, trace, found)

        def did(seen: tuple[Summed, tuple[int, int], Grip]) -> str:
            before, place, grip = seen
            said = drag_sentence(scenario, before, found, place, grip.factor(trace))
            return " ".join(filter(None, [said, self._limit]))

        self.tell(sum_sentence(scenario, trace, found), did)

    def _fill(self, shown: Summed) -> None:
        """Update the choices, which no drag changes."""
        scenario, trace = self.state.scenario, self.state.trace
        where = "after" if scenario.settings.decoder_layers else "at"
        words = offered_words(scenario, trace, shown)
        word = scenario.output_vocabulary[shown.word]
        self.choices.show(
            [
                token_choice("stream.row", where, shown.row, scenario.output_tokens),
                choice("stream.word", "logit of", word, words),
                self.state.ideas.field("stream.reading"),
            ]
        )
        self._note.object = paragraphs(
            [hidden_effect_sentence(scenario, shown, self._effect(shown)), norm_note(shown.sum)]
        )

    def _effect(self, shown: Summed) -> Without | None:
        """Return the step whose bar understates its effect most, from a pass without each step."""
        scenario = self.state.scenario
        if shown.sum.is_carried or cost.is_large(scenario) or self.state.learning:
            return None
        key = scenario, shown.row, shown.word
        if self._hidden is None or self._hidden[0] != key:

            def logit(level: Level) -> float | None:
                silence = Silence(f"{level.sublayer}.out", shown.row)
                if not scenario.has_part(silence):
                    return None
                trace = self._beside.trace(scenario.with_silence(silence))
                return float(trace["output.logits"].value[shown.row, shown.word])

            self._hidden = key, hidden_effect(shown, logit)
        return self._hidden[1]

    def _found(self) -> Summed | ValueError:
        """Return the sum, or the reason why the logits are not a sum along the stream."""
        try:
            return self._summed()
        except ValueError as error:
            return error

    def _summed(self) -> Summed:
        state = self.state
        return summed(state.scenario, state.trace, self.settings, self.row_in_header)

    def release(self) -> None:
        self._grip, self._limit = None, ""
        super().release()

    def on_message(self, message: Message) -> None:
        if message["type"] == "unfold":
            self.choose(self.settings.changed("level", message["level"]))
        else:
            self._pull(message)

    def _pull(self, message: Message) -> None:
        """Scale the numbers of a part so that its bar ends at the pointer."""
        state, press = self.state, message["press"]
        key = press, message["level"], message["part"]
        if self._grip is None or self._grip[0] != key or not press:
            shown = self._summed()
            grip = gripped(state.scenario, state.trace, shown, *key[1:])
            if grip is None:
                self._grip = None
                return
            self._grip, self._factor = (key, grip), 1.0
            self._keep(shown)
        grip = self._grip[1]
        wanted = grip.end + message["value"] - grip.part.logit
        reached = self._reach(grip, key[1:], wanted)
        self._factor, self._limit = reached.factor, limit_sentence(grip, reached)
        changed = grip.changed(state.scenario, reached.factor)
        of = ("stream", grip.part.path)
        self.move(changed, of, message, lambda: (self._summed(), key[1:], grip))

    def _reach(self, grip: Grip, place: tuple[int, int], wanted: float) -> Reached:
        """Return the factor at which a bar ends at a given place."""
        scenario = self.state.scenario
        exact = EXACT * (1 + abs(wanted))
        if grip.part.spread is not None:
            return factor_for(grip.end_at, wanted, self._factor, exact)
        if cost.is_large(scenario):
            factor = 1 + (wanted - grip.end) / grip.part.logit
            low, high = FACTORS
            return Reached(min(high, max(low, factor)), not low < factor < high)

        def end_at(factor: float) -> float:
            """Return the end of the bar, computed by a forward pass."""
            changed = grip.changed(scenario, factor)
            trace, chosen = self._beside.trace(changed), self.settings
            return bar_end(summed(changed, trace, chosen, self.row_in_header), *place)

        return factor_for(end_at, wanted, self._factor, exact)

    def _keep(self, shown: Summed) -> None:
        """Make the shown defaults explicit choices, so that a drag does not change them."""
        word = self.state.scenario.output_vocabulary[shown.word]
        self.choose(self.settings.replace(row=shown.row, word=word, level=shown.unfolded))
