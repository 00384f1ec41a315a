"""The token lists of source and target, and the panel with the target vocabulary."""

from __future__ import annotations

import math
from typing import Any

from ..components.component import changes
from ..components.tokens.tokens import Tokens
from ..explain import sequence_notes as notes
from ..inference.forward_pass import ForwardPassRunner
from ..inference.right_text import known_right_text, verdict
from ..inference.swinging_words import WrittenFrame, written_frames
from ..inference.text import (
    can_translate,
    data_of,
    translation,
    with_text,
    with_translation,
)
from ..inference.writing import predicts_end
from ..inference.written_words import (
    PROBABILITIES,
    changed_words,
    end_probability,
    word_probabilities,
)
from ..matrices.oscillation import swing_values
from ..scenario.limits import MAX_TOKEN_LENGTH, MAX_TOKENS
from ..scenario.scenario import Scenario
from ..scenario.vocabulary import Side
from ..session.page_location import Followed
from ..session.state import AppState
from ..typed_text import quoted

SWINGING_FRAMES = 61  # frames of half a period
MAX_SWINGING = 200_000  # largest model, in parameters, whose output follows an oscillation
MAX_KNOWN = 300  # largest vocabulary that is sent to the browser


class TokensView:
    """Chips for each list of tokens; each edit makes a new scenario immediately."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self.tokens = Tokens(lists=_lists(state)[:2])
        self.answers = Tokens(lists=_lists(state)[2:], layout="column")
        self.answers.param.watch(self._on_tokens, "value")
        self.tokens.param.watch(self._on_tokens, "value")
        self.tokens.on_another(lambda _name: self._read_another())
        self.tokens.param.watch(self._on_word, "chosen")
        self.tokens.param.watch(self._on_writing, "writing")
        self.tokens.on_look(self._on_look)
        state.watch_calmly(self._fill, ["scenario", "covered"])
        state.param.watch(self._swing, ["scenario", "oscillation"])
        self._swings = False
        self._fill(None)
        self._runner = ForwardPassRunner(beside=state.runner)

    def _swing(self, *_: Any) -> None:
        """Show the model's output at each frame of the oscillation."""
        frames = self._frames()
        if frames or self._swings:
            self._swings = bool(frames)
            scenario = self.state.scenario
            right = known_right_text(scenario)
            verdicts = [verdict(scenario, right, f.words, f.end is not None) for f in frames]
            shown = [(frame.words, frame.probabilities, frame.end) for frame in frames]
            self.tokens.swing("target", shown, verdicts)

    def _frames(self) -> list[WrittenFrame]:
        state, scenario, cell = self.state, self.state.scenario, self.state.cell
        is_swinging = state.oscillation.on and scenario.writes_itself and cell is not None
        if cell is None or not is_swinging:
            return []
        if scenario.config.parameter_count() > MAX_SWINGING:
            return []
        values = swing_values(cell, state.oscillation.amplitude, SWINGING_FRAMES).tolist()
        return written_frames(scenario, self._runner, cell.stored, cell.full, values)

    def _fill(self, _event: Any) -> None:
        lists = _lists(self.state)
        for control, own in ((self.tokens, lists[:2]), (self.answers, lists[2:])):
            if own != [{**entry, "error": ""} for entry in control.lists]:
                control.lists = own
        written = _written(self.state) if self.state.scenario.writes_itself else {}
        if written != self.tokens.written:
            self.tokens.written = written

    def _on_tokens(self, event: Any) -> None:
        for name, tokens in changes(event).items():
            scenario = self.state.scenario
            if tuple(tokens) == getattr(scenario, name):
                continue
            if name == "answers":
                new = scenario.with_answers(tokens)
            else:
                new = scenario.with_tokens("source" if name == "source" else "target", tokens)
            self.state.change(new, ("tokens", name))

    def _read_another(self) -> None:
        """Load a random text from the training data."""
        state, data = self.state, data_of(self.state.scenario)
        if data is None:
            return
        scenario = with_text(state.scenario, data.random_text())
        if not scenario.writes_itself:
            answer = translation(scenario, state.runner.model(scenario))
            scenario = with_translation(scenario, answer)
        state.change(scenario, ("text", "random"))

    def _on_writing(self, event: Any) -> None:
        scenario = self.state.scenario
        writes = event.new.get("target", False)
        if writes != scenario.writes_itself:
            self.state.change(scenario.with_writing(writes))

    def _on_look(self, name: str, at: int) -> None:
        """Toggle the lane of a clicked token, or the one that predicts a target token."""
        scenario, state = self.state.scenario, self.state
        if name == "source" and 0 <= at < len(scenario.source):
            lane = Followed("encoder", at)
            state.go("followed", None if state.location.followed == lane else list(lane))
        if name != "target" or not 0 < at <= len(scenario.target):
            return
        if state.attention_focus is not None:
            state.attention_focus = state.attention_focus._replace(query=at - 1)
        lane = Followed("decoder", at - 1)
        state.go("followed", None if state.location.followed == lane else list(lane))

    def _on_word(self, event: Any) -> None:
        for word in changes(event).values():
            if word != self.state.scenario.next_token:
                self.state.change(self.state.scenario.with_expected(word))


