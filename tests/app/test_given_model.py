import numpy as np
import pytest
from tinkerformer.files import catalog
from tinkerformer.files.given_model import scenario_of
from tinkerformer.learning.plan import TrainingPlan
from tinkerformer.learning.training_run import TrainingRun
from tinkerformer.model.inference.forward_pass import ForwardPassRunner
from tinkerformer.model.scenario.scenario import Scenario
from tinkerformer.model.scenario.vocabulary import Vocabulary
from tinkerformer.session.session_json import SavedSession, from_json, to_json

from tests.app.trained import dates_file, torch_state
from tests.math.stored import load
from transformer_math import (
    Config,
    Transformer,
    blank_phrases,
    blanks,
    classes,
    config_for,
    next_words,
)
from transformer_math.checkpoints import safetensors
from transformer_math.checkpoints.marian_folder import open_checkpoint
from transformer_math.data.pairs import read_csv
from transformer_math.data.tokenizer import Tokenizer

SOURCE = ("<pad>", "a", "black", "cat", "the")
TARGET = ("<sos>", "<eos>", "chat", "le", "noir", "un", "<pad>")


def config(**changes):
    sizes = {"d_model": 6, "heads": 3, "d_ff": 10, "encoder_layers": 1, "decoder_layers": 2}
    words = {"source_vocabulary": len(SOURCE), "target_vocabulary": len(TARGET)}
    return Config(**{**sizes, **words, **changes})


def show(model=None, source=None, target=None, vocabulary=None, **settings):
    return scenario_of(model, source, target, vocabulary, settings)


def logits(scenario):
    return ForwardPassRunner().trace(scenario)["output.logits"].value


# -- a Transformer ---------------------------------------------------------------------------


def test_the_numbers_are_those_of_the_model():
    model = Transformer.create(config(source_pad=0), seed=4)
    scenario = show(model, "the black cat <pad>", "le chat", (SOURCE, TARGET))
    assert scenario.source == ("the", "black", "cat", "<pad>")
    assert scenario.target == ("<sos>", "le", "chat")
    np.testing.assert_array_equal(logits(scenario), model.logits([4, 2, 3, 0], [0, 3, 2]))


def test_without_a_target_the_model_writes_it():
    model = Transformer.create(config(), seed=4)
    scenario = show(model, ["the", "cat"], None, (SOURCE, TARGET))
    assert scenario.writes_itself
    written = [TARGET.index(token) for token in scenario.target]
    best = model.logits([4, 3], written).argmax(-1)
    assert written[1:] == best[:-1].tolist()


def test_ids_are_shown_as_tokens_and_by_themselves_without_a_vocabulary():
    model = Transformer.create(config(), seed=4)
    named = show(model, np.array([4, 3]), [0, 3], (SOURCE, TARGET))
    assert (named.source, named.target) == (("the", "cat"), ("<sos>", "le"))
    bare = show(model, [4, 3], [0, 3])
    assert (bare.source, bare.target) == (("4", "3"), ("0", "3"))
    np.testing.assert_array_equal(logits(bare), logits(named))
    assert not bare.writes_itself  # no start token is given


@pytest.mark.parametrize("stack", ["encoder_layers", "decoder_layers"])
def test_a_model_of_one_stack_computes_the_same_logits(stack):
    model = Transformer.create(config(**{stack: 0}, target_vocabulary=len(SOURCE)), seed=2)
    ids = (None, [3, 4]) if stack == "encoder_layers" else ([1, 2], None)
    scenario = show(model, *ids, list(SOURCE))
    np.testing.assert_array_equal(logits(scenario), model.logits(*ids))


def test_settings_that_do_not_appear_in_the_weights_are_kept():
    other = config(norm="pre", positions="none", embedding_scale=False, activation="gelu")
    model = Transformer.create(other, seed=1)
    np.testing.assert_allclose(
        logits(show(model, [1, 2, 3], [0, 4])), model.logits([1, 2, 3], [0, 4]), rtol=1e-6
    )


@pytest.mark.parametrize(
    "vocabulary",
    [
        {token: i for i, token in enumerate(SOURCE)},
        list(SOURCE),
        Vocabulary(SOURCE, SOURCE, unit="word"),
    ],
)
def test_a_vocabulary_has_several_forms(vocabulary):
    model = Transformer.create(config(target_vocabulary=len(SOURCE)), seed=1)
    assert show(model, "the cat", vocabulary=vocabulary).vocabulary.source == SOURCE


