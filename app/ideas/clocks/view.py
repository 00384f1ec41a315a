"""Shows positions as clocks, and the positional encoding as waves and as a map (Section 3.5)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transformer_math.data.phrases import SOURCE_LENGTH
from transformer_math.explain import clocks
from transformer_math.explain.clocks import Nearest
from transformer_math.ops import SinusoidalPositions

from ... import theme
from ...components.component import Message, Placed
from ...components.form.fields import action, choice
from ...components.layout import HTML, Chart, Column
from ...explain import labels
from ...model.inference import cost
from ...model.matrices.telling_word import most_read
from ...model.scenario.lock import ALL
from ...model.scenario.scenario import Scenario
from ...transport.runtime.derived import Derived
from ..kit.choices import Choices
from ..kit.picture import ROOM, Around, IdeaPicture
from ..kit.prose import paragraphs, text
from ..settings import LAST_POSITION
from .clocks import Clocks
from .computation import (
    Encoding,
    Telling,
    clocks_shown,
    drag_sentence,
    encoding_of,
    likeness_sentence,
    nearest_sentence,
    standing,
    telling_position,
    with_word_at,
    word_sentence,
)

if TYPE_CHECKING:
    from ...charts.likeness import LikenessChart

POSITIONS_SHOWN = 64
MOVED = "p { margin: 0; color: var(--accent); font-weight: 600; }"


def waves_and_map(scenario: Scenario, dark: bool) -> list[Placed]:
    """Return the charts of the encoding, with the text above each."""
    from ...charts.positions import position_map, waves

    kind = scenario.settings.positions
    if not kind.startswith("sinusoidal"):
        return [
            text(
                "Positions as waves",
                "The model's positions are set to "
                + ("a learned table" if kind == "learned" else "none")
                + "; choose sine and cosine in the settings to see the clocks and the waves.",
            )
        ]
    d_model = scenario.settings.d_model
    encoding = SinusoidalPositions(d_model, kind == "sinusoidal_halves", "float64")
    length = max(POSITIONS_SHOWN, len(scenario.source))
    table = encoding.forward(np.arange(length))
    return [
        text(
            "Positions as waves",
            "Each dimension of the positional encoding PE is a wave along the sequence. The dots "
            "are its rows for the tokens of your source. Fast waves tell neighbors apart, "
            "slow ones tell the beginning from the end; together no two positions are alike.",
        ),
        Chart(waves(encoding, length, scenario.source, dark)),
        text(
            "The same as a map",
            f"All {d_model} dimensions at {length} positions, from −1 to 1. The model adds a "
            "column to the token at that position. The waves never end, so every later position "
            f"has a column, too. {_beyond(scenario)}",
        ),
        Chart(position_map(table, scenario.view.palette, dark)),
    ]


def _beyond(scenario: Scenario) -> str:
    """Describe how the model handles positions beyond those of its training."""
    if scenario.data is None or scenario.data.name != "phrases":
        return "A model may or may not handle positions that it never saw in training."
    return (
        f"This model learned phrases of at most {SOURCE_LENGTH} words. It never saw later "
        "positions, and it often makes mistakes there."
    )


class PositionsPicture(IdeaPicture):
    """Dials, with the similarity curve, the waves and the map below."""

    name = "positions"
    tells = True
    watched = ("scenario", "ideas", "location")

    def __init__(self, around: Around) -> None:
        self._chart: LikenessChart | None = None
        self._drawn: object = None  # the inputs of the drawn waves and map
        self._curve: object = None
        self._marked: tuple[int, float] | None = None
        super().__init__(around)
        self._nearest: Derived[Nearest] = Derived(self.page, self._on_change)
        self._telling: Derived[Telling | None] = Derived(self.page, self._on_change)

    def parts(self) -> Sequence[Placed]:
        self.choices = Choices(self.state)
        self.choices.form.on_press(self._on_press)
        self.clocks = Clocks(on_message=self.hear)
        self._moved = HTML(stylesheets=[theme.PROSE, MOVED], margin=ROOM)
        self._alike = HTML()
        self._likeness = Column()
        self._distinct = HTML()
        self._charts = Column()
        self._dials = Column(
            self.choices.form, self._moved, self.said, self.clocks, self._likeness, self._distinct
        )
        return [self._dials, self._charts]

    def draw(self) -> None:
        scenario = self.state.scenario
        encoding = encoding_of(scenario)
        self._dials.visible = encoding is not None
        if encoding is not None:
            self._draw_dials(scenario, encoding)
        drawn = self.dark, scenario.settings, scenario.source, scenario.view.palette
        if drawn != self._drawn:
            self._charts.objects = waves_and_map(scenario, self.dark)
            self._drawn = drawn

    def _draw_dials(self, scenario: Scenario, encoding: Encoding) -> None:
        chosen = self.settings
        shown = clocks_shown(scenario, self.state.trace, encoding, chosen)
        self._find_telling(scenario, encoding)
        self.choices.show(self._fields(scenario))
        self.clocks.data = shown.data
        words = standing(scenario, self.state.trace, encoding)
        word = words[chosen.word] if 0 <= chosen.word < len(words) else None
        name = "" if word is None else word.label
        is_told = self.tell(
            shown.sentence, lambda seen: drag_sentence(encoding, seen, shown.position, name)
        )
        said = "" if word is None or is_told else word_sentence(scenario, word, chosen.word)
        self._moved.param.update(object=paragraphs([said]), visible=bool(said))
        self._draw_likeness(encoding, shown.position, shown.data["last"], chosen.shift)
        self._find_nearest(encoding)

    def _draw_likeness(self, encoding: Encoding, position: int, last: int, shift: int) -> None:
        from ...charts.likeness import LikenessChart

        of = self.dark, encoding, last, position if encoding.d_model % 2 else 0
        if of != self._curve:
            if self._chart is None or self._curve is None or of[0] != self._curve[0]:  # type: ignore[index]
                self._chart, self._marked = LikenessChart(self.dark), None
                self._likeness.objects = [
                    text(
                        "How alike two positions are",
                        "The dot product of two rows of PE is large where their clock hands point "
                        "the same way.",
                    ),
                    self._alike,
                    Chart(self._chart.figure),
                ]
            others = of[3] + np.arange(last + 1)
            alike_at = clocks.kernel(of[3], others, encoding.d_model)
            self._chart.draw(alike_at)
            _say(self._alike, text("", likeness_sentence(alike_at)))
            self._curve = of
        assert self._chart is not None
        apart = abs(shift)
        start = of[3]
        alike = float(clocks.kernel(start, np.array([start + shift]), encoding.d_model)[0])
        if (apart, alike) != self._marked:
            self._chart.mark(apart, alike)
            self._marked = apart, alike

    def _find_nearest(self, encoding: Encoding) -> None:
        """Find the two most similar positions, once per encoding, in the background."""
        found = self._nearest.want(
            encoding, lambda _check: clocks.nearest(LAST_POSITION, *encoding), subject=encoding
        )
        said = found.note if found.value is None else nearest_sentence(found.value)
        _say(self._distinct, text("Are all positions different?", said))

    def _find_telling(self, scenario: Scenario, encoding: Encoding) -> None:
        """Find a position that changes the output for the word that the header's row reads most."""
        is_busy = self.state.dragging or self.state.learning or cost.is_large(scenario)
        if is_busy or self.state.address.lock == ALL:
            return
        count = len(getattr(scenario, scenario.first_side))
        word = most_read(scenario, self.state.trace, self.state.position)
        if self._is_told(scenario) or word is None or word >= count:
            self._telling.drop()
            return
        runner, key = self.state.runner.aside(), (scenario.undrawn, word)
        self._telling.want(
            key,
            lambda check: telling_position(scenario, runner, encoding, word, check),
            subject=key,
        )

    def _is_told(self, scenario: Scenario) -> bool:
        path = f"{scenario.first_side}.positions"
        return any(edit.path == path for edit in scenario.edits)

    def _on_press(self, name: str) -> None:
        """Move the word to the position that was found, or open the measurement of positions."""
        state, found = self.state, self._telling.result.value
        if name == "without":
            state.go("drawer", "measure")
            return
        encoding = encoding_of(state.scenario)
        if found is None or encoding is None:
            return
        state.ideas = state.ideas.changed("positions.word", found.word)
        state.change(with_word_at(state.scenario, encoding, found.word, found.position))

    def _fields(self, scenario: Scenario) -> list[Mapping[str, Any]]:
        chosen = self.state.ideas
        words = labels.visible(getattr(scenario, scenario.first_side))
        options = [(-1, "no word"), *((k, f"{word} ({k})") for k, word in enumerate(words))]
        name = "positions.word"
        word = choice(name, "take along a word", chosen.positions.word, options)
        fields = [chosen.field("positions.range"), word]
        found = self._telling.result.value
        if found is not None and found.word < len(words):
            label = f"Try: give “{words[found.word]}” the position {found.position}"
            fields.append(action("tell", label))
        return [*fields, action("without", "What if it knew no positions?")]

    # -- from the page -----------------------------------------------------------------------------

    def on_message(self, message: Message) -> None:
        state = self.state
        value, chosen = message["value"], self.settings
        scenario, encoding = state.scenario, encoding_of(state.scenario)
        word = chosen.word
        count = len(getattr(scenario, scenario.first_side))
        if message["what"] == "shift" or encoding is None:
            self.choose(chosen.changed(message["what"], value))
            return
        if not 0 <= word < count:
            press = message["press"]
            self.move_choice("positions.position", value, press, lambda: chosen.position)
            return
        if not 0 <= value <= LAST_POSITION:
            raise ValueError(f"A position is from 0 to {LAST_POSITION:,}.")
        moved = with_word_at(scenario, encoding, word, value)
        now = standing(scenario, state.trace, encoding)[word].position
        self.move(moved, ("position", word), message, lambda: now)


def _say(where: HTML, what: HTML) -> None:
    """Copy the text of one component to another."""
    where.update_changed(object=what.object, stylesheets=what.stylesheets)
