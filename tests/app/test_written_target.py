import pytest
from tinkerformer.explain import sequence_notes as notes
from tinkerformer.explain.labels import axis_names
from tinkerformer.features.tokens.view import TokensView
from tinkerformer.features.translate.view import TranslateView
from tinkerformer.files import catalog
from tinkerformer.model.inference.right_text import right_text, verdict
from tinkerformer.model.inference.text import with_text
from tinkerformer.model.matrices.address import CellAddress
from tinkerformer.model.matrices.attention import AttentionFocus
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.session.state import AppState

from tests.app.learner import TEXT, WORDS, small
from transformer_math.data import phrases

PHRASES = catalog.first("phrases")


class Page:
    def __init__(self, scenario: Scenario | None = None) -> None:
        self.state = AppState(scenario)
        view = TokensView(self.state)
        self.tokens, self.answers = view.tokens, view.answers
        self.translate = TranslateView(self.state)

    def __getitem__(self, name: str):
        lists = [*self.tokens.lists, *self.answers.lists]
        return next(entry for entry in lists if entry["name"] == name)

    @property
    def written(self):
        return self.tokens.written["target"]

    @property
    def fields(self):
        return {field["name"]: field for field in self.translate.form.fields}

    def say(self, **message) -> None:
        self.tokens.receive(message)


# -- the chips -------------------------------------------------------------------------------------


def test_the_lists_of_every_model_have_an_id_for_each_token():
    for name in ("phrases", "dates", "sandbox", "document-table", "document-lecture"):
        page = Page(catalog.first(name))
        for side in ("source", "target"):
            assert len(page[side]["ids"]) == len(page[side]["tokens"])
    for own in (small(), small(WORDS, "word")):
        assert Page(own)["answers"]["hidden"]
        assert Page(own)["answers"]["ids"] == []


def test_a_typed_target_stays_until_the_model_writes_again():
    page = Page()
    page.say(type="tokens", name="target", tokens=["<sos>", "le", "zèbre"])
    assert page.state.scenario.target == ("<sos>", "le", "zèbre")
    assert page["target"]["writes"] is False
    assert page["target"]["unlearned"] == ["zèbre"]
    assert "probabilities" not in page["target"]
    page.say(type="tokens", name="source", tokens=["a", "dog"])
    assert page.state.scenario.target == ("<sos>", "le", "zèbre")
    page.say(type="write", name="target", on=True)
    assert page.state.scenario.writes_itself
    assert page["target"]["unlearned"] == []
    assert page["target"]["tokens"] == list(page.state.scenario.target)
    page.say(type="write", name="target", on=False)
    assert not page["target"]["writes"]


def test_following_a_written_word_releases_the_selected_number():
    page = Page()
    state = page.state
    state.attention_focus = AttentionFocus("decoder.0.cross_attn", 0, 0, 0)
    state.selection = CellAddress("source.W_e", 4, 1)
    page.say(type="look", name="target", at=3)
    assert state.location.followed == ("decoder", 2)
    assert state.attention_focus.query == 2
    for name, at in (("target", 0), ("target", 99), ("target", -1), ("source", 99)):
        page.say(type="look", name=name, at=at)
        assert state.location.followed == ("decoder", 2)
    assert state.selection is None
    page.say(type="look", name="target", at=3)
    assert state.location.followed is None
    # In a locked page, a word of the source can be followed.
    page.say(type="look", name="source", at=2)
    assert state.location.followed == ("encoder", 2)
    page.say(type="look", name="source", at=2)
    assert state.location.followed is None
    # Following a source word also chooses its row of the encoder's attention.
    page.say(type="look", name="source", at=1)
    assert state.attention_focus.scope.startswith("encoder.")
    assert state.attention_focus.query == 1


def test_words_that_the_model_has_not_learned_are_named_once():
    page = Page()
    page.say(type="tokens", name="source", tokens=["the", "zebra", "sat", "zebra"])
    assert page["source"]["unlearned"] == ["zebra"]
    assert page["source"]["ids"] == [0, 25, 11, 25]
    assert page["target"]["unlearned"] == []
    for refused, said in ((["x" * 25], "at most 24"), (["the"] * 65, "64 tokens, not 65")):
        page.say(type="tokens", name="source", tokens=refused)
        assert said in page["source"]["error"]
        assert page.state.scenario.source == ("the", "zebra", "sat", "zebra")


# -- the words to choose from ----------------------------------------------------------------------