def test_texts_are_split_like_the_tokenizer_does():
    letters = Tokenizer.of_texts(["abc"])
    model = Transformer.create(config(source_vocabulary=6, target_vocabulary=6), seed=1)
    scenario = show(model, "cab", "b", letters)
    assert scenario.source == ("<sos>", "c", "a", "b", "<eos>")
    assert scenario.target == ("<sos>", "b")
    plain = Transformer.create(config(source_vocabulary=3, target_vocabulary=3), seed=1)
    assert show(plain, "cab", "b", list("abc")).source == ("c", "a", "b")


def test_the_models_and_scenarios_of_the_page_can_be_shown():
    assert show() == catalog.first("phrases")
    assert show("dates", "2001-02-03").source[1:5] == tuple("2001")
    scenario = catalog.first("phrases").with_tokens("target", ["<sos>", "le"])
    assert show(scenario, target=["<sos>"]).target == ("<sos>",)
    assert show(Scenario()) == Scenario()


def test_files_are_shown_with_their_words(tmp_path):
    own = tmp_path / "own.safetensors"
    own.write_bytes(dates_file())
    assert show(str(own)).weights.name == "own.safetensors"
    theirs = tmp_path / "theirs.safetensors"
    theirs.write_bytes(safetensors.save(torch_state()))
    words = [*"abcdefg"]
    assert show(theirs, "fab", vocabulary=words, heads=3).source == ("f", "a", "b")
    with pytest.raises(ValueError, match="one of 1, 2, 3, 4, 6, 12"):
        show(theirs)


@pytest.mark.parametrize("name", ["marian_shared", "marian_separate"])
def test_a_marian_folder_splits_both_texts_as_its_tokenizers_do(tmp_path, name):
    for file, array in load(name).under("file").items():
        (tmp_path / file).write_bytes(array.tobytes())
    held = open_checkpoint(tmp_path)
    source, target = "the black cat", "die Katze"
    scenario = show(tmp_path, source, target)
    assert scenario.ids("source") == held.source_ids(source)
    assert scenario.ids("target") == [held.start, *held.target_ids(target)[:-1]]
    model = Transformer(held.config, held.parameters)
    expected = model.logits(scenario.ids("source"), scenario.ids("target"))
    np.testing.assert_allclose(logits(scenario), expected, rtol=1e-5, atol=1e-6)
    assert show(tmp_path, source).writes_itself
    with pytest.raises(ValueError, match="vocabulary of its own"):
        show(tmp_path, vocabulary=["a"])
    with pytest.raises(TypeError, match="colour is no setting of a model"):
        show(tmp_path, colour="red")


def test_a_file_saved_by_the_library_opens(tmp_path):
    """A file or a folder of `Transformer.save` contains no words, and accepts some."""
    model = Transformer.create(config(source_vocabulary=3, target_vocabulary=3), seed=1)
    file = tmp_path / "own.safetensors"
    model.save(file)
    assert show(file, "cab", "b", list("abc")).source == ("c", "a", "b")
    model.save(tmp_path / "folder")
    scenario = show(tmp_path / "folder")
    assert scenario.source_vocabulary == ("0", "1", "2")
    assert scenario.config.parameter_shapes() == model.config.parameter_shapes()
    np.testing.assert_array_equal(
        scenario.weights.arrays["output.W_out"], model.parameters["output.W_out"]
    )


def test_a_local_file_may_be_larger_than_an_upload(tmp_path, monkeypatch):
    monkeypatch.setattr(safetensors, "MAX_BYTES", 1000)
    own = tmp_path / "own.safetensors"
    own.write_bytes(dates_file())
    assert show(own).weights.name == "own.safetensors"


def test_a_target_without_a_tokenizer_is_refused(tmp_path):
    for file, array in load("marian_shared").under("file").items():
        if file != "target.spm":
            (tmp_path / file).write_bytes(array.tobytes())
    with pytest.raises(ValueError, match="how this model splits a text of the target"):
        show(tmp_path, "the cat", "die Katze")


# -- modules of PyTorch --------------------------------------------------------------------------


@pytest.fixture
def torch(recwarn):  # PyTorch warns about fast paths that it does not take
    library = pytest.importorskip("torch", reason="PyTorch is not installed (extra reference).")
    library.manual_seed(0)
    return library


def transformer(torch, **changes):
    sizes = {"d_model": 6, "nhead": 3, "dim_feedforward": 10, "batch_first": True}
    layers = {"num_encoder_layers": 1, "num_decoder_layers": 2}
    return torch.nn.Transformer(**{**sizes, **layers, **changes}).eval()


def parts(torch):
    return {
        "source_embedding": torch.nn.Embedding(len(SOURCE), 6),
        "target_embedding": torch.nn.Embedding(len(TARGET), 6),
        "generator": torch.nn.Linear(6, len(TARGET)),
    }


