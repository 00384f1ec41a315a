"""Shows the generation of tokens, one by one, in the drawer."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ...components.layout import Column
from ...decoding import (
    DecodedText,
    DecodingTask,
    NodeDetail,
    Search,
    comparison,
    decoding_task,
    filling,
    greedy,
    last_position_focus,
    samples,
    scenario_after,
    search,
    with_blank,
)
from ...decoding.settings import DecodingSettings, sample_count
from ...model.inference import cost
from ...model.inference.forward_pass import ForwardPassRunner
from ...model.matrices.attention import of_row
from ...model.scenario.scenario import Scenario
from ...session.offer import UNDO, Offer
from ...session.state import AppState
from ...transport.runtime.derived import Check, Cost, Derived
from ...transport.runtime.page_session import PageSession
from .decode import Decode, DecodeForm, DecodeWays
from .form import limits, sections

STEP = 80_000  # multiply-adds that take as long as one step of the smallest model
KEPT_SO_FAR = "The target now ends before that word, and you write the rest: teacher forcing."


class DecodeView:
    """Decodes with one method at a time while the drawer shows the results.

    The controls are built on first use. Large models decode in a thread.
    """

    def __init__(
        self, state: AppState, on_attention: Callable[[], None], page: PageSession | None = None
    ) -> None:
        self.state = state
        self._writing: Derived[_Written] = Derived(page or PageSession(), self._draw)
        self.column = Column(visible=False)
        self._on_attention = on_attention
        self._is_open = False
        self._parts: _Parts | None = None
        self._task: DecodingTask | None = None
        self._search: Search | None = None
        self._texts: Sequence[DecodedText] = []  # the text of greedy decoding, or the samples
        self._path: tuple[int, ...] | None = None  # of the selected node; None: the best node
        state.watch(self._draw, ["scenario", "decode"])
        state.watch(self._on_location, "location")

    def show(self, is_open: bool) -> None:
        self._is_open = is_open
        if is_open and self._parts is None:
            methods = self.state.decode.field("method")["options"]
            self._parts = _Parts(
                DecodeWays(ways=methods, value=self.state.decode.method),
                DecodeForm(value=self.state.decode, layout="row"),
                Decode(on_attention=self._on_attention_asked, on_blank=self._on_blank_asked),
                DecodeForm(value=self.state.decode, layout="row"),
            )
            self._parts.ways.param.watch(self._on_method, "value")
            self._parts.body.param.watch(self._on_node, "value")
            for form in self._parts.forms:
                form.param.watch(self._on_settings, "value")
            self._parts.form.on_press(self._on_press)
        self._draw()
        if is_open and not self.column.objects:
            self.column.objects = list(self._parts or ())
        self.column.visible = is_open

    # -- from the controls -------------------------------------------------------------------

    def _on_method(self, event: Any) -> None:
        if event.new != self.state.decode.method:
            self.state.decode = self.state.decode.changed("method", event.new)

    def _on_settings(self, event: Any) -> None:
        if event.new != self.state.decode:
            if event.new.top_k != self.state.decode.top_k:
                event.new.check_vocabulary(len(self.state.scenario.target_vocabulary))
            self.state.decode = event.new

    def _on_press(self, _name: str) -> None:
        # The next seeds follow the chosen seeds, not those of the shown samples: samples that were
        # requested by an earlier press may still be pending.
        count = sample_count(self.state.scenario.config.parameter_count())
        self.state.decode = self.state.decode.with_next_seeds(count)

    def _on_node(self, event: Any) -> None:
        if self._search is None:
            return
        nodes = self._search.beam.nodes
        at = _index(event.new, len(nodes))
        if at is not None and at != self._search.find(self._path).id:
            self._path = tuple(self._search.beam.path(nodes[at]))
            self._select()

    def _on_location(self, event: Any) -> None:
        if self._parts is not None and event.new.followed != event.old.followed:
            self._follow()

    def _on_blank_asked(self, data: dict[str, Any]) -> None:
        at = _index(data["at"], len(self.state.scenario.source))
        if at is not None and not self.state.scenario.settings.decoder_layers:
            self.state.change(with_blank(self.state.scenario, at))

    def _on_attention_asked(self, data: dict[str, Any]) -> None:
        if not self.state.scenario.settings.decoder_layers:
            at = _index(data.get("step"), len(self.state.scenario.source))
            if at is not None:
                self.state.attention_focus = of_row(self.state.trace, "encoder", at)
                self._on_attention()
            return
        before = None if self._task is None else self._before(data)
        if self._task is not None and before is not None:
            self._open_attention(self._task, before)

    def _before(self, data: dict[str, Any]) -> tuple[int, ...] | None:
        """Return the token ids generated before the token that a message refers to."""
        if self._search is not None:
            nodes = self._search.beam.nodes
            at = _index(data.get("id"), len(nodes))
            return None if at is None else self._search.before(nodes[at])
        at = _index(data.get("sample", 0), len(self._texts))
        if at is None:
            return None
        ids = self._texts[at]["ids"]
        step = _index(data.get("step"), len(ids))
        return None if step is None else tuple(ids[:step])

    def _open_attention(self, task: DecodingTask, before: tuple[int, ...]) -> None:
        """Show the attention of the decoder when it generates the next token."""
        assert self._parts is not None
        try:
            scenario = scenario_after(task, before)
        except ValueError as error:
            self._parts.body.refused = str(error)
            return
        before_it = self.state.scenario
        self.show(False)  # close the drawer, so that nothing is decoded for the new target
        self.state.change(scenario)
        self.state.attention_focus = last_position_focus(self.state.trace)
        if scenario.target != before_it.target or scenario.writes_itself != before_it.writes_itself:
            self.state.offer = Offer(KEPT_SO_FAR, UNDO)
        self._on_attention()

    # -- to the controls ---------------------------------------------------------------------

    def _draw(self, *_: Any) -> None:
        if self._parts is None or not self._is_open:
            self._writing.stop()
            return
        try:
            task = self._task_now()
        except ValueError as error:
            self._writing.drop()
            self._show(None, {"problem": str(error)})
            return
        # A large model in training changes faster than its text is decoded: the running decoding is
        # completed, and its text is shown until the next text is ready.
        scenario, settings = self.state.scenario, self.state.decode
        found = self._writing.want(
            (scenario.undrawn, settings),
            partial(_written, scenario, self.state.runner, task, settings),
            _cost(scenario, task, settings),
            subject=(scenario.model_key, settings.method),
            finishes=self.state.learning,
        )
        if found.value is not None and found.status != "failed":
            self._show(found.value.task, found.value.data, found.value)
        else:
            said = {"problem" if found.status == "failed" else "coming": found.note}
            self._show(task, said)
        self._parts.body.pending = found.pending if found.status == "outdated" else ""

    def _task_now(self) -> DecodingTask | None:
        """Return the decoding task; None for an encoder-only model, which fills in blanks."""
        state = self.state
        if not state.scenario.settings.decoder_layers:
            return None
        return decoding_task(state.scenario, state.runner, state.decode)

    def _show(
        self, task: DecodingTask | None, data: dict[str, Any], written: _Written | None = None
    ) -> None:
        """Show the settings of a task and its results."""
        assert self._parts is not None
        ways, form, body, limit = self._parts
        settings = self.state.decode
        self._task = task
        self._texts = [] if written is None else written.texts
        self._search = None if written is None else written.search
        writes = self.state.scenario.settings.decoder_layers > 0
        data = {"way": settings.method if writes else "blanks", **data}
        if ways.value != settings.method:
            form.errors = limit.errors = {}
        ways.value = settings.method
        own = [] if self._task is None else sections(settings.method, self._task)
        form.param.update(value=settings, sections=own)
        limit.param.update(
            value=settings, sections=[] if self._task is None else limits(self._task)
        )
        ways.visible, form.visible, limit.visible = writes, writes and bool(own), writes
        if self._search is None:
            body.param.update(data=data, value=None, refused="")
        else:
            detail = self._detail(self._search)
            body.param.update(data=data, detail=detail, value=detail["id"], refused="")
        self._follow()

    def _follow(self) -> None:
        """Go to the step that generates the token after the followed token, if any."""
        assert self._parts is not None
        followed = self.state.location.followed
        stack = "decoder" if self.state.scenario.settings.decoder_layers else "encoder"
        at = followed.position if followed is not None and followed.stack == stack else None
        self._parts.body.followed = at
        if at is None or self._search is None or self._task is None:
            return
        # Keep a branch that the user selected: it may be a different branch of the same step.
        step = at - len(self._task.prefix) + 1
        node = self._search.at_step(step)
        if node is not None and self._search.find(self._path).step != step:
            self._path = tuple(self._search.beam.path(node))
            self._select()

    def _select(self) -> None:
        assert self._parts is not None
        assert self._search is not None
        detail = self._detail(self._search)
        self._parts.body.param.update(detail=detail, value=detail["id"])

    def _detail(self, found: Search) -> NodeDetail:
        return found.detail(found.find(self._path))


class _Written(NamedTuple):
    """The result of a method: its task, data for the browser, and its texts or its beam search."""

    task: DecodingTask | None
    data: dict[str, Any]
    texts: Sequence[DecodedText] = ()  # the text of greedy decoding, or the samples
    search: Search | None = None


def _written(
    scenario: Scenario,
    runner: ForwardPassRunner,
    task: DecodingTask | None,
    settings: DecodingSettings,
    check: Check,
) -> _Written:
    """Decode with the selected method, or fill in the blanks; a ValueError explains a failure."""
    if task is None:
        filled = filling(scenario, runner, check)
        return _Written(None, {"fill": filled, "notes": filled["notes"]})
    task = dataclasses.replace(task, go_on=check)
    notes = {"notes": list(task.notes)}
    if settings.method == "comparison":
        return _Written(task, {"comparison": comparison(task), **notes})
    if settings.method == "greedy":
        texts = [greedy(task)]
        return _Written(task, {"greedy": texts[0], **notes}, texts)
    if settings.method == "sample":
        drawn = samples(task, settings)
        return _Written(task, {"sample": drawn, **notes}, drawn)
    found = search(task, settings)
    data = {"beam": found.to_dict(), "dropped": settings.show_dropped, **notes}
    return _Written(task, data, search=found)


def _cost(scenario: Scenario, task: DecodingTask | None, settings: DecodingSettings) -> Cost:
    """Return the cost of decoding; each token of each text takes one step.

    An encoder-only model reads its text once for each blank.
    """
    parameters = scenario.config.parameter_count()
    if task is None:
        passes = max(1, scenario.source.count(scenario.blank_token or ""))
        words = passes * len(scenario.source)
    else:
        texts: dict[str, int] = {"sample": sample_count(parameters), "beam": settings.beam_size}
        words = len(task.source or ()) + texts.get(settings.method, 1) * task.max_length
        words *= task.max_length if task.is_edited else 1  # each step reads the whole text
    return "cheap" if cost.fits_inline(max(parameters, STEP) * words) else "slow"


class _Parts(NamedTuple):
    """The components of the drawer, from top to bottom."""

    ways: DecodeWays
    form: DecodeForm
    body: Decode
    limit: DecodeForm  # the length limit

    @property
    def forms(self) -> tuple[DecodeForm, DecodeForm]:
        return self.form, self.limit


def _index(raw: Any, count: int) -> int | None:
    return raw if type(raw) is int and 0 <= raw < count else None
