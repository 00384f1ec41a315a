from tinkerformer.explain.row_names import row_names
from tinkerformer.files import catalog
from tinkerformer.model.scenario.scenario import Scenario


def test_a_row_is_named_by_the_words_before_it():
    names = row_names(catalog.first("phrases"))
    assert names[:3] == ["after “<sos>”", "after “le”", "after “le chat”"]


def test_rows_with_equal_names_or_beyond_the_text_state_their_position():
    scenario = Scenario().with_tokens("target", ["<sos>", "le", "chat", "le", "chat"])
    assert row_names(scenario, 6) == [
        *("after “<sos>”", "after “le”", "after “le chat” (position 2)", "after “chat le”"),
        *("after “le chat” (position 4)", "at position 5"),
    ]


def test_without_a_decoder_a_row_is_named_by_its_own_word():
    scenario = Scenario().with_setting("decoder_layers", 0)
    names = row_names(scenario.with_tokens("source", ["a", "cat", "a"]))
    assert names == ["at “a” (position 0)", "at “cat”", "at “a” (position 2)"]
