"""Shows the token lists of source and target, and the panel with the target vocabulary."""

from typing import Any, NamedTuple

from ...components.component import changes
from ...explain import sequence_notes as notes
from ...explain.row_names import row_names
from ...explain.units import in_units
from ...model.inference.new_text import with_new_text
from ...model.inference.text import can_be_typed, data_of, read_side, with_right_word
from ...model.matrices.attention import of_row
from ...model.scenario.known_words import known_words
from ...model.scenario.limits import MAX_TOKEN_LENGTH, MAX_TOKENS
from ...model.scenario.scenario import Scenario
from ...model.scenario.task_words import task_words
from ...model.scenario.vocabulary import Side
from ...session.state import AppState
from ...typed_text import quoted
from ...view_model.focus import Followed
from ...view_model.marks import PREDICTED, SIDES, target_row
from ...view_model.sentence import Predicted
from ...view_model.verdict import Verdict
from .tokens import Tokens

# Headings of the lists, each with its tip. The picture has the same words at its rows.
_READS = "reads", "What the model is given to read."
_WRITES = "writes", "What the model writes, each word after the words before it."
_ALSO_READS = (
    "also reads",
    "What you give the decoder to read, as in training. The word that it would write after each "
    "is at the right end of its row in the picture.",
)

_PREDICTS = "writes", "The likeliest word of the row, with its probability."

MAX_KNOWN = 300  # largest vocabulary that is sent to the browser


class TokensView:
    """The words of each token list; each edit creates a new scenario immediately."""

    def __init__(self, state: AppState) -> None:
        self.state = state
        self._key: object = None  # identifies the lists that are shown
        lists = _lists(state)
        self.tokens = Tokens(lists=lists[:3])
        self.answers = Tokens(lists=lists[3:], layout="column")
        self.answers.param.watch(self._on_tokens, "value")
        self.tokens.param.watch(self._on_tokens, "value")
        self.tokens.on_another(lambda _name: self._read_another())
        self.tokens.on_restore(lambda _name: self._restore())
        self.tokens.param.watch(self._on_word, "chosen")
        self.tokens.param.watch(self._on_writing, "writing")
        self.tokens.on_look(self._on_look)
        moving = ["held", "oscillation", "before_experiment"]
        state.watch_calmly(self._fill, ["scenario", "covered", "to_read", "decode", *moving])
        state.watch(self._mark, "location")
        state.watch(self._fill, "position")
        self._fill()

    def _fill(self, *_: Any) -> None:
        scenario, sentence = self.state.scenario, self.state.view_model.sentence
        predicted = sentence.predicted
        key = scenario.structure_key, sentence.verdict, sentence.moves, predicted and predicted[:2]
        if key != self._key:
            self._key = key
            self._fill_lists()
        written = {}
        if scenario.writes_itself:
            names = ("probabilities", "changed", "end", "would")
            written = {"target": {name: getattr(sentence, name) for name in names}}
        elif predicted is not None:
            written = {PREDICTED: {"probabilities": [predicted.p]}}
        self.tokens.update_changed(written=written, numbers=scenario.view.token_numbers)
        self._mark()

    def _fill_lists(self) -> None:
        """Show the words, which do not depend on the computed numbers."""
        lists = _lists(self.state)
        for control, own in ((self.tokens, lists[:3]), (self.answers, lists[3:])):
            if own != [{**entry, "error": ""} for entry in control.lists]:
                control.lists = own
        words = {side: _words(self.state.scenario, side) for side in SIDES}
        self.tokens.update_changed(words=words)

    def _mark(self, *_: Any) -> None:
        """Mark the word in focus, the source word that it attends to most, and the asked word."""
        self.tokens.update_changed(marks=self.state.view_model.marks)

    def _on_tokens(self, event: Any) -> None:
        for name, tokens in changes(event).items():
            scenario = self.state.scenario
            if name == PREDICTED or tuple(tokens) == getattr(scenario, name):
                continue
            if name == "answers":
                new = scenario.with_answers(tokens)
            else:
                new = scenario.with_tokens("source" if name == "source" else "target", tokens)
                new = with_right_word(new)
            self.state.change(new, ("tokens", name))

    def _read_another(self) -> None:
        state, data = self.state, data_of(self.state.scenario)
        if data is None:
            return
        scenario = with_new_text(state.scenario, data.random_text(), state.runner)
        state.change(scenario, ("text", "random"))

    def _restore(self) -> None:
        """Undo overrides of computed numbers, and release all silenced parts."""
        self.state.change(self.state.scenario.without_overrides(), ("release_all",))

    def _on_writing(self, event: Any) -> None:
        scenario = self.state.scenario
        writes = event.new.get("target", False)
        if writes != scenario.writes_itself:
            self.state.change(scenario.with_writing(writes))

    def _on_look(self, name: str, at: int) -> None:
        """Follow a clicked token through the model, or stop following it."""
        scenario, state = self.state.scenario, self.state
        if name == "source" and 0 <= at < len(scenario.source):
            lane = Followed("encoder", at)
        elif name == "target" and 0 <= target_row(scenario, at) < len(scenario.target):
            lane = Followed("decoder", target_row(scenario, at))
        elif name == PREDICTED:
            stack = "decoder" if scenario.settings.has_decoder else "encoder"
            lane = Followed(stack, state.position)
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


