"""Shows the mask, which grows with the sentence: who may look at whom (Section 3.2.3)."""

from collections.abc import Sequence

from ...components.component import Message, Placed
from ...components.form.fields import choice
from ...components.layout import Column
from ...explain import labels
from ...model.inference.writing import likeliest
from ..kit.choices import Choices
from ..kit.picture import IdeaPicture
from ..kit.prose import text
from .computation import (
    Looked,
    looked,
    looks_data,
    looks_of,
    looks_sentence,
    weight_sentence,
    with_weight,
)
from .looks import Looks


class MaskPicture(IdeaPicture):
    """The attention weights of one head, row by row."""

    name = "mask"
    tells = True

    def parts(self) -> Sequence[Placed]:
        self.choices = Choices(self.state)
        self.looks = Looks(on_message=self.hear)
        self._none = text("", "This model has no attention.")
        self._picture = Column(self.choices.form, self.said, self.looks)
        return [self._picture, self._none]

    def draw(self) -> None:
        scenario, found = self.state.scenario, self._looked()
        self._picture.visible, self._none.visible = found is not None, found is None
        if found is None:
            return
        if not self.state.dragging:  # a drag changes no choice
            paths = looks_of(scenario, self.state.trace)
            options = [(path, labels.place_words(path)) for path in paths]
            self.choices.show([choice("mask.weights", "attention of", found.path, options)])
        writes = None
        if self.state.held:  # the text is not rewritten during a drag
            writes = likeliest(scenario, self.state.runner)
        self.looks.data = looks_data(scenario, found, writes)
        self.tell(
            looks_sentence(found), lambda seen: weight_sentence(seen[0], found, seen[1], seen[2])
        )

    def _looked(self) -> Looked | None:
        return looked(self.state.scenario, self.state.trace, self.settings)

    def on_message(self, message: Message) -> None:
        state, found = self.state, self._looked()
        if message["type"] == "rows":
            self.choose(self.settings.changed("rows", message["count"]))
        elif found is not None:
            row, column = message["row"], message["column"]
            changed = with_weight(state.scenario, found, row, column, message["value"])
            of = ("mask", found.path, row, column)
            self.move(changed, of, message, lambda: (found, row, column))
