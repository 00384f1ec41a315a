import dataclasses
import json

import numpy as np
import pytest

from tests.math.tiny import SOURCE, TARGET, VARIANTS, tiny
from transformer_math import (
    Config,
    Decoding,
    DropoutRates,
    Labels,
    Recipe,
    Sampling,
    Transformer,
    beam_search,
)
from transformer_math.config import PRESETS
from transformer_math.training.optimizer import Adam
from transformer_math.training.schedules import Noam


def count(config: Config) -> int:
    """Return the number of parameters by Figure 1 of the paper, not by the model's own list."""
    d, f, h = config.d_model, config.d_ff or 4 * config.d_model, config.heads
    k, v = config.d_k or d // h, config.d_v or d // h
    norm = 2 * d
    attention = 2 * d * h * k + 2 * d * h * v + norm
    attention += config.attention_bias * (2 * h * k + h * v + d)
    feed_forward = 2 * d * f + norm + config.feed_forward_bias * (f + d)
    encoders, decoders = config.encoder_layers, config.decoder_layers
    total = encoders * (attention + feed_forward)
    total += decoders * ((2 if encoders else 1) * attention + feed_forward)
    final = config.norm == "pre" if config.final_norm is None else config.final_norm
    stacks = bool(encoders) + bool(decoders)
    total += final * stacks * norm
    if encoders:
        total += config.source_vocabulary * d
    if decoders and not (config.share_embeddings and encoders):
        total += config.target_vocabulary * d
    if config.positions == "learned":
        total += stacks * config.max_positions * d
    words = config.target_vocabulary if decoders else config.source_vocabulary
    total += config.embedding_norm * stacks * norm
    total += config.output_transform * (d * d + d + norm)
    total += 0 if config.tie_output else words * d
    return total + config.output_bias * words


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_number_of_parameters_of_each_variant_is_right(variant: str) -> None:
    model = tiny(**VARIANTS[variant])
    assert model.config.parameter_count() == count(model.config)
    assert sum(value.size for value in model.parameters.values()) == count(model.config)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_number_of_parameters_of_each_preset_is_right(preset: str) -> None:
    config = Config.preset(preset)
    assert config.parameter_count() == count(config)


@pytest.mark.parametrize(
    ("preset", "parameters", "kind"),
    [
        ("gpt2", 124_439_808, "decoder-only"),
        # As in BertForMaskedLM, but without the embeddings of two kinds of segments.
        ("bert-base", 109_514_298 - 2 * 768, "encoder-only"),
    ],
)
def test_models_of_one_stack_have_their_known_size(preset: str, parameters: int, kind: str) -> None:
    config = Config.preset(preset)
    assert (config.parameter_count(), config.kind) == (parameters, kind)


@pytest.mark.parametrize(("preset", "millions"), [("paper-base", "63.1"), ("paper-big", "214.2")])
def test_the_paper_s_models_with_a_tied_vocabulary_of_37_000(preset: str, millions: str) -> None:
    """Often quoted as about 65 and 213 million."""
    config = Config.preset(preset)
    assert (config.source_vocabulary, config.target_vocabulary) == (37_000, 37_000)
    assert config.tie_output
    assert config.share_embeddings
    assert f"{config.parameter_count() / 1e6:.1f}" == millions


@pytest.mark.parametrize(
    ("preset", "expected"),
    [("paper-base", (512, 8, 2048, 6, 64, 0.1)), ("paper-big", (1024, 16, 4096, 6, 64, 0.3))],
)
def test_presets_have_the_sizes_of_the_paper(preset: str, expected: tuple) -> None:
    """Table 3."""
    config = Config.preset(preset)
    assert config.encoder_layers == config.decoder_layers
    found = (
        config.d_model,
        config.heads,
        config.feed_forward_width,
        config.encoder_layers,
        config.key_width,
        config.dropout.embedding,
    )
    assert found == expected
    assert config.dropout == DropoutRates.paper(expected[-1])  # Section 5.4
    assert config.value_width == config.key_width
    assert (config.norm, config.activation, config.positions) == ("post", "relu", "sinusoidal")
    assert config.embedding_scale
    assert not config.has_final_norm


def test_a_preset_can_be_changed_and_an_unknown_one_is_refused() -> None:
    assert Config.preset("dates", d_model=16).d_model == 16
    with pytest.raises(ValueError, match="sandbox"):
        Config.preset("paper-huge")


def test_settings_are_frozen_and_comparable() -> None:
    config = Config.preset("sandbox")
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.d_model = 16
    assert config == Config.preset("sandbox")
    assert hash(config) == hash(Config.preset("sandbox"))


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_config_is_restored_from_plain_data(variant: str) -> None:
    config = tiny(**VARIANTS[variant], dropout=DropoutRates.torch(0.2), residual=False).config
    data = json.loads(json.dumps(config.as_dict()))
    assert Config.from_dict(data) == config
    assert data["dropout"]["activation"] == 0.2