def test_the_words_of_the_phrases_are_grouped_by_their_grammar():
    page = Page()
    groups = dict(map(tuple, page.tokens.words["source"]))
    assert groups.pop("special") == ["<sos>", "<eos>", "<pad>"]
    assert {kind: tuple(words) for kind, words in groups.items()} == phrases.ENGLISH_KINDS
    assert groups["adjective"] == ["small", "big", "black", "white"]
    french = dict(map(tuple, page.tokens.words["target"]))
    assert french["noun, animal"] == ["chat", "chien", "lapin", "souris", "poule"]
    # Each word is in one group, in the order of the ids.
    for side in ("source", "target"):
        words = [word for _, group in page.tokens.words[side] for word in group]
        assert tuple(words) == PHRASES.own_vocabulary.tokens(side)


def test_other_vocabularies_have_one_list_and_typed_words_are_not_in_the_lists():
    sandbox = Page(Scenario())
    assert sandbox.tokens.words["source"] == [["", ["the", "cat", "sat", "on", "mat"]]]
    dates_page = Page(catalog.first("dates"))
    (_, letters), (label, _) = dates_page.tokens.words["source"]
    assert (label, letters[:3], " " in letters) == ("special", ["0", "1", "2"], True)
    page = Page()
    before = page.tokens.words
    page.say(type="tokens", name="source", tokens=["the", "pizza"])
    assert page["source"]["unlearned"] == ["pizza"]
    assert page.tokens.words == before
    assert page["source"]["is_learned"]
    assert (dates_page["source"]["is_closed"], page["source"]["is_closed"]) == (True, False)
    assert not sandbox["source"]["is_learned"]


def test_without_a_decoder_the_bars_are_at_the_words_of_the_source():
    page = Page(Scenario().with_setting("decoder_layers", 0))
    page.state.go("asked", 1)
    assert page.tokens.marks["source"]["asked"] == 1
    assert page.tokens.marks["target"]["asked"] is None


def test_the_numbers_under_the_words_are_a_setting_of_the_session():
    page = Page()
    assert not page.tokens.numbers
    page.state.change(page.state.scenario.with_view("token_numbers", True))
    assert page.tokens.numbers
    assert not page.state.history.past
    page.state.change(page.state.scenario.with_view("token_numbers", False))
    assert not page.tokens.numbers


@pytest.mark.parametrize(
    ("name", "label"), [("phrases", "Another sentence"), ("dates", "Another date"), ("sandbox", "")]
)
def test_the_button_names_the_kind_of_text_that_it_draws(name, label):
    assert Page(catalog.first(name))["source"]["another"] == label


# -- ids of the text -------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["the cat sat on the mat", "the black cat sat on the small mat"])
def test_the_ids_equal_those_in_training(text):
    scenario = with_text(PHRASES, text)
    state = AppState()
    state.change(scenario)
    pairs = PHRASES.data.pairs()
    source = pairs.source_tokenizer.encode(text, pairs.source_length)
    target = pairs.target_tokenizer.encode(phrases.translate(text), pairs.target_length)
    found = [notes.sequence_ids(state.scenario, side) for side in ("source", "target")]
    is_padded = source[-1] == pairs.source_tokenizer.pad
    assert found[0] == f"ids {source}" + (", padded to 8" if is_padded else "")
    is_padded = target[-1] == pairs.target_tokenizer.pad
    assert found[1] == f"ids {target}" + (", padded to 11" if is_padded else "")


@pytest.mark.parametrize(
    ("model", "ids"), [("document-table", [65, 1, 3, 66]), ("document-positions", [65, 0, 62, 65])]
)
def test_the_ids_of_a_printed_table_are_the_printed_ones(model, ids):
    scenario = catalog.first(model)
    assert notes.sequence_ids(scenario, "source") == f"ids as printed {ids}"
    assert notes.sequence_ids(scenario, "target") == ""
    shown = AppState(scenario)
    [source, *_] = TokensView(shown).tokens.lists
    assert source["ids"] == ids
    names = axis_names(scenario.axis_tokens, "source.embedding", "position", 4)
    assert names[0].endswith(f"(position 0, id {ids[0]})")
    other = scenario.with_tokens("source", ["cat"])
    assert notes.sequence_ids(other, "source") == ""


def test_texts_without_ids_or_with_too_many_have_no_list_of_ids():
    assert notes.sequence_ids(Scenario(), "source") == ""
    assert notes.sequence_ids(PHRASES.with_tokens("source", ["the"] * 25), "source") == ""
    assert notes.sequence_ids(PHRASES.with_tokens("source", ["the"] * 9), "source") == (
        "ids [0, 0, 0, 0, 0, 0, 0, 0, 0]"
    )


