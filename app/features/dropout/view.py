"""Shows dropout: the switch, the rates, the dropped numbers, and new masks."""

from typing import Any

from ...components.component import changes
from ...components.form.fields import action, note, switch
from ...components.form.form import Form
from ...components.form.settings_form import Section, SettingsForm
from ...experiments.dropout_draws import Draws, count_of, draws
from ...explain import labels
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.matrices.dropped import Dropped, dropped
from ...model.scenario.model_settings import DropoutSettings
from ...model.scenario.scenario import Scenario
from ...session.state import AppState
from ...transport.runtime.derived import Check, Derived
from ...transport.runtime.page_session import PageSession
from ...typed_text import quoted

SITES = tuple(f"dropout.{site}" for site in DropoutSettings.names())
OFF = "Dropout is off, as it is whenever a model is used."
NOTHING = "Dropout is on, but its rates are 0: nothing is dropped."
RESTS = "The effect of dropout is computed once no number moves."
TOO_LARGE = "This model is too large to measure the effect of dropout here."
WHY = (
    "In training, dropout sets each number at these sites to 0 with probability p, so that the "
    "model cannot rely on a single number. The other numbers are divided by 1 − p, so that on "
    "average every sum keeps its size."
)


class DropoutView:
    """Two forms: `form` with the switch, the dropped numbers and their effect, and `rates`."""

    def __init__(self, state: AppState, page: PageSession | None = None) -> None:
        self.state = state
        self._draws: Derived[Draws] = Derived(page or PageSession(), self._show)
        self._runner = ForwardPassRunner(beside=state.runner)
        self._drawn = ""  # the reason why no masks are drawn
        self._key: object = None  # identifies the content of the forms
        self.form = Form(fields=self._fields())
        scenario = state.scenario
        self.rates = SettingsForm(value=scenario.settings, sections=_sections(scenario))
        self.form.param.watch(self._on_value, "value")
        self.form.on_press(self._on_press)
        self.rates.param.watch(self._on_rates, "value")
        state.watch_calmly(self._fill, ["scenario", "position", "dragging", "oscillation"])
        self._fill()

    def _fill(self, *_: Any) -> None:
        self._draw()
        self._show()

    def _show(self) -> None:
        scenario = self.state.scenario
        key = scenario.settings, scenario.training, scenario.keep_masks
        if key == self._key and not scenario.training:
            return  # dropped numbers are shown only while dropout is on
        self._key = key
        self.form.update_changed(fields=self._fields())
        self.rates.update_changed(value=scenario.settings, sections=_sections(scenario))

    def _fields(self) -> list[dict[str, Any]]:
        is_on = self.state.scenario.training
        return [
            {**field, "group": "Dropout"}
            for field in (
                switch("training", "Dropout (training mode)", is_on, key="D", help=WHY),
                *self._draws_fields(),
            )
        ]

    def _draws_fields(self) -> list[dict[str, Any]]:
        """Return the fields on the dropped numbers; hidden while dropout is off."""
        is_off, found = not self.state.scenario.training, self._draws.result
        drawn = self._drawn or (RESTS if self._moves else found.note)
        if found.value is not None and found.status == "ready" and not self._moves:
            drawn = _changes(found.key[0], found.value)
        return [
            note("now", OFF if is_off else _now(dropped(self.state.trace))),
            *([note("draws", drawn)] if drawn and not is_off else []),
            action("resample", "Draw again", hidden=is_off),
            switch(
                "keep_masks",
                "freeze masks",
                self.state.scenario.keep_masks,
                hidden=is_off,
                help="On: the same numbers stay dropped while you edit. Off: each change "
                "drops other numbers, as each step of training does.",
            ),
        ]

    @property
    def _moves(self) -> bool:
        """Whether numbers are being dragged, oscillate or are trained."""
        return bool(self.state.dragging or self.state.oscillation.on or self.state.learning)

    def _draw(self) -> None:
        """Draw masks in the background, once for each shown text and model."""
        state, scenario = self.state, self.state.scenario
        count = count_of(scenario)
        is_on = scenario.training and dropped(state.trace).of
        self._drawn = TOO_LARGE if is_on and not count else ""
        if not is_on or not count:
            self._draws.drop()
            return
        row = state.position

        def compute(check: Check) -> Draws:
            steps = draws(self._runner, scenario, row, count)
            last = next(steps)
            for each in steps:
                check()
                last = each
            return last

        is_large = not cost.fits_unasked(cost.forward_pass(scenario))
        self._draws.want(
            (scenario.undrawn, row),
            compute,
            "large" if is_large else "slow",
            subject=scenario.model_key,
            on_request=self._moves,
        )

    def _on_value(self, event: Any) -> None:
        changed, scenario = changes(event), self.state.scenario
        training, keep = changed.get("training"), changed.get("keep_masks")
        if training is not None and training != scenario.training:
            self.state.change(scenario.with_training(training))
        if keep is not None and keep != scenario.keep_masks:
            self.state.change(scenario.with_keep_masks(keep))

    def _on_press(self, _name: str) -> None:
        self.state.change(self.state.scenario.resampled())

    def _on_rates(self, event: Any) -> None:
        scenario = self.state.scenario
        if event.new != scenario.settings:
            self.state.change(scenario.with_settings(event.new))


def _now(found: Dropped) -> str:
    """Return a sentence on the number of dropped numbers."""
    if not found.of:
        return NOTHING
    sites = "site" if found.sites == 1 else "sites"
    return (
        f"Dropped now: {found.dropped:,} of {found.of:,} numbers at {found.sites} {sites}. "
        "Zoom in to see them hatched. A column X′ is X after dropout."
    )


def _changes(scenario: Scenario, found: Draws) -> str:
    """Return a sentence on the effect of the draws."""
    word = quoted(labels.shown(scenario.output_vocabulary[found.word]))
    return (
        f"Without dropout {word} is the likeliest word. It stays the likeliest in {found.stays} of "
        f"{found.times} random draws; its probability is {found.mean:.2f} ± {found.deviation:.2f}. "
        f"The whole sentence stays the same in {found.all_stay}."
    )


def _sections(scenario: Scenario) -> list[Section]:
    words = note("sites", scenario.settings.dropout.words)
    return [
        Section(("dropout.common", "dropout.preset"), after=(words,)),
        Section(SITES, "Each site by itself", folded=True),
    ]
