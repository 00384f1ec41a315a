import asyncio
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tinkerformer.features.learn import own_data_view as train_on
from tinkerformer.features.learn.own_data_view import DATA, NOTHING, OWN, TrainOnView
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingState
from tinkerformer.model.scenario import model_names
from tinkerformer.session.offer import UNDO
from tinkerformer.session.session_json import SavedSession, from_json, to_json

from tests.app.learner import Learner, on_app, others, played, scripted, small

FRENCH = [
    ("the cat", "le chat"),
    ("the dog", "le chien"),
    ("a cat", "un chat"),
    ("a dog", "un chien"),
]
CREDIT = "CC-BY 2.0 (France)"
TABLE = "".join(f"{source}\t{target}\t{CREDIT}\n" for source, target in FRENCH)
LINES = "\n".join(f"the {a} {b}" for a in ("cat", "dog", "hen") for b in ("sits", "runs", "eats"))


async def come(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds, which threads fulfill."""
    for _ in range(60_000):
        if condition():
            return
        await asyncio.sleep(0.001)
    raise AssertionError("The condition never became true.")


class Dialog:
    """The dialog of a user, in which each message is answered by a sentence or by nothing."""

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.view = TrainOnView(learner.page, learner.session)
        self.view.show(True)
        self.control = self.view.component
        self.answers: list[dict[str, Any]] = []
        self.control.connect(self.answers.append)

    async def send(self, **message: Any) -> str:
        """Send a message, and return the sentence of its answer, empty if there is none."""
        count = len(self.answers)
        self.control.receive({"id": count, **message})
        await come(lambda: len(self.answers) > count)
        return self.answers[-1].get("problem", "")

    async def ask(self) -> str:
        return await self.send(type="ask")

    async def read(self, text: str | bytes, row: int | None = None, name: str = "") -> str:
        data = text.encode() if isinstance(text, str) else text
        await self.send(type="part", name=name, bytes=data, first=True)
        return await self.send(type="open", row=row)

    async def press(self, name: str) -> str:
        return await self.send(type="press", name=name)

    async def choose(self, name: str, value: str) -> str:
        return await self.send(type="choose", name=name, value=value)

    async def train(self) -> str:
        """Begin a training run, and pause it after some steps."""
        problem = await self.send(type="train")
        if not problem:
            session = self.learner.session
            await come(lambda: session.run is not None and session.run.step >= 3)
            await session.pause()
            await come(lambda: not others())
        return problem

    @property
    def draft(self) -> dict[str, Any]:
        return self.control.draft


def play(script: Any, scenario: Any = None) -> None:
    """Run a script with the dialog on the page of a model, by default the phrases."""

    async def begin(learner: Learner) -> None:
        dialog = Dialog(learner)
        await come(lambda: not others())
        await script(dialog)
        await come(lambda: not others())

    played(begin, on_app(catalog.first("phrases") if scenario is None else scenario))


MODELS = (*model_names.TRAINED, model_names.SANDBOX, model_names.PAPER, model_names.TABLE)


@pytest.mark.parametrize("name", MODELS)
def test_every_model_has_the_choice_of_data(name: str) -> None:
    async def script(dialog: Dialog) -> None:
        control = dialog.control
        is_learned = name in model_names.TRAINED
        assert control.options == [*DATA, *([] if is_learned else [NOTHING])]
        assert control.value == (name if is_learned else "")
        assert bool(control.note) is is_learned
        is_of_one_stack = name in ("next-word", "blanks")
        assert control.own == f"your own {'texts' if is_of_one_stack else 'pairs'}…"
        assert not await dialog.ask()
        kinds = {"next-word": "own-next-word", "blanks": "own-blanks"}
        assert dialog.draft["learned"] == kinds.get(name, "own")
        assert (dialog.draft["rows"], dialog.draft["report"]) == ([], [])

    play(script, catalog.first(name))


@pytest.mark.parametrize("model", ["dates", "phrases"])
def test_the_report_states_how_rows_are_split_unless_the_user_chose_it(model: str) -> None:
    async def script(dialog: Dialog) -> None:
        await dialog.ask()
        assert not await dialog.read("Go!\tVa !\nRun!\tCours !\nBe nice.\tSois gentil.\n", row=0)
        assert dialog.draft["unit"] == "character"
        said = dialog.draft["report"][1]
        assert said.startswith("Each character is a token, as most sources are one word")
        await dialog.choose("unit", "word")
        assert not any("is a token" in each for each in dialog.draft["report"])

    play(script, catalog.first(model))


@scripted(play)
async def test_pasted_pairs_are_reported_and_trained(dialog: Dialog) -> None:
    before = dialog.learner.scenario
    await dialog.ask()
    assert not await dialog.read(TABLE + "alone\n", row=0)
    draft = dialog.draft
    assert draft["rows"] == [list(pair) for pair in FRENCH]
    assert draft["columns"] == ["source", "target"]
    assert draft["report"] == [
        "4 pairs with 4 and 4 different words.",
        "Each word is a token, as half of the sources or more have several "
        "words; choose otherwise beside “by”.",
        f"Read as tab-separated; without column 3 (“{CREDIT[:16]}…”).",
        "Longest (2 and 2 words): “the cat” → “le chat”.",
        "First: “the cat” → “le chat”; “the dog” → “le chien”; “a cat” → “un chat”.",
        "Skipped 1 line. Line 5 has 1 column and needs 3: a source, a tab and its target.",
        "3 pairs to learn from; unseen: “a dog” → “un chien”.",
    ]
    assert (draft["train"], draft["problem"]) == ("Train on these 4 pairs", "")
    assert dialog.learner.scenario == before
    page = dialog.learner.page
    page.change(before.with_view("pace", "fast"))
    assert not await dialog.train()
    scenario = dialog.learner.scenario
    assert (scenario.model, scenario.data.unit) == (model_names.OWN, "word")
    pairs = scenario.data.pairs()
    (unseen,) = pairs.held_out_source
    assert pairs.source_tokenizer.decode(unseen) == "a dog"
    assert scenario.view.pace == "fast"
    assert scenario.steps_taken >= 3
    assert dialog.learner.session.state is TrainingState.PAUSED
    assert page.offer.what == UNDO
    about = f"A new model of {scenario.config.parameter_count():,} parameters learns them in "
    assert draft["about"].startswith(about)
    assert dialog.control.options[-1] == ["own", OWN["own"]]
    assert "3 pairs of your own to learn from, 1 unseen" in dialog.control.note


@scripted(play, small)
async def test_the_data_of_the_model_are_in_the_table_when_it_opens_again(dialog: Dialog) -> None:
    await dialog.ask()
    assert dialog.draft["rows"][0] == ["aa", "aa"]
    assert (dialog.draft["count"], dialog.draft["unit"]) == (16, "character")
    assert dialog.draft["report"][1] == "Read as the data of this model."
    await dialog.send(type="edit", row=0, column=1, text="xy")
    await dialog.ask()  # open it again
    assert dialog.draft["rows"][0] == ["aa", "xy"]


@scripted(play)
async def test_a_table_can_be_typed_and_changed_and_restored(dialog: Dialog) -> None:
    await dialog.ask()
    for row, pair in enumerate(FRENCH):
        for column, text in enumerate(pair):
            assert not await dialog.send(type="edit", row=row, column=column, text=text)
    assert dialog.draft["report"][0] == "4 pairs with 4 and 4 different words."
    await dialog.press("swap")
    assert dialog.draft["rows"][0] == ["le chat", "the cat"]
    await dialog.press("undo")
    assert dialog.draft["rows"][0] == ["the cat", "le chat"]
    await dialog.send(type="remove", row=0)
    await dialog.choose("unit", "character")
    assert (dialog.draft["count"], dialog.draft["unit"]) == (3, "character")
    await dialog.press("clear")
    assert dialog.draft["rows"] == []
    for rows in (3, 3, 4, 4):
        assert dialog.draft["can_undo"]
        await dialog.press("undo")
        assert dialog.draft["count"] == rows
    while dialog.draft["can_undo"]:
        await dialog.press("undo")
    assert dialog.draft["rows"] == []
    await dialog.press("undo")
    assert dialog.draft["rows"] == []


@scripted(play)
async def test_a_refused_input_changes_neither_the_table_nor_the_page(dialog: Dialog) -> None:
    before = dialog.learner.scenario
    assert await dialog.train() == "There is nothing to learn yet: paste or type rows."
    await dialog.read(TABLE)
    assert await dialog.read("alone\n") == (
        "Line 1 has 1 column and needs 2: a source, a comma and its target."
    )
    assert (await dialog.read(b"PK\3\4")).startswith("The file is a zip archive: unpack it ")
    for message in (
        {"type": "edit", "row": 9, "column": 0, "text": "x"},
        {"type": "edit", "row": 0, "column": 5, "text": "x"},
    ):
        assert await dialog.send(**message) == "There is no such cell in the table."
    for name, value in (("learned", "phrases"), ("unit", "letter")):
        assert await dialog.choose(name, value) == "There is no such choice."
    assert dialog.draft["rows"] == [list(pair) for pair in FRENCH]
    await dialog.read("a,b\na,c\n")
    assert dialog.draft["problem"].startswith("There is only one source; two different ones ")
    assert (await dialog.train()).startswith("There is only one source")
    await dialog.read("a,b\n")
    assert dialog.draft["train"] == "Train on this pair"
    assert dialog.learner.scenario == before
    assert dialog.learner.session.run is None


@scripted(play)
async def test_the_problem_states_the_reason_if_no_row_can_be_learned(dialog: Dialog) -> None:
    await dialog.read(f"{'w ' * 401}\tx y\n" * 2)
    problem = (
        "Skipped 2 lines. The source of line 1 has 401 words; at most 64 are read. "
        "(1 more like this.)"
    )
    assert dialog.draft["problem"] == problem
    assert problem not in dialog.draft["report"]
    assert await dialog.train() == problem


@pytest.mark.parametrize(("count", "is_named"), [(2, True), (19, True), (20, False)])
@pytest.mark.parametrize("learned", ["own", "own-next-word"])
@scripted(play)
async def test_a_single_unseen_row_is_named(
    dialog: Dialog, learned: str, count: int, is_named: bool
) -> None:
    await dialog.choose("learned", learned)
    await dialog.read("".join(f"the cat{n},le chat{n}\n" for n in range(count)))
    assert dialog.draft["problem"] == ""
    assert any("unseen: “the cat" in said for said in dialog.draft["report"]) == is_named
    await dialog.train()
    assert (len(dialog.learner.scenario.data.pairs().held_out_source) == 1) == is_named


@scripted(play)
async def test_rows_that_cannot_be_learned_are_marked(dialog: Dialog) -> None:
    await dialog.read(TABLE)
    await dialog.send(type="edit", row=4, column=0, text="one side")
    assert dialog.draft["faults"] == {"4": "The target of row 5 is empty."}
    assert dialog.draft["train"] == "Train on these 4 pairs"
    await dialog.send(type="edit", row=4, column=1, text="other")
    assert dialog.draft["faults"] == {}


@scripted(play)
async def test_with_too_many_words_the_most_frequent_are_suggested(dialog: Dialog) -> None:
    await dialog.read("".join(f"the w{n},x y\n" for n in range(5_050)))
    draft = dialog.draft
    assert draft["problem"].startswith("The sources have 5,051 different words; at most 5,000")
    assert draft["frequent"] == "Keep the 5,000 most frequent words"
    assert (len(draft["rows"]), draft["count"]) == (train_on.SHOWN, 5_050)
    assert (await dialog.train()).startswith("The sources have 5,051 different words")
    await dialog.press("frequent")
    assert (dialog.draft["problem"], dialog.draft["frequent"]) == ("", "")
    assert dialog.draft["train"] == "Train on these 4,999 pairs"


@scripted(play)
async def test_another_encoding_can_be_chosen_if_several_are_possible(dialog: Dialog) -> None:
    await dialog.read(TABLE, name="t.tsv")
    assert dialog.draft["encoding"] == ""
    await dialog.read("hello,привет\nyes,да\n".encode("cp1251"), name="t.csv")
    assert dialog.draft["encoding"] == "cp1252"
    assert "Windows-1252" in dialog.draft["report"][2]
    await dialog.choose("encoding", "cp1251")
    assert dialog.draft["rows"][0] == ["hello", "привет"]
    assert dialog.draft["encoding"] == "cp1251"


@pytest.mark.parametrize("unit", ["word", "character"])
@pytest.mark.parametrize(
    ("name", "kind"), [("own-next-word", "decoder-only"), ("own-blanks", "encoder-only")]
)
@scripted(play, lambda: catalog.first("next-word").with_view("pace", "full"))
async def test_own_texts_are_learned_by_a_model_of_one_stack(
    dialog: Dialog, name: str, kind: str, unit: str
) -> None:
    learner = dialog.learner
    await dialog.choose("learned", name)
    await dialog.read(LINES)
    await dialog.choose("unit", unit)
    assert dialog.draft["train"] == "Train on these 9 texts"
    await dialog.train()
    scenario = learner.scenario
    assert (dialog.control.value, scenario.config.kind) == (name, kind)
    assert "8 texts of your own to learn from, 1 unseen" in dialog.control.note
    assert np.isfinite(learner.session.run.metrics.loss).all()
    # A link has the texts, the kind of task, and the weights.
    kept = from_json(to_json(SavedSession(scenario), with_weights=True)).scenario
    assert kept.data == scenario.data
    for path, array in scenario.weights.arrays.items():
        np.testing.assert_array_equal(kept.weights.arrays[path], array)


@scripted(play)
async def test_choosing_other_data_opens_another_model_and_offers_undo(dialog: Dialog) -> None:
    page, before = dialog.learner.page, dialog.learner.scenario
    dialog.control.accept("value", "dates")
    assert (page.scenario.model, dialog.control.value) == ("dates", "dates")
    assert page.offer.what == UNDO
    assert f"{page.scenario.config.parameter_count():,}" in page.offer.text
    dialog.control.accept("value", "own")  # there are no own data
    assert page.scenario.model == "dates"
    page.undo()
    assert (page.scenario, dialog.control.value) == (before, "phrases")


@scripted(play)
async def test_files_open_the_dialog(dialog: Dialog) -> None:
    later = dialog.view.opening({"my.tsv": TABLE.encode()})
    later.take(later.make())
    assert dialog.control.wanted
    await dialog.ask()
    assert (dialog.control.wanted, dialog.draft["count"]) == (False, 4)
    with pytest.raises(ValueError, match="no text"):
        dialog.view.opening({"my.png": bytes(range(128)) * 9}).make()


@scripted(play)
async def test_in_a_locked_page_the_choice_changes_nothing(dialog: Dialog) -> None:
    dialog.control.disabled = True
    before = dialog.learner.scenario
    dialog.control.accept("value", "dates")
    dialog.control.receive({"type": "ask", "id": 1})
    await come(lambda: not others())
    assert (dialog.answers, dialog.learner.scenario) == ([], before)