def _lists(state: AppState) -> list[dict[str, Any]]:
    scenario = state.scenario
    others = [t or "∅" for t in dict.fromkeys(scenario.target) if t not in scenario.answers]
    from_target = f"and from the target: {', '.join(others)}" if others else ""
    encoder, decoder = scenario.settings.encoder_layers, scenario.settings.decoder_layers
    vocabulary, own = scenario.vocabulary, scenario.own_vocabulary
    longest = MAX_TOKEN_LENGTH
    return [
        {
            "name": name,
            "label": label,
            "tokens": list(tokens),
            "limit": MAX_TOKENS,
            "longest": max(map(len, known)) if known else longest,
            "unit": vocabulary.unit,
            "known": known,
            "note": note,
            "verdict": _verdict(state) if name == "target" else "",
            "error": "",
            "hidden": not used,
            "choice": _next_word(scenario) if name == "target" else None,
            "sequence": "" if name == "answers" else notes.sequence_ids(scenario, _side(name)),
            "ids": _ids(scenario, name),
            "unlearned": [] if own is None or not used else _unlearned(scenario, name),
            "another": "another" if name == "source" and _has_others(scenario) else "",
            "can_write": name == "target" and scenario.can_write,
            "writes": name == "target" and scenario.writes_itself,
            "end": (name == "target" and vocabulary.end) or "",
        }
        for name, label, tokens, used, note, known in (
            (
                "source",
                "Source",
                scenario.source,
                encoder,
                notes.length_note(scenario),
                _known(scenario, "source"),
            ),
            (
                "target",
                "Target",
                scenario.target,
                decoder,
                notes.dropout_note(scenario),
                _known(scenario, "target"),
            ),
            (
                "answers",
                "Target vocabulary",
                scenario.answers,
                decoder and vocabulary.of_text,
                from_target if vocabulary.of_text else "",
                [],
            ),
        )
    ]


def _verdict(state: AppState) -> str:
    """Whether the model's output is right, if that is known."""
    scenario = state.scenario
    right = known_right_text(scenario) if scenario.writes_itself else None
    try:
        is_finished = right is not None and predicts_end(scenario, state.runner)
    except ValueError:  # numbers so large that decoding fails
        return ""
    return verdict(scenario, right, scenario.target, is_finished)


def _has_others(scenario: Scenario) -> bool:
    return can_translate(scenario) and data_of(scenario) is not None


def _ids(scenario: Scenario, name: str) -> list[int]:
    if name == "answers":
        known = scenario.vocabulary
        return known.ids("target", scenario.answers) if known.of_text else []
    return scenario.ids(_side(name))


def _side(name: str) -> Side:
    return "source" if name == "source" else "target"


def _unlearned(scenario: Scenario, name: str) -> list[str]:
    own, side = scenario.own_vocabulary, _side(name)
    return [] if own is None else list(own.unlearned(side, getattr(scenario, side)))


def _written(state: AppState) -> dict[str, Any]:
    """The probabilities of the written words, and which words changed since the last edit."""
    scenario, last = state.scenario, state.history.last
    new = [False] * len(scenario.target)
    if last is not None and last.model == scenario.model:
        new = changed_words(last.target, scenario.target)
    numbers = word_probabilities(scenario, state.trace)
    asked = {
        row
        for path, i, _, i2, _ in state.covered
        if path == PROBABILITIES
        for row in range(i, i2 + 1)
    }
    rounded = [
        None if p is None or not math.isfinite(p) or at - 1 in asked else round(p, 4)
        for at, p in enumerate(numbers)
    ]
    end = round(end_probability(scenario, state.trace), 4) if _is_finished(state) else None
    return {"target": {"probabilities": rounded, "changed": new, "end": end}}


def _is_finished(state: AppState) -> bool:
    """Whether the model ended its output; False if its numbers are too large to decode."""
    try:
        return predicts_end(state.scenario, state.runner)
    except ValueError:
        return False


def _next_word(scenario: Scenario) -> dict[str, Any]:
    """The word that should follow the target, which the loss uses at the last position."""
    words = scenario.target_vocabulary
    chosen, requested = scenario.next_token, scenario.expected
    is_gone = chosen != requested and requested != Scenario().expected
    now = quoted(chosen)
    note = f"{quoted(requested)} is not among the words any more; now it is {now}."
    return {
        "label": "should come next",
        "value": chosen,
        "options": list(words) if len(words) <= MAX_KNOWN else [],
        "note": note if is_gone else "",
    }


def _known(scenario: Scenario, side: Side) -> list[str]:
    """The tokens that a list accepts; empty if it accepts any, or if they are too many to send."""
    vocabulary = scenario.vocabulary
    tokens = vocabulary.tokens(side) if vocabulary.closed else ()
    return list(tokens) if len(tokens) <= MAX_KNOWN else []
