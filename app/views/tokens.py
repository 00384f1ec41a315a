"""The token lists of source and target, and the panel with the target vocabulary."""

from __future__ import annotations

import math
from typing import Any

from ..components.component import changes
from ..components.tokens.tokens import Tokens
from ..explain import looking, silence
from ..explain import sequence_notes as notes
from ..inference.forward_pass import ForwardPassRunner
from ..inference.right_text import known_right_text, verdict
from ..inference.text import (
    can_be_typed,
    can_translate,
    data_of,
    read_side,
    text_of,
    translation,
    with_right_word,
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
from ..matrices.attention import of_row
from ..matrices.telling_word import most_read
from ..scenario.known_words import known_words
from ..scenario.limits import MAX_TOKEN_LENGTH, MAX_TOKENS
from ..scenario.scenario import Scenario
from ..scenario.vocabulary import Side
from ..session.state import AppState
from ..typed_text import quoted
from ..view_model.focus import Followed
from ..view_model.last_edit import comparable
from ..view_model.sentence import Motion, let_go_writes

SIDES: tuple[Side, ...] = ("source", "target")
# What the data consist of.
TEXTS = {
    "phrases": "sentence",
    "dates": "date",
    "next-word": "beginning",
    "blanks": "sentence",
    "own": "text",
    "own-next-word": "beginning",
    "own-blanks": "text",
}
# What stands in the place of a verdict where the data have no answer, and why they have none.
JUDGED = {"unjudged": "", "unjudged_why": ""}
UNJUDGED = {
    "phrases": ("no known translation", "The grammar of the phrases cannot translate this."),
    "dates": ("no such date", "There is nothing to compare it with."),
    "own": ("no known answer", "The pairs of this model have no answer to this."),
}
LONGEST_PART = 24  # letters of a part that is named on a button
MAX_KNOWN = 300  # largest vocabulary that is sent to the browser


class TokensView:
    """The words of each list of tokens; each edit makes a new scenario immediately."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self._plain_runner = ForwardPassRunner(beside=state.runner)  # for passes without dropout
        self._key: object = None  # of the lists that are shown
        self._ended: tuple[str, ...] = ()  # the last written sentence
        self._is_finished = False  # whether the model ended it
        lists = _lists(state, self._finishes())
        self.tokens = Tokens(lists=lists[:2])
        self.answers = Tokens(lists=lists[2:], layout="column")
        self.answers.param.watch(self._on_tokens, "value")
        self.tokens.param.watch(self._on_tokens, "value")
        self.tokens.on_another(lambda _name: self._read_another())
        self.tokens.on_restore(lambda _name: self._restore())
        self.tokens.param.watch(self._on_word, "chosen")
        self.tokens.param.watch(self._on_writing, "writing")
        self.tokens.on_look(self._on_look)
        moving = ["held", "oscillation", "before_experiment"]
        state.watch_calmly(self._fill, ["scenario", "covered", "decode", *moving])
        state.param.watch(self._mark, ["location", "position"])
        self._fill()

    def _fill(self, *_: Any) -> None:
        scenario, finished = self.state.scenario, self._finishes()
        key = scenario.structure_key, finished, _motion(self.state), _restores(self.state)
        if key != self._key:
            self._key = key
            self._fill_lists(finished)
        written = _written(self.state, finished) if scenario.writes_itself else {}
        self.tokens.update_changed(written=written, numbers=scenario.view.token_numbers)
        self._mark()

    def _fill_lists(self, finished: bool) -> None:
        """Show the words, which do not depend on the numbers of the pass."""
        lists = _lists(self.state, finished)
        for control, own in ((self.tokens, lists[:2]), (self.answers, lists[2:])):
            if own != [{**entry, "error": ""} for entry in control.lists]:
                control.lists = own
        words = {side: _words(self.state.scenario, side) for side in SIDES}
        self.tokens.update_changed(words=words)

    def _finishes(self) -> bool:
        """Whether the model ended the sentence when it wrote it.

        While numbers move, and with dropout, its last row may say something else.
        """
        state, scenario = self.state, self.state.scenario
        if not scenario.writes_itself:
            return False
        is_waiting = state.held or state.learning
        if not (is_waiting and scenario.target == self._ended):
            self._ended = scenario.target
            plain = scenario.with_training(False)
            runner = self._plain_runner if scenario.training else state.runner
            try:
                self._is_finished = predicts_end(plain, runner)
            except ValueError:  # numbers so large that decoding fails
                self._is_finished = False
        return self._is_finished

    def _mark(self, *_: Any) -> None:
        """Mark the word in focus, the word that it reads most, and the one with bars."""
        self.tokens.update_changed(marks=_marks(self.state))

    def _on_tokens(self, event: Any) -> None:
        for name, tokens in changes(event).items():
            scenario = self.state.scenario
            if tuple(tokens) == getattr(scenario, name):
                continue
            if name == "answers":
                new = scenario.with_answers(tokens)
            else:
                new = scenario.with_tokens("source" if name == "source" else "target", tokens)
                new = with_right_word(new)
            self.state.change(new, ("tokens", name))

    def _read_another(self) -> None:
        """Load a random text from the training data."""
        state, data = self.state, data_of(self.state.scenario)
        if data is None:
            return
        scenario = with_text(state.scenario, data.random_text())
        if not scenario.writes_itself and scenario.config.kind == "encoder-decoder":
            answer = translation(scenario, state.runner.model(scenario))
            scenario = with_translation(scenario, answer)
        state.change(scenario, ("text", "random"))

    def _restore(self) -> None:
        """Undo what was set of the computed numbers, and what was silenced."""
        self.state.change(self.state.scenario.without_overrides(), ("release_all",))

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
        elif name == "target" and 0 < at <= len(scenario.target):
            lane = Followed("decoder", at - 1)
        else:
            return
        focus = state.attention_focus
        if focus is not None:
            row = of_row(state.trace, *lane)
            if row is not None and not focus.scope.startswith(f"{lane.stack}."):
                state.attention_focus = row
            else:
                state.attention_focus = focus._replace(query=lane.position)
        state.follow(None if state.location.followed == lane else list(lane))

    def _on_word(self, event: Any) -> None:
        for word in changes(event).values():
            if word != self.state.scenario.next_token:
                self.state.change(self.state.scenario.with_expected(word))


def _lists(state: AppState, finished: bool) -> list[dict[str, Any]]:
    scenario = state.scenario
    others = [t or "∅" for t in dict.fromkeys(scenario.target) if t not in scenario.answers]
    from_target = f"and from the target: {', '.join(others)}" if others else ""
    encoder, decoder = scenario.settings.encoder_layers, scenario.settings.decoder_layers
    vocabulary, own = scenario.vocabulary, scenario.own_vocabulary
    longest, right = MAX_TOKEN_LENGTH, _verdict(scenario, finished)
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
            "verdict": right if name == "target" else "",
            "in_full": _in_full(scenario) if name == "target" and right[:1] == "✗" else "",
            **(_unjudged(scenario) if name == "target" and not right else JUDGED),
            "restores": _restores(state) if name == "target" and right[:1] == "✗" else "",
            "error": "",
            "hidden": not used,
            "choice": _next_word(scenario) if name == _asked_side(scenario) else None,
            "sequence": "" if name == "answers" else notes.sequence_ids(scenario, _side(name)),
            "ids": _ids(scenario, name),
            "unlearned": [] if own is None or not used else _unlearned(scenario, name),
            "another": _another(scenario) if name == read_side(scenario) else "",
            "can_write": name == "target" and scenario.can_write,
            "writes": name == "target" and scenario.writes_itself,
            "end": (name == "target" and vocabulary.end) or "",
            "title": title,
            "can_follow": name != "answers",
            "is_learned": own is not None and name != "answers",
            "is_closed": vocabulary.closed and name != "answers",
            "moves": _motion(state).reason(scenario)
            if name == "target" and scenario.writes_itself
            else "",
        }
        for name, label, title, tokens, used, note, known in (
            (
                "source",
                "Source",
                "reads",
                scenario.source,
                encoder,
                notes.length_note(scenario),
                _known(scenario, "source"),
            ),
            (
                "target",
                "Target",
                "writes" if scenario.writes_itself else "" if encoder else "reads",
                scenario.target,
                decoder,
                notes.dropout_note(scenario),
                _known(scenario, "target"),
            ),
            (
                "answers",
                "Target vocabulary",
                "",
                scenario.answers,
                decoder and vocabulary.of_text,
                from_target if vocabulary.of_text else "",
                [],
            ),
        )
    ]


def _verdict(scenario: Scenario, finished: bool) -> str:
    """Whether the model's output is right, if that is known."""
    right = known_right_text(scenario) if scenario.writes_itself else None
    return verdict(scenario, right, scenario.target, finished)


def _in_full(scenario: Scenario) -> str:
    return f"✗ should be: {known_right_text(scenario)}"


def _unjudged(scenario: Scenario) -> dict[str, str]:
    """That what the model writes cannot be judged, and why; empty where nothing would judge it."""
    data = data_of(scenario) if scenario.writes_itself and can_translate(scenario) else None
    if data is None or data.name not in UNJUDGED:
        return JUDGED
    said, why = UNJUDGED[data.name]
    try:
        if data.answers(text_of(scenario)):
            return JUDGED
    except ValueError as error:
        why = f"{why} {error}"
    return {"unjudged": said, "unjudged_why": why}


def _restores(state: AppState) -> str:
    """How to undo what makes the model write something else than its weights do.

    Empty where nothing does.
    """
    scenario = state.scenario
    computed = {
        path: values
        for path, values in scenario.overrides().items()
        if not scenario.is_parameter(path)
    }
    numbers, silences = sum(map(len, computed.values())), scenario.silences
    if not silences and looking.are_rows(state.trace, computed):
        return "Let it look everywhere again"
    if not numbers and silences:
        one = silence.label(scenario, silences[0])
        is_short = len(silences) == 1 and one != "all" and len(one) <= LONGEST_PART
        count = "the silenced part" if len(silences) == 1 else f"{len(silences):,} silenced parts"
        return f"Restore {one if is_short else count}"
    said = []
    if numbers:
        said.append("1 number" if numbers == 1 else f"{numbers:,} numbers")
    if silences:
        said.append(
            "1 silenced part" if len(silences) == 1 else f"{len(silences):,} silenced parts"
        )
    return f"Restore {' and '.join(said)}" if said else ""


def _another(scenario: Scenario) -> str:
    """The label of the button that draws another text; empty if none can be drawn."""
    data = data_of(scenario)
    if data is None or not can_be_typed(scenario):
        return ""
    return f"Another {TEXTS[data.name]}"


def _motion(state: AppState) -> Motion:
    tries = state.experiment.is_running
    return Motion(state.held, state.oscillation.on, state.learning, tries)


def _words(scenario: Scenario, side: Side) -> list[list[Any]]:
    return [[group.label, list(group.words)] for group in known_words(scenario, side)]


def _marks(state: AppState) -> dict[str, dict[str, Any]]:
    """The positions of the words that stand out in each list."""
    scenario, followed = state.scenario, state.location.followed
    focus: dict[str, int | None] = dict.fromkeys(SIDES)
    if followed is not None and followed.stack == "encoder":
        focus["source"] = followed.position
    elif followed is not None:
        focus["target"] = _written_at(scenario, followed.position)
        focus["source"] = most_read(state.trace, followed.position)
    has_decoder = bool(scenario.settings.decoder_layers)
    asked = {
        "source": None if has_decoder else state.position,
        "target": _written_at(scenario, state.position) if has_decoder else None,
    }
    stacks = {"source": "encoder", "target": "decoder"}
    return {
        side: {
            "focus": focus[side],
            "followed": followed is not None and followed.stack == stacks[side],
            "asked": asked[side],
        }
        for side in SIDES
    }


def _written_at(scenario: Scenario, row: int) -> int:
    """The position of the word that a row of the decoder writes; a typed target has no end."""
    return row + 1 if scenario.writes_itself else min(row + 1, len(scenario.target) - 1)


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


def _written(state: AppState, finished: bool) -> dict[str, Any]:
    """The probabilities of the written words, and which words changed since the last edit."""
    scenario = state.scenario
    before = comparable(state.last_edit, scenario) or scenario
    new = changed_words(before.target, scenario.target)
    heat = state.decode.temperature
    numbers = word_probabilities(scenario, state.trace, heat)
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
    end = round(end_probability(scenario, state.trace, heat), 4) if finished else None
    would = let_go_writes(scenario, state.runner) if state.held else ""
    return {"target": {"probabilities": rounded, "changed": new, "end": end, "would": would}}


def _asked_side(scenario: Scenario) -> str:
    """The list beside which the right word is chosen: the target, or a source with a blank."""
    if scenario.settings.decoder_layers:
        return "target"
    return "" if scenario.blank is None else "source"


def _next_word(scenario: Scenario) -> dict[str, Any]:
    """The word that should follow the target or fill the blank, which the loss uses there."""
    words = scenario.output_vocabulary
    chosen, requested = scenario.next_token, scenario.expected
    is_gone = chosen != requested and requested != Scenario().expected
    now = quoted(chosen)
    note = f"{quoted(requested)} is not among the words any more; now it is {now}."
    return {
        "label": "should come next" if scenario.blank is None else "should stand in the blank",
        "value": chosen,
        "options": list(words) if len(words) <= MAX_KNOWN else [],
        "note": note if is_gone else "",
    }


def _known(scenario: Scenario, side: Side) -> list[str]:
    """The tokens that a list accepts; empty if it accepts any, or if they are too many to send."""
    vocabulary = scenario.vocabulary
    tokens = vocabulary.tokens(side) if vocabulary.closed else ()
    return list(tokens) if len(tokens) <= MAX_KNOWN else []