def torch_logits(torch, model, given, source, target):
    """Compute without positions and scaled embeddings, like many such modules."""
    mask = torch.nn.Transformer.generate_square_subsequent_mask(len(target))
    with torch.no_grad():
        x = given["source_embedding"](torch.tensor([source]))
        y = given["target_embedding"](torch.tensor([target]))
        return given["generator"](model(x, y, tgt_mask=mask, tgt_is_causal=True))[0].numpy()


@pytest.mark.parametrize(
    "changes", [{}, {"norm_first": True, "activation": "gelu", "layer_norm_eps": 0.1}]
)
def test_a_torch_transformer_is_shown_with_the_numbers_of_torch(torch, changes):
    model, given = transformer(torch, **changes), parts(torch)
    scenario = show(
        *(model, [4, 2, 3], [0, 3, 2], (SOURCE, TARGET)),
        positions="none",
        embedding_scale=False,
        **given,
    )
    expected = torch_logits(torch, model, given, [4, 2, 3], [0, 3, 2])
    np.testing.assert_allclose(logits(scenario), expected, rtol=2e-4, atol=2e-5)
    assert scenario.settings.dropout.attention_weights == 0.1


def test_one_module_can_contain_all_parts(torch):
    class Translator(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = transformer(torch)
            for name, part in parts(torch).items():
                setattr(self, name, part)

    model = Translator()
    own = {name: getattr(model, name) for name in parts(torch)}
    scenario = show(model, [1], [0, 5], positions="none", embedding_scale=False)
    expected = torch_logits(torch, model.inner, own, [1], [0, 5])
    np.testing.assert_allclose(logits(scenario), expected, rtol=2e-4, atol=2e-5)
    assert scenario.weights.name == "Translator"


def test_a_table_shared_by_all_is_shared_on_the_page(torch):
    table = torch.nn.Embedding(5, 6)
    output = torch.nn.Linear(6, 5, bias=False)
    output.weight = table.weight
    shared = {"source_embedding": table, "target_embedding": table, "generator": output}
    scenario = show(transformer(torch), [1], [2], **shared)
    assert scenario.config.share_embeddings
    assert scenario.config.tie_output


def test_missing_parts_of_a_torch_transformer_are_named(torch):
    given = parts(torch)
    with pytest.raises(ValueError, match="give source_embedding, target_embedding and generator,"):
        show(transformer(torch))
    del given["generator"]
    with pytest.raises(ValueError, match="give generator, or a module that has them"):
        show(transformer(torch), **given)
    with pytest.raises(ValueError, match=r"Linear has no torch\.nn\.Transformer in it"):
        show(torch.nn.Linear(2, 2))
    with pytest.raises(ValueError, match="generator is a Sequential; one embedding or one linear"):
        show(transformer(torch), generator=torch.nn.Sequential(), **given)
    with pytest.raises(ValueError, match=r"source_embedding.weight has the shape \(5, 7\)"):
        show(transformer(torch), **{**parts(torch), "source_embedding": torch.ones(5, 7)})
    with pytest.raises(TypeError, match="colour is no setting of a model"):
        show(transformer(torch), **parts(torch), colour="red")
    with pytest.raises(ValueError, match="The activation is elu"):
        show(transformer(torch, activation=torch.nn.functional.elu), **parts(torch))


# -- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kind", "sentence"),
    [
        ({"model": 3}, TypeError, "A int cannot be shown: give a Transformer"),
        ({"model": "no/such"}, ValueError, "no file, folder or model called 'no/such'; the page's"),
        ({"model": {"a": 1}}, ValueError, "such as a, are of no family known here"),
        ({"model": torch_state()}, ValueError, "give heads=, one of 1, 2, 3, 4, 6, 12"),
        ({"model": torch_state(), "heads": 5}, ValueError, "no multiple of 5 heads"),
        (
            {"vocabulary": ["a"]},
            ValueError,
            "This model has a vocabulary of its own; leave yours out",
        ),
        ({"heads": 2}, TypeError, "heads is not given here: the model brings it"),
    ],
)
def test_invalid_input_is_refused_in_one_sentence(given, kind, sentence):
    with pytest.raises(kind, match=sentence):
        show(**given)


@pytest.mark.parametrize(
    ("vocabulary", "kind", "sentence"),
    [
        ("abcdefg", TypeError, "A vocabulary is a list of tokens, a Tokenizer or Pairs, not a str"),
        (7, TypeError, "A vocabulary is a list of tokens, a Tokenizer or Pairs, not a int"),
        ([*"aabcd"], ValueError, "has “a” twice"),
        ([1, 2, 3], ValueError, "vocabulary is a list of texts, and 1 is none"),
        ({"a": 0, "b": 2}, ValueError, "has other ids than 0 to 1, each once"),
        ({"a": "0"}, ValueError, "no whole number for each word"),
        ((SOURCE, SOURCE), ValueError, "5 tokens for the target, and the model's table has 7 rows"),
    ],
)
def test_a_vocabulary_of_the_wrong_size_is_refused(vocabulary, kind, sentence):
    with pytest.raises(kind, match=sentence):
        show(Transformer.create(config()), vocabulary=vocabulary)


