"""Shows the state's notices and offers as a sentence over the open view."""

from typing import Any

from ...model.scenario.model_names import FILE
from ...session.offer import AFRESH, UNDO
from ...session.state import AppState
from .notice import Notice

READING_SECONDS = 30.0

BUTTONS = {AFRESH: "Start afresh", UNDO: "Undo"}


class NoticeView:
    """Shows the current notice or offer, and carries out the offer when its button is pressed."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self._offered = state.clock()
        self.notice = Notice(on_press=self._on_press)
        weights = state.scenario.weights
        if state.scenario.model == FILE and weights is not None and weights.about:
            self.notice.say(weights.about)  # a program opened the page with a model file
        state.watch(self._on_notice, "notice", only_changed=False)
        state.watch(self._on_offer, "offer")
        state.watch(self._on_scenario, "scenario")

    def _on_notice(self, event: Any) -> None:
        if event.new:
            self.state.offer = None  # only one sentence is shown at a time
        if event.new or self.state.offer is None:
            self.notice.say(event.new)

    def _on_offer(self, event: Any) -> None:
        if event.new is None:
            self.notice.say("")
        else:
            self._offered = self.state.clock()
            self.notice.say(event.new.text, BUTTONS[event.new.what])

    def _on_scenario(self, _event: Any) -> None:
        """Withdraw the offer after a change, because Undo would now undo something else.

        The offer to start afresh stays valid, and visible until a returning user has had time to
        read it.
        """
        offer = self.state.offer
        is_new = self.state.clock() - self._offered < READING_SECONDS
        if offer is not None and not (offer.what == AFRESH and is_new):
            self.state.offer = None

    def _on_press(self) -> None:
        offer, self.state.offer = self.state.offer, None
        if offer is not None:
            {AFRESH: self.state.snapshots.start_afresh, UNDO: self.state.undo}[offer.what]()
