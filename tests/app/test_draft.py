import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tinkerformer.files import catalog
from tinkerformer.learning import TrainingPlan
from tinkerformer.learning.draft import LEAST_WORDS, Draft, data_of, too_many
from tinkerformer.model.scenario.training_data import TrainingData

PAIRS = [("the cat", "le chat"), ("a dog", "un chien"), ("a cat", "un chat")]
TABLE = "".join("\t".join(pair) + "\n" for pair in PAIRS).encode()


def rows(draft: Draft) -> list[tuple[str, ...]]:
    return [row.texts for row in draft.given.rows]


def pasted(text: bytes = TABLE, at: int | None = None, draft: Draft | None = None) -> Draft:
    return (draft or Draft.empty()).with_files({"": text}, at)


def test_a_pasted_table_replaces_rows_from_its_place_on() -> None:
    assert rows(pasted()) == rows(pasted(at=0)) == PAIRS
    two = b"e\tf\ng\th\n"
    first = pasted()
    assert rows(pasted(two, 1, first)) == [PAIRS[0], ("e", "f"), ("g", "h")]
    assert rows(pasted(two, 3, first)) == [*PAIRS, ("e", "f"), ("g", "h")]
    assert rows(pasted(two, None, first)) == [("e", "f"), ("g", "h")]


def test_cells_can_be_typed_and_rows_without_text_are_removed() -> None:
    draft = Draft.empty()
    for row, pair in enumerate(PAIRS):
        for column, text in enumerate(pair):
            draft = draft.with_cell(row, column, text)
    assert rows(draft) == PAIRS
    draft = draft.with_cell(1, 0, "").with_cell(1, 1, "")
    assert rows(draft) == [PAIRS[0], PAIRS[2]]
    assert rows(draft.without(0)) == [PAIRS[2]]
    assert rows(draft.without(9)) == rows(draft)
    assert rows(draft.swapped()) == [pair[::-1] for pair in (PAIRS[0], PAIRS[2])]
    assert draft.swapped().names == ["source", "target"]
    languages = pasted(b"en\tfr\n" + TABLE)
    assert languages.swapped().names == ["fr", "en"]
    for place in ((-1, 0), (3, 0), (0, 2), (20_000, 0)):
        with pytest.raises(ValueError, match=r"^There is no such cell in the table\.$"):
            draft.with_cell(*place, "x")


def test_a_row_that_cannot_be_learned_is_named() -> None:
    draft = pasted().with_cell(3, 0, "one side")
    assert draft.faults(9) == {3: "The target of row 4 is empty."}
    report = draft.checked().report
    assert (report.count, report.skipped[0].message) == (3, "The target of row 4 is empty.")
    assert draft.faults(3) == {}


def test_the_kind_of_data_can_be_changed_and_changed_back() -> None:
    draft = pasted()
    texts = draft.with_learned("own-next-word")
    assert rows(texts) == [("the cat\tle chat",), ("a dog\tun chien",), ("a cat\tun chat",)]
    assert texts.with_learned("own-blanks").given == texts.given
    assert rows(texts.with_learned("own")) == PAIRS
    typed = Draft.empty("own-blanks").with_cell(0, 0, "the cat").with_learned("own")
    assert rows(typed) == [("the cat", "")]
    assert typed.names == ["source", "target"]


def test_a_file_is_read_again_in_another_encoding() -> None:
    data = "hello,привет\nyes,да\n".encode("cp1251")
    draft = Draft.empty().with_files({"ru.csv": data})
    assert draft.given.is_guess
    assert rows(draft)[0] != ("hello", "привет")
    assert rows(draft.with_encoding("cp1251"))[0] == ("hello", "привет")
    with pytest.raises(ValueError, match=r"^There is no encoding of texts called 'x'"):
        draft.with_encoding("x")
    assert rows(Draft.empty().with_encoding("cp1251")) == []


