import copy
import pickle
from typing import Any

import numpy as np
import pytest

import transformer_math
from tests.math.lively import lively
from transformer_math import (
    Config,
    Decoding,
    Labels,
    NoSuchPath,
    Recipe,
    Sampling,
    Trainer,
    Transformer,
    UnknownSetting,
    beam_search,
    config_for,
    dates,
    exact_matches,
    explain_gradient,
    greedy_decode,
    next_words,
    phrases,
    sample,
    sweep,
)
from transformer_math.experiments import (
    Wish,
    every_head,
    mean_values,
    patch_map,
    pull,
    silenced,
    without_heads,
)

SOURCE, TARGET = [3, 1, 2, 0], [1, 4, 2]
CONTEXT = "decoder.0.cross_attn.context"
HEAD = "decoder.0.cross_attn.head.1.context"
OUT = "encoder.0.feed_forward.out"
P = "output.probabilities"
MODEL = lively()
TRACE = MODEL(SOURCE, TARGET)
OTHER = MODEL([2, 2, 2, 1], TARGET)
BATCH = MODEL([SOURCE, SOURCE], [TARGET, TARGET])


def test_labels_may_be_given_as_ids() -> None:
    plain = MODEL(SOURCE, TARGET, labels=[5, 2, 1])
    said = MODEL(SOURCE, TARGET, labels=Labels([5, 2, 1]))
    np.testing.assert_array_equal(plain["output.loss"].value, said["output.loss"].value)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_loss_is_an_array_without_dimensions(smoothing: float) -> None:
    labels = Labels([5, 2, 1], smoothing)
    trace = MODEL(SOURCE, TARGET, labels=labels)
    batch = MODEL([SOURCE] * 2, [TARGET] * 2, labels=Labels([[5, 2, 1]] * 2, smoothing))
    swept = sweep(trace, "output.W_out", (0, 0), [1.0, 2.0])
    again = MODEL(SOURCE, TARGET, labels=labels)  # replays the first pass
    for one in (trace, again, batch, batch.example(0), swept.frame(1)):
        loss = one["output.loss"]
        assert isinstance(loss.value, np.ndarray)
        assert loss.value.shape == () == loss.dims


def test_a_pass_needs_only_inputs_that_the_model_reads() -> None:
    alone = lively(decoder_layers=0)
    np.testing.assert_array_equal(alone(SOURCE)[P].value, alone(SOURCE, None)[P].value)
    writer = lively(encoder_layers=0)
    found = writer(target_ids=TARGET)[P].value
    np.testing.assert_array_equal(found, writer(None, TARGET)[P].value)
    with pytest.raises(ValueError, match="write target_ids="):
        writer(TARGET)


def test_the_config_uses_the_own_preset_of_the_data() -> None:
    pairs = phrases()
    own = Config.preset("phrases", max_positions=config_for(pairs).max_positions)
    assert config_for(pairs) == own == config_for(pairs, "phrases")
    assert config_for(pairs, d_model=16).d_ff == 16
    model = Transformer.create(config_for(pairs))
    for recipe in (None, Recipe()):
        assert Trainer(model, pairs, recipe).recipe == Recipe.preset("phrases")
    changed = Trainer(model, pairs, Recipe(seed=3, batch=8)).recipe
    assert changed == Recipe.preset("phrases", seed=3, batch=8)
    every = Recipe(steps=600, batch=128, peak_learning_rate=3e-3)
    assert Trainer(model, pairs, every).recipe == every
    days = dates(held_out=1)
    assert config_for(days).d_model == 32
    assert Trainer(Transformer.create(config_for(days)), days).recipe == Recipe()


def test_a_recipe_remembers_the_given_settings() -> None:
    recipe = Recipe(7, warmup=3, schedule="constant")
    assert recipe.given == {"steps", "warmup", "schedule"}
    assert "given" not in recipe.as_dict()
    for again in (copy.copy(recipe), pickle.loads(pickle.dumps(recipe))):
        assert (again, again.given) == (recipe, recipe.given)


def ended(*arguments: Any) -> Any:
    *_, end = pull(*arguments)
    return end


def forward(arrays: Any) -> Any:
    return MODEL(SOURCE, TARGET, overrides=dict(arrays))


def test_free_paths_may_be_a_list_and_a_wish_a_tuple() -> None:
    wish = (P, (1, 2), 0.4)
    said = ended(forward, [Wish(*wish)], {"output.W_out": None})
    for wishes, free in (
        ([wish], ["output.W_out"]),
        (wish, "output.W_out"),
        (Wish(*wish), {"output.W_out": None}),
        ([wish], {"output.W_out": np.ones(MODEL.parameters["output.W_out"].shape, bool)}),
    ):
        end = ended(forward, wishes, free)
        assert end.granted
        assert end.distance == said.distance