def test_a_text_longer_than_all_learned_texts_is_mentioned():
    assert notes.length_note(PHRASES.with_tokens("source", ["the"] * 8)) == ""
    assert notes.length_note(PHRASES.with_tokens("source", ["the"] * 9)).startswith("9 words: ")
    for scenario in (Scenario(), small(TEXT), catalog.first("dates")):
        assert notes.length_note(scenario) == ""


# -- the field of the whole text -------------------------------------------------------------------


def test_the_translation_of_a_typed_phrase_is_judged():
    page = Page()
    form = page.translate.form
    assert page.fields["text"]["label"] == "Phrase"
    assert page.fields["text"]["value"] == "the black cat sat on the mat"
    assert page.fields["verdict"]["value"] == "Right."
    assert page.fields["translation"]["hidden"]
    form.receive({"type": "typing", "name": "text", "value": "a white hen runs in the box"})
    assert page.state.scenario.source == ("a", "white", "hen", "runs", "in", "the", "box")
    assert page.fields["verdict"]["value"] == "Right."
    page.state.change(page.state.scenario.trained(None, 0))
    assert page.fields["verdict"]["value"].startswith("Wrong: it should be une poule ")
    form.receive({"type": "typing", "name": "text", "value": "a zebra"})
    assert page.fields["verdict"]["value"].startswith(
        "There is no right answer to compare with. The word 'zebra' is not"
    )
    form.receive({"type": "change", "name": "text", "value": f"a {'z' * 25}"})
    assert "at most 24" in form.errors["text"]
    assert page.fields["verdict"]["value"] == "The page still shows “a zebra”."


def test_a_random_text_is_one_of_the_learned_texts():
    for name in ("phrases", "dates"):
        page = Page(catalog.first(name))
        for _ in range(5):
            page.translate.form.receive({"type": "change", "name": "random"})
            assert page.fields["verdict"]["value"] == "Right."


def test_the_output_of_a_model_of_own_pairs_is_judged_by_the_pairs():
    page = Page(small(WORDS, "word"))
    assert page.fields["text"]["label"] == "Text"
    assert page.fields["example"]["hidden"]
    for pair in WORDS.splitlines():
        source, target = pair.split(",")
        page.state.change(with_text(page.state.scenario, source))
        assert page["target"]["unjudged"] == ""
        assert page["target"]["verdict"].startswith("✗")
        assert page["target"]["in_full"] == f"✗ should be: {target}"
        assert page.fields["verdict"]["value"].startswith(f"Wrong: it should be {target}.")
    page.state.change(page.state.scenario.with_tokens("source", ["red"]))
    assert page["target"]["unjudged"] == "no known answer"
    assert page["target"]["verdict"] == ""
    assert page.fields["verdict"]["value"] in ("", "The model found no end.")


def test_each_of_several_targets_of_the_same_source_is_right():
    scenario = small("go,va\ngo,pars\nstay,reste\n", "word")
    for target in ("va", "pars"):
        written = with_text(scenario, "go").with_written(("<sos>", target))
        assert verdict(written, right_text(written), ("<sos>", target), True) == "✓ right"
    wrong = with_text(scenario, "go").with_written(("<sos>", "reste"))
    assert right_text(wrong) == "va"


def test_a_text_without_an_end_is_reported():
    page = Page()
    scenario = page.state.scenario.with_setting("output_bias", True)
    end = scenario.vocabulary.row("target", "<eos>")
    page.state.change(scenario.with_value("output.b_out", (end,), -1000))
    assert page.fields["verdict"]["value"].endswith(" The model found no end.")


def test_the_header_states_whether_the_written_text_is_right():
    page = Page(PHRASES)

    def read(text):
        page.state.change(with_text(page.state.scenario, text))
        return page["target"]["verdict"]

    assert page["target"]["verdict"] == "✓ right"
    assert page["target"]["unjudged"] == ""
    assert read("a zebra") == ""
    assert page["target"]["unjudged"] == "no known translation"
    assert "'zebra'" in page["target"]["unjudged_why"]
    assert read("the cat cat sat on the mat") == ""
    assert "After 'cat' stands 'cat'" in page["target"]["unjudged_why"]
    text = "the white hen runs in the house"
    assert read(text) == "✓ right"
    page.state.change(page.state.scenario.with_value("output.W_out", (0, 0), 50))
    assert page["target"]["verdict"] == f"✗ should be: {phrases.translate(text)}"
    assert page["target"]["unjudged"] == ""
    page.state.change(page.state.scenario.with_writing(False))
    assert page["target"]["verdict"] == page["target"]["unjudged"] == ""