def test_two_files_are_parallel_columns_with_the_names_of_the_files() -> None:
    draft = Draft.empty().with_files({"train.en": b"a b\nc\n", "train.fr": b"x\ny z\n"})
    assert (rows(draft), draft.names) == ([("a b", "x"), ("c", "y z")], ["en", "fr"])
    with pytest.raises(ValueError, match=r"^Texts are read from one file\.$"):
        draft.with_learned("own-blanks")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"alone\n", "Line 1 has 1 column and needs 2: a source, a comma and its target."),
        (b"\n \n", "There is no text in it."),
        (b"PK\3\4", "The file is a zip archive: "),
    ],
)
def test_a_text_without_rows_does_not_change_the_draft(text: bytes, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        pasted(text)


TEXT = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=' ,;"\u202f'))
ROWS = st.lists(st.tuples(TEXT.filter(str.strip), TEXT.filter(str.strip)), min_size=2, max_size=9)


@given(ROWS, st.sampled_from(["word", "character"]))
def test_the_rows_of_a_draft_become_data_and_data_become_a_draft_again(
    pairs: list[tuple[str, str]], unit: str
) -> None:
    draft = Draft.empty()
    for row, pair in enumerate(pairs):
        draft = draft.with_cell(row, 0, pair[0]).with_cell(row, 1, pair[1])
    draft = dataclasses.replace(draft, unit=unit)
    own = draft.checked()
    data = data_of("own", own)
    again = Draft.of(data)
    assert again.checked().rows == own.rows
    if len({source for source, _ in own.rows}) > 1:
        assert data.pairs().unit == unit
        assert data_of("own", again.checked()) == data


@pytest.mark.parametrize("name", ["own-next-word", "own-blanks"])
def test_texts_become_a_draft_again(name: str) -> None:
    data = TrainingData(name, "the cat, sits\nthe dog runs", "word")
    draft = Draft.of(data)
    assert rows(draft) == [("the cat, sits",), ("the dog runs",)]
    assert data_of(name, draft.checked()) == data
    blanks = draft.with_cell(0, 0, "the <mask>")
    assert ("<mask>, which stands for a blank" in str(blanks.faults(1))) is (name == "own-blanks")


def test_the_words_for_which_a_model_has_memory_are_counted() -> None:
    """The logits of a batch are the largest matrix of a training step."""
    long = " ".join("abcdefgh") + " " + " ".join("x" * 55)
    table = "".join(f"the w{n}\t{long} y{n}\n" for n in range(2_600))
    own = pasted(table.encode()).checked()
    assert too_many(own) == ("", 0)
    plan = TrainingPlan.of(catalog.of_pairs(data_of("own", own)))
    sentence, most = too_many(own, plan)
    assert sentence == f"The targets have 2,609 different words; at most {most:,} can be learned."
    assert LEAST_WORDS < most < 2_600
    with pytest.raises(ValueError, match="too many for a model of this size"):
        plan.check_size(plan.data.pairs())
    kept = dataclasses.replace(pasted(table.encode()), most_words=most).checked()
    plan = TrainingPlan.of(catalog.of_pairs(data_of("own", kept)))
    assert too_many(kept, plan) == ("", 0)
    plan.check_size(plan.data.pairs())
    assert kept.report.count > most // 2


def test_rows_of_a_file_are_named_by_their_lines_and_other_rows_by_their_numbers() -> None:
    assert Draft.empty().places(9) == ["row 1", "row 2", "row 3"]
    file = pasted(b"en\tfr\n" + TABLE)
    assert file.places(9) == ["line 2", "line 3", "line 4", "row 4"]
    assert file.places(2) == ["line 2", "line 3"]
    assert file.without(0).places(9) == ["line 3", "line 4", "row 3"]
    table = pasted(at=0)
    assert table.places(9) == ["row 1", "row 2", "row 3", "row 4"]
    assert table.without(0).with_cell(1, 1, "").faults(9) == {1: "The target of row 2 is empty."}
    mixed = pasted(b"e\tf\n", 1, file)
    assert mixed.places(9) == ["line 2", "row 2", "line 4", "row 4"]