def test_the_path_of_a_head_frees_only_that_head() -> None:
    path, stored = "decoder.0.cross_attn.head.1.W_v", "decoder.0.cross_attn.W_v"
    whole = MODEL.parameters[stored]
    one = np.zeros(whole.shape, bool)
    one[1] = True
    found = ended(forward, [(P, (1, 2), 0.3)], [path])
    same = ended(forward, [(P, (1, 2), 0.3)], {stored: one})
    np.testing.assert_array_equal(found.arrays[stored], same.arrays[stored])
    assert (found.arrays[stored][0] == whole[0]).all()
    assert (found.arrays[stored][1] != whole[1]).any()
    corner = np.zeros(whole.shape[1:], bool)
    corner[0, 0] = True
    end = ended(forward, [(P, (1, 2), 0.3)], {path: corner, "output.b_out": None})
    assert np.argwhere(end.arrays[stored] != whole).tolist() in ([], [[1, 0, 0]])


def test_a_head_is_patched_alone() -> None:
    found = patch_map(TRACE, OTHER, {HEAD: [0, 1, 2], CONTEXT: [0, 1, 2]}, lambda t: read(t))
    for row in range(3):
        value = TRACE[HEAD].value.copy()
        value[row] = OTHER[HEAD].value[row]
        one = MODEL(SOURCE, TARGET, overrides={HEAD: value})
        assert found.patched[HEAD][row] == pytest.approx(float(read(one)), abs=1e-6)
    assert not np.allclose(found.patched[HEAD], found.patched[CONTEXT])


def read(trace: Any) -> Any:
    return trace[P].value[..., 1, 2]


def test_rows_and_columns_may_be_chosen_by_a_list() -> None:
    assert set(silenced(TRACE, OUT, rows=[0, -1], columns=[2])) == {(0, 2), (3, 2)}


def test_padding_does_not_count_in_a_mean() -> None:
    model = lively(source_pad=5, target_pad=7)
    source = np.array([[3, 1, 2, 0], [2, 2, 5, 5]])
    target = np.array([[1, 4, 2], [3, 7, 7]])
    paths = [OUT, "decoder.0.feed_forward.out", "decoder.0.self_attn.context"]
    paths += ["decoder.0.cross_attn.k", "decoder.0.cross_attn.weights", "output.probabilities"]
    padded = mean_values(model(source, target), paths)
    apart = [model(source[0], target[0]), model(source[1][:2], target[1][:1])]
    one_by_one = mean_values(apart, paths)
    single = mean_values([model(source[0], target[0]), model(source[1], target[1])], paths)
    for path in paths:
        np.testing.assert_allclose(padded[path], one_by_one[path], rtol=1e-9)
        np.testing.assert_allclose(single[path], one_by_one[path], rtol=1e-9)
    with pytest.raises(ValueError, match=r"Every row of .* is padding"):
        mean_values(model([5, 5], [1]), OUT)
    only = lively(decoder_layers=0, source_pad=5)
    both = only(source)
    rows = np.concatenate([both[OUT].value[0], both[OUT].value[1, :2]])
    np.testing.assert_allclose(mean_values(both, OUT)[OUT], rows.mean(0), rtol=1e-9)


def test_overrides_that_silence_a_head_may_use_the_path_of_the_head() -> None:
    found = silenced(TRACE, HEAD)
    named, stored = (MODEL(SOURCE, TARGET, overrides={path: found}) for path in (HEAD, CONTEXT))
    np.testing.assert_array_equal(named[P].value, stored[P].value)
    assert not named[HEAD].value.any()
    assert named["decoder.0.cross_attn.head.0.context"].value.any()


@pytest.mark.parametrize("bias", [False, True])
def test_a_model_without_heads_is_one_with_all_heads_silenced(bias: bool) -> None:
    model = lively(attention_bias=bias)
    heads = every_head(model)
    assert heads[:2] == ["encoder.0.self_attn.head.0", "encoder.0.self_attn.head.1"]
    assert len(heads) == 2 * (model.config.encoder_layers + 2 * model.config.decoder_layers)
    for some in (heads[:1], heads[-2:], heads[::3]):
        quiet = model(SOURCE, TARGET, hooks={f"{head}.context": np.zeros_like for head in some})
        copy = without_heads(model, some)
        np.testing.assert_array_equal(copy(SOURCE, TARGET)[P].value, quiet[P].value)
    assert without_heads(model, []).parameters.keys() == model.parameters.keys()
    pairs = phrases(held_out=4)
    small = Transformer.create(config_for(pairs), seed=0)
    assert exact_matches(without_heads(small, every_head(small)), pairs) == (0, 4)


