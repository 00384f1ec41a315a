"""Shows layer norm step by step (Section 3.1)."""

from collections.abc import Sequence

from ...components.component import Message, Placed
from ...components.form.fields import choice
from ...components.layout import Column
from ...explain import labels
from ..kit.choices import Choices, token_choice
from ..kit.picture import IdeaPicture
from ..kit.prose import text
from .computation import NormRow, moved, norm_data, norm_row, norm_sentence, norms
from .normalizing import Normalizing


class LayerNormPicture(IdeaPicture):
    """A row of any layer norm of the model, on five number lines."""

    name = "layer_norm"
    watched = ("scenario", "ideas", "selection", "location")

    def parts(self) -> Sequence[Placed]:
        self.choices = Choices(self.state)
        self.lines = Normalizing(on_message=self.hear)
        self._none = text("", "This model has no layer norm.")
        self._picture = Column(self.choices.form, self.said, self.lines)
        return [self._picture, self._none]

    def draw(self) -> None:
        state, chosen = self.state, self.settings
        found = self._row()
        self._picture.visible, self._none.visible = found is not None, found is None
        if found is None:
            return
        if not state.dragging:
            self._fill(found)
        self.lines.data = norm_data(state.scenario, found, chosen.step)
        self.say(norm_sentence(state.scenario, found))

    def _fill(self, found: NormRow) -> None:
        """Update the choices, which no drag changes."""
        state = self.state
        paths = [(path, labels.place_words(path)) for path in norms(state.trace)]
        fields = [choice("layer_norm.norm", "layer norm of", found.path, paths)]
        tokens = state.scenario.axis_tokens.along(found.path, found.tensor.dims[0])
        if tokens:
            fields.append(token_choice("layer_norm.row", "row of", found.row, tokens))
        self.choices.show(fields)

    def _row(self) -> NormRow | None:
        state = self.state
        return norm_row(state.trace, self.settings, state.selection, self.row_in_header)

    def on_message(self, message: Message) -> None:
        state = self.state
        if message["type"] == "choice":
            self.choose(self.settings.changed(message["what"], message["value"]))
        else:
            found = self._row()
            if found is None:
                return
            line, cell = message["line"], message["cell"]
            changed = moved(state.scenario, found, line, cell, message["value"])
            of = ("layer_norm", found.path, line, cell)
            state.change(changed, of, message["press"], held=message["held"])