class _OneList(NamedTuple):
    """The properties in which the lists differ."""

    name: str
    label: str
    title: str
    tip: str
    tokens: tuple[str, ...]
    used: bool
    note: str
    known: list[str]
    row: int | None = None  # the row whose prediction the list shows


def _each_list(scenario: Scenario, predicted: Predicted | None) -> tuple[_OneList, ...]:
    others = [t or "∅" for t in dict.fromkeys(scenario.target) if t not in scenario.answers]
    from_target = f"and from the target: {', '.join(others)}" if others else ""
    encoder, decoder = scenario.settings.has_encoder, scenario.settings.has_decoder
    of_text = scenario.vocabulary.of_text
    title, tip = _WRITES if scenario.writes_itself else _ALSO_READS if encoder else _READS
    source, target = _known(scenario, "source"), _known(scenario, "target")
    length, struck = notes.length_note(scenario), notes.struck_note(scenario)
    given = from_target if of_text else ""
    return (
        _OneList("source", "Source", *_READS, scenario.source, encoder, length, source),
        _OneList("target", "Target", title, tip, scenario.target, decoder, struck, target),
        _prediction(scenario, predicted),
        _OneList(
            *("answers", "Target vocabulary", "", ""),
            *(scenario.answers, decoder and of_text, given, []),
        ),
    )


def _prediction(scenario: Scenario, predicted: Predicted | None) -> _OneList:
    """Return the list with the predicted word of a row; hidden if the model writes a sentence."""
    if predicted is None:
        return _OneList(PREDICTED, "Prediction", *_PREDICTS, (), False, "", [])
    row, word, _ = predicted
    name = row_names(scenario)[row]
    return _OneList(PREDICTED, "Prediction", *_PREDICTS, (word,), True, name, [], row)


def _lists(state: AppState) -> list[dict[str, Any]]:
    scenario, sentence = state.scenario, state.view_model.sentence
    vocabulary, own = scenario.vocabulary, scenario.own_vocabulary
    longest, judged = MAX_TOKEN_LENGTH, sentence.verdict._asdict()
    unjudged = Verdict()._asdict()
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
            **(judged if name == "target" else unjudged),
            "error": "",
            "hidden": not used,
            "choice": _next_word(scenario) if name == _asked_side(scenario) else None,
            "sequence": notes.sequence_ids(scenario, _side(name)) if name in SIDES else "",
            "ids": _ids(scenario, name),
            "unlearned": [] if own is None or not used else _unlearned(scenario, name),
            "another": _another(scenario) if name == read_side(scenario) else "",
            "can_write": name == "target" and scenario.can_write,
            "writes": scenario.writes_itself if name == "target" else row is not None,
            "row": row,
            "end": (name == "target" and vocabulary.end) or "",
            "title": title,
            "tip": in_units(scenario, tip),
            "can_follow": name != "answers",
            "is_learned": own is not None and name in SIDES,
            "is_closed": vocabulary.closed and name in SIDES,
            "moves": sentence.moves if name == "target" else "",
        }
        for name, label, title, tip, tokens, used, note, known, row in _each_list(
            scenario, sentence.predicted
        )
    ]


def _another(scenario: Scenario) -> str:
    """Return the label of the button that draws a new text; empty if none can be drawn."""
    data = data_of(scenario)
    if data is None or not can_be_typed(scenario):
        return ""
    return f"Another {task_words(data).text}"


def _words(scenario: Scenario, side: Side) -> list[list[Any]]:
    return [[group.label, list(group.words)] for group in known_words(scenario, side)]


def _ids(scenario: Scenario, name: str) -> list[int]:
    if name not in SIDES:
        known = scenario.vocabulary
        tokens = scenario.answers if name == "answers" else ()
        return known.ids("target", tokens) if known.of_text else []
    return scenario.shown_ids(_side(name))


def _side(name: str) -> Side:
    return "source" if name == "source" else "target"


def _unlearned(scenario: Scenario, name: str) -> list[str]:
    own, side = scenario.own_vocabulary, _side(name)
    return [] if own is None else list(own.unlearned(side, getattr(scenario, side)))


def _asked_side(scenario: Scenario) -> str:
    """Return the list with the choice of the right word: the target, or a source with a blank."""
    if scenario.settings.has_decoder:
        return "target"
    return "" if scenario.blank is None else "source"


def _next_word(scenario: Scenario) -> dict[str, Any]:
    """Return the choice of the word after the target or in the blank, which the loss uses."""
    words = scenario.output_vocabulary
    chosen, requested = scenario.next_token, scenario.expected
    is_gone = chosen != requested and requested != Scenario().expected
    now = quoted(chosen)
    note = f"The words no longer include {quoted(requested)}; the word is now {now}."
    # The label names its row, because the page may show the prediction of another row.
    last = f"{row_names(scenario)[-1]} should come"
    return {
        "label": last if scenario.blank is None else "belongs in the blank",
        "value": chosen,
        "options": list(words) if len(words) <= MAX_KNOWN else [],
        "note": note if is_gone else "",
    }


def _known(scenario: Scenario, side: Side) -> list[str]:
    """Return the tokens that a list accepts; empty if any token is accepted, or too many are."""
    vocabulary = scenario.vocabulary
    tokens = vocabulary.tokens(side) if vocabulary.closed else ()
    return list(tokens) if len(tokens) <= MAX_KNOWN else []