def test_settings_missing_in_plain_data_have_their_defaults() -> None:
    assert Config.from_dict({}) == Config()
    assert Config.from_dict({"dropout": {"embedding": 0.5}}).dropout == DropoutRates(0.5)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"color": "red", "d_model": 8}, "no setting called color"),
        ({"dropout": 0.1}, "each of its five sites"),
        ({"dropout": None}, "each of its five sites"),
        ({"dropout": {"everywhere": 0.1}}, "each of its five sites"),
        ({"dropout": {"embedding": "much"}}, "embedding lies from 0 to below 1"),
        ({"d_model": "wide"}, "d_model is a whole number"),
        ({"activation": []}, "activation is one of"),
    ],
    ids=str,
)
def test_plain_data_without_a_valid_config_is_refused(data: dict, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^[^\n]*{message}[^\n]*\.$"):
        Config.from_dict(data)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_without_the_residual_connection_the_input_of_a_sublayer_is_not_added(norm: str) -> None:
    """The parameters are the same; the sum is the output of the sublayer."""
    with_it, without = (tiny(norm=norm, residual=on) for on in (True, False))
    assert with_it.parameters.keys() == without.parameters.keys()
    assert with_it.config.residual
    trace, plain = without(SOURCE, TARGET), with_it(SOURCE, TARGET)
    sums = [trace[path] for path in trace if path.endswith(".residual")]
    assert len(sums) == 5
    for tensor in sums:
        scope = tensor.path.removesuffix("residual")
        np.testing.assert_array_equal(tensor.value, trace[scope + "dropout"].value)
        assert [source.path for source in tensor.inputs] == [scope + "dropout"]
        x = plain[scope + "residual"].inputs[0]
        expected = x.value + plain[scope + "dropout"].value
        np.testing.assert_array_equal(plain[scope + "residual"].value, expected)
    np.testing.assert_array_equal(without.logits(SOURCE, TARGET), trace["output.logits"].value)


def test_settings_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="layer"):
        Config.preset("sandbox", encoder_layers=0, decoder_layers=0)
    with pytest.raises(ValueError, match="3"):
        Config.preset("sandbox", share_embeddings=True, target_vocabulary=3)


def test_heads_with_their_own_width_need_not_divide_d_model() -> None:
    config = Config.preset("sandbox", heads=3, d_k=5, d_v=2)
    assert (config.key_width, config.value_width) == (5, 2)


@pytest.mark.parametrize("wrong", ["missing", "unknown", "shape"])
def test_parameters_that_do_not_fit_are_refused(wrong: str) -> None:
    model = tiny()
    parameters = dict(model.parameters)
    if wrong == "missing":
        del parameters["encoder.0.self_attn.W_o"]
    elif wrong == "unknown":
        parameters["encoder.9.self_attn.W_o"] = np.zeros((6, 6))
    else:
        parameters["encoder.0.self_attn.W_q"] = np.zeros((6, 2, 3))
    with pytest.raises(ValueError, match=r"encoder\.\d\.self_attn\.W_[oq]"):
        Transformer(model.config, parameters)


SETTINGS_OF = {
    "a config": lambda i, x: Config(
        d_model=i(8), heads=i(2), source_pad=i(1), epsilon=x(1e-5), norm=np.str_("pre")
    ),
    "dropout": lambda i, x: DropoutRates(embedding=x(0.5)),
    "a recipe": lambda i, x: Recipe(steps=i(200), clip=x(0.5), smoothing=x(0.25)),
    "decoding": lambda i, x: Decoding(i(1), i(2), i(9)),
    "sampling": lambda i, x: Sampling(x(0.5), i(3), x(0.75)),
    "a schedule": lambda i, x: Noam(i(8), i(4), x(0.5)),
    "labels": lambda i, x: Labels((), x(0.5)),
    "Adam": lambda i, x: Adam(np.zeros(3), x(0.5), x(0.75), x(0.125)),
}


@pytest.mark.parametrize("what", SETTINGS_OF)
@pytest.mark.parametrize("kinds", [(np.int64, np.float64), (np.uint8, np.float32), (np.array,) * 2])
def test_numpy_numbers_become_numbers_of_python(what: str, kinds) -> None:
    found, expected = SETTINGS_OF[what](*kinds), SETTINGS_OF[what](int, float)
    for name in getattr(expected, "__slots__", vars(expected) if what == "Adam" else ()):
        a, b = getattr(found, name), getattr(expected, name)
        if not name.startswith("_") and not isinstance(b, tuple):
            assert type(a) is type(b), name
            assert a == pytest.approx(b) if isinstance(b, float) else a == b, name


def test_a_config_of_numpy_numbers_becomes_json() -> None:
    config = Config(d_model=np.int32(8), heads=np.int8(2), residual=np.False_)
    assert Config.from_dict(json.loads(json.dumps(config.as_dict()))) == config
    assert config.residual is False
    with pytest.raises(ValueError, match="d_model is a whole number"):
        Config(d_model=np.float64(8.5))
    with pytest.raises(ValueError, match="d_model is a whole number"):
        Config(d_model=np.True_)


def test_numpy_numbers_are_accepted_as_arguments() -> None:
    model, decoding = tiny(), Decoding(1, 2, 4)
    found = beam_search(model, SOURCE, decoding, beam_size=np.int64(2), alpha=np.float32(0.5))
    assert found.best == beam_search(model, SOURCE, decoding, beam_size=2, alpha=0.5).best