WISH = [Wish(P, (1, 2), 0.5)]
FREE = ["output.W_out"]
REFUSED: dict[str, tuple[Any, str]] = {
    "label smoothing of a pass": (
        lambda: MODEL(SOURCE, TARGET, label_smoothing=0.1),
        r"labels=Labels\(ids, smoothing=0\.1\) is meant",
    ),
    "the ids of another library": (lambda: MODEL(input_ids=SOURCE), "source_ids is meant"),
    "labels without a trace": (lambda: MODEL.logits(SOURCE, TARGET, labels=[1]), "without a trace"),
    "a learning rate": (lambda: Recipe(learning_rate=1e-3), "peak_learning_rate is meant"),
    "epochs": (lambda: Recipe(epochs=3), "steps, one for each batch, is meant"),
    "two betas": (lambda: Recipe(betas=(0.9, 0.98)), "beta_1 and beta_2 are meant"),
    "smoothing of labels": (lambda: Labels([1], label_smoothing=0.1), "smoothing is meant"),
    "new tokens": (lambda: Decoding(1, 2, max_new_tokens=3), "max_length is meant"),
    "the start of a target": (lambda: Decoding(bos=1, end=2, max_length=3), "start is meant"),
    "beams": (
        lambda: beam_search(MODEL, SOURCE, Decoding(1, 2, 3), num_beams=4),
        "beam_search has no setting called num_beams; beam_size is meant",
    ),
    "a length for a search": (
        lambda: greedy_decode(MODEL, SOURCE, Decoding(1, 2, 3), max_new_tokens=3),
        r"Decoding\(start, end, max_length\) is meant",
    ),
    "a temperature": (lambda: Sampling(temp=0.5), "temperature is meant"),
    "a temperature for sample": (
        lambda: sample(MODEL, SOURCE, Decoding(1, 2, 3), temperature=0.5),
        r"sample\(…, Sampling\(…\)\) is meant",
    ),
    "no loss": (lambda: TRACE.backward(), r"give it labels, as model\(…, labels=ids\)"),
    "no gradient": (
        lambda: explain_gradient(TRACE, P, (0, 1)),
        r"give labels to the pass, and call trace.backward\(\)",
    ),
    "a model of other data": (lambda: Trainer(MODEL, phrases()), r"make it by config_for\(pairs\)"),
    "a model instead of a pass": (
        lambda: ended(MODEL, WISH, FREE),
        r"lambda arrays: model\(source, target, overrides=dict\(arrays\)\)",
    ),
    "cells instead of a mask": (
        lambda: ended(forward, WISH, {"output.W_out": [(0, 0)]}),
        "None for all of it, or has its shape",
    ),
    "heads of a config": (lambda: Config(n_heads=3), "heads is meant"),
    "the sizes of no data": (lambda: config_for(phrases(), n_heads=3), "heads is meant"),
    "no such path": (lambda: TRACE["encoder.0.out"], "Paths that end so: encoder"),
    "all heads at once": (lambda: silenced(TRACE, CONTEXT), r"name one of them, such as .*head\.0"),
    "nearly a path": (lambda: TRACE["output.probability"], r"Near to it: output\.probabilities"),
    "a head instead of its tensor": (
        lambda: silenced(TRACE, "decoder.0.cross_attn.head.1"),
        r"name a tensor of it, such as decoder\.0\.cross_attn\.",
    ),
    "nothing near": (lambda: TRACE["xyz"], r"list\(trace\) has all"),
    "a hook of no path": (
        lambda: MODEL(SOURCE, TARGET, hooks={"encoder.0.out": np.zeros_like}),
        "Paths that end so: encoder",
    ),
    "an override of no path, without a trace": (
        lambda: MODEL.logits(SOURCE, TARGET, overrides={"output.W_o": np.zeros(3)}),
        r"There is no tensor output\.W_o",
    ),
    "a word instead of its id": (
        lambda: ended(forward, [(P, (1, "cat"), 0.5)], FREE),
        "a word is named by its id",
    ),
    "no such head to leave out": (
        lambda: without_heads(MODEL, "decoder.0.cross_attn.head.9"),
        r"there are encoder\.0\.self_attn\.head\.0, ",
    ),
    "a read of one pass alone": (
        lambda: patch_map(TRACE, OTHER, {OUT: range(4)}, lambda t: t[P].value[1, 99]),
        r"value\[\.\.\., i, j\]",
    ),
    "one text instead of texts": (lambda: next_words("a b. c d."), r"splitlines"),
    "a source of a decoder alone": (
        lambda: greedy_decode(lively(encoder_layers=0), SOURCE, Decoding(1, 2, 3)),
        r"prefix=ids",
    ),
    "what is read": (
        lambda: patch_map(TRACE, OTHER, {OUT: range(4)}, lambda t: t[P].value),
        r"value\[\.\.\., i, j\]",
    ),
    "a batch pulled": (
        lambda: ended(lambda _: BATCH, WISH, FREE),
        r"take trace\.example\(0\)|One text is asked for",
    ),
    "a wish that is none": (lambda: ended(forward, [(P, 0.5)], FREE), r"Wish\(path, cell, value\)"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_error_states_in_one_sentence_what_to_write_instead(case: str) -> None:
    call, said = REFUSED[case]
    with pytest.raises(ValueError, match=said) as told:
        call()
    sentence = str(told.value)
    assert "\n" not in sentence
    assert not sentence.startswith(("'", '"'))
    assert sentence.endswith((".", "]", "…", "}"))


def test_an_error_also_has_the_type_that_python_uses_for_it() -> None:
    assert issubclass(NoSuchPath, KeyError)
    assert issubclass(UnknownSetting, TypeError)
    assert "ValueError" in (transformer_math.__doc__ or "")