def test_unknown_words_and_parameters_that_are_nan_are_refused():
    model = Transformer.create(config(), seed=1)
    broken = {"encoder.0.feed_forward.b_1": np.full(10, np.nan, np.float32)}
    for given, words, vocabulary, said in (
        (model, "the dog", (SOURCE, TARGET), "position 1 is “dog”, which this model does not know"),
        (model, "the cat", None, r"“the”, .* are ids: open the page with vocabulary="),
        (model.with_parameters(broken), None, None, r"feed_forward.b_1 holds numbers that are NaN"),
    ):
        with pytest.raises(ValueError, match=said):
            show(given, words, vocabulary=vocabulary)


# -- data to learn from ----------------------------------------------------------------------

LINES = [f"the {a} {b} here" for a in ("cat", "dog", "hen") for b in ("sits", "runs", "eats")]
PAIRS = [(f"{a} {b}", f"{b} {a}") for a in ("red", "blue") for b in ("up", "down", "in")]
GIVEN = {
    "decoder-only": next_words(LINES, held_out=2),
    "encoder-only": blanks(LINES, held_out=2),
    "encoder-decoder": read_csv("\n".join(map(",".join, PAIRS)), unit="word"),
}


@pytest.mark.parametrize("kind", GIVEN)
def test_a_given_model_keeps_its_numbers_and_learns_the_given_data(kind):
    data = GIVEN[kind]
    model = Transformer.create(config_for(data, d_model=12, heads=3), seed=4)
    scenario = scenario_of(model, None, None, None, {}, data)
    assert (scenario.config.kind, scenario.data.kind) == (kind, kind)
    assert scenario.data.pairs() is data
    assert scenario.settings.d_model == 12
    for path, array in model.parameters.items():
        np.testing.assert_array_equal(scenario.weights.arrays[path], array)
    source = None if kind == "decoder-only" else scenario.ids("source")
    target = None if kind == "encoder-only" else scenario.ids("target")
    expected = model.logits(source, target)
    np.testing.assert_allclose(logits(scenario), expected, rtol=1e-5, atol=1e-5)
    run = TrainingRun(TrainingPlan.of(scenario))
    run.advance()
    assert np.isfinite(run.metrics.loss).all()


@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (LINES, "own-next-word", "decoder-only"),
        (PAIRS, "own", "encoder-decoder"),
        (GIVEN["encoder-only"], "own-blanks", "encoder-only"),
        (blank_phrases(), "own-blanks", "encoder-only"),
    ],
)
def test_data_without_a_model_create_an_untrained_model(data, name, kind):
    scenario = scenario_of(None, None, None, None, {}, data)
    assert (scenario.data.name, scenario.config.kind) == (name, kind)
    assert scenario.weights is None
    TrainingPlan.of(scenario)


def test_lines_become_blanks_for_an_encoder_and_its_link_keeps_them():
    model = Transformer.create(config_for(GIVEN["encoder-only"]), seed=4)
    scenario = scenario_of(model, None, None, GIVEN["encoder-only"], {}, LINES)
    assert scenario.data.name == "own-blanks"
    assert from_json(to_json(SavedSession(scenario))).scenario.data == scenario.data
    given = SavedSession(scenario_of(None, None, None, None, {}, GIVEN["encoder-only"]))
    with pytest.raises(ValueError, match="a program gave the data of this model"):
        from_json(to_json(given))


@pytest.mark.parametrize(
    ("model", "data", "why"),
    [
        ("phrases", LINES, "give data without a model"),
        (None, "the cat", "There is no file the cat to read pairs"),
        (None, 5, "or what next_words, blanks or pairs return, not 5"),
        (None, [1, 2], "Pair 1 is no pair of two texts"),
        (None, ["the cat"], "Two different texts"),
        (None, classes([("a", "b"), ("c", "d")]), "Classes are learned in Python"),
        ("decoder-only", GIVEN["encoder-only"], "is decoder-only, and what these data teach is"),
        ("encoder-decoder", LINES, "a model that translates learns pairs"),
        ("decoder-only", ["a b", "b c"], "has other words than the data"),
    ],
)
def test_data_that_do_not_fit_the_model_are_refused_in_one_sentence(model, data, why):
    given = GIVEN.get(model)
    if given is not None:
        model = Transformer.create(config_for(given), seed=4)
    words = None if data is GIVEN["encoder-only"] else given
    with pytest.raises((TypeError, ValueError, OSError), match=why):
        scenario_of(model, None, None, words, {}, data)
