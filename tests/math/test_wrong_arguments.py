import inspect
import pickle
from types import ModuleType

import numpy as np
import pytest

import transformer_math as tm
from tests.math.public_calls import CALLS, MODEL, PAIRS
from tests.math.tiny import VARIANTS, tiny
from tests.wrong_arguments import faults, wrong_calls
from transformer_math import attention, experiments, masks, ops, positional

# Objects that functions return, and errors, which users do not create.
RETURNED = {
    *("Diverged", "LayerCost", "NoSuchFile", "NoSuchPath", "Progress", "Tensor", "Trace"),
    *(
        "UnknownSetting",
        "WrongArgument",
        "Free",
        "Likeliest",
        "PatchMap",
        "Pulled",
        "RunningSum",
        "SingleNumber",
    ),
    *("SingleNumbers", "Unit", "Wish"),
}
ROWS, ROW = np.ones((2, 3)), np.ones(3)
TEXTS = [f"the {word} sleeps" for word in "abcdefghijklmnopqrstuvwxyz"]
# Functions of the layers, which a scope calls.
OF_LAYERS = {"attend", "multi_head", "parameters", "unprojected"}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_valid_call_works(call):
    call()


@pytest.mark.parametrize(("call", "names"), wrong_calls(CALLS))
def test_a_wrong_argument_is_named_in_one_sentence(call, names):
    assert not faults(call, names)


def public():
    """Return the exported functions and classes by name."""
    for module in (tm, experiments):
        for name in module.__all__:
            found = getattr(module, name)
            if callable(found) and not isinstance(found, ModuleType):
                yield name, found
    for module in (attention, masks, ops, positional):
        for name, found in vars(module).items():
            own = inspect.isfunction(found) and found.__module__.startswith(module.__name__)
            if own and not name.startswith("_"):
                yield name, found


def test_every_public_function_with_arguments_is_called():
    left_out = RETURNED | OF_LAYERS
    called = {name.partition(".")[0] for name in CALLS}
    missing = {
        name
        for name, found in public()
        if name not in called | left_out and inspect.signature(found).parameters
    }
    assert not missing


def test_every_argument_of_a_called_function_is_tried():
    for name, call in CALLS.items():
        wanted = [
            each.name
            for each in inspect.signature(call.function).parameters.values()
            if each.kind is not each.VAR_KEYWORD
        ]
        left = set(wanted) - set(call.arguments) - MORE_LIKE_OTHERS.get(name, set())
        assert not left, name


# Arguments that are like another one, so only one of each kind is tried.
MORE_LIKE_OTHERS = {
    "DropoutRates": {"attention_output", "feed_forward_output"},
    "from_true_means_attend": {"dtype"},
    "from_true_means_masked": {"dtype"},
    "nothing_hidden": {"dtype"},
    "padding": {"dtype"},
    "Trainer.load": {"shards", "map_shards"},
}


@pytest.mark.parametrize(
    "change",
    [
        lambda parameters: parameters.__setitem__("source.W_e", 1),
        lambda parameters: parameters.update({"source.W_e": 1}),
        lambda parameters: parameters.pop("source.W_e"),
        lambda parameters: parameters.clear(),
        lambda parameters: parameters.setdefault("more", 1),
        lambda parameters: parameters.__delitem__("source.W_e"),
        lambda parameters: parameters.__ior__({"source.W_e": 1}),
        lambda parameters: parameters.popitem(),
    ],
)
def test_the_parameters_of_a_model_refuse_every_change(change):
    before = {path: array.copy() for path, array in MODEL.parameters.items()}
    with pytest.raises(TypeError, match=r"^The parameters of a model are read-only: .*\.$"):
        change(MODEL.parameters)
    assert MODEL.parameters.keys() == before.keys()
    assert all(np.array_equal(MODEL.parameters[path], before[path]) for path in before)


def test_the_parameters_of_a_model_can_be_copied_and_pickled():
    again = pickle.loads(pickle.dumps(MODEL.parameters))
    assert again.keys() == MODEL.parameters.keys()
    assert {**MODEL.parameters}.keys() == again.keys()
    with pytest.raises(TypeError, match="read-only"):
        again["source.W_e"] = 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: tm.config_for(PAIRS, layers=2), "layers; decoder_layers is meant."),
        (lambda: tm.config_for(PAIRS, vocab_size=2), "vocab_size; target_vocabulary is meant."),
        (lambda: tm.Config(layers=2), "layers; encoder_layers and decoder_layers are meant."),
        (lambda: tm.Config(decoder_layers=0, n_layer=2), "n_layer; encoder_layers is meant."),
        (lambda: tm.Config.preset("gpt2", num_layers=2), "num_layers; decoder_layers is meant."),
        (lambda: tm.Config.preset("bert-base", decoder_layer=2), "; encoder_layers is meant."),
    ],
)
def test_a_suggestion_names_no_stack_that_the_model_lacks(call, said):
    with pytest.raises(tm.UnknownSetting) as error:
        call()
    assert str(error.value).endswith(said)


@pytest.mark.parametrize("run", [tm.Transformer.__call__, tm.Transformer.logits])
@pytest.mark.parametrize(
    ("variant", "extra", "read"),
    [("decoder_only", "source_ids", "target_ids"), ("encoder_only", "target_ids", "source_ids")],
)
def test_ids_for_a_stack_that_the_model_lacks_are_refused(run, variant, extra, read):
    model = tiny(**VARIANTS[variant])
    run(model, **{read: [1, 2]})
    with pytest.raises(ValueError, match=f"{extra} is given, .* reads {read} alone: write {read}="):
        run(model, **{read: [1, 2], extra: [1, 2]})


@pytest.mark.parametrize(
    ("calls", "right", "wrong"),
    [
        (
            [lambda x: tm.Config(epsilon=x), lambda x: ops.layer_norm(ROWS, ROW, epsilon=x)],
            [1e-12, 2.0],
            [0, -1e-5],
        ),
        (
            [lambda x: tm.Recipe(epsilon=x), lambda x: tm.Adam(np.ones(2), epsilon=x)],
            [1e-30, 1.0],
            [0, 1e-31, 2.0],
        ),
        (
            [
                lambda x: tm.phrases(held_out=x),
                lambda x: tm.dates(held_out=x),
                lambda x: tm.next_words(TEXTS, held_out=x),
                lambda x: tm.blanks(TEXTS, held_out=x),
            ],
            [None, 1, 3],
            [0, -1, 10**6],
        ),
    ],
)
def test_an_argument_of_several_functions_has_the_same_range_in_all(calls, right, wrong):
    for call in calls:
        for value in right:
            call(value)
        for value in wrong:
            with pytest.raises(ValueError, match=r"epsilon|held_out"):
                call(value)


def test_by_default_a_tenth_is_held_out_and_at_most_a_thousand():
    for data in (tm.phrases(), tm.dates(), tm.next_word_phrases(), tm.blank_phrases()):
        assert len(data.held_out_target) == 1000
    assert len(tm.next_words(TEXTS).held_out_target) == len(TEXTS) // 10
    assert len(tm.pairs([(text, text) for text in TEXTS]).held_out_target) == len(TEXTS) // 10
