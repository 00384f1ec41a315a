import numpy as np
import pytest

from transformer_math import Config, Transformer

TOKENS = ["the", "cat", "sat", "on", "mat"]
WORDS = ["<sos>", "le", "chat"]


def create(seed: int = 5, tokens=TOKENS, words=WORDS, **changes) -> Transformer:
    sizes = {"source_vocabulary": len(tokens), "target_vocabulary": len(words)}
    config = Config.preset("sandbox", **{**sizes, **changes})
    return Transformer.create(config, seed, tokens, words)


def same(one: Transformer, other: Transformer, paths=None) -> None:
    for path in paths or one.parameters:
        np.testing.assert_array_equal(one.parameters[path], other.parameters[path], err_msg=path)


def test_the_same_seed_gives_the_same_bits() -> None:
    same(create(), create())


def test_another_seed_gives_other_numbers() -> None:
    one, other = create(5), create(6)
    for path, value in one.parameters.items():
        constant = path.endswith(("gamma", "beta")) or ".b_" in path
        assert np.array_equal(value, other.parameters[path]) == constant, path


def test_no_two_parameters_are_equal() -> None:
    model = create(encoder_layers=2, decoder_layers=2)
    drawn = [value for value in model.parameters.values() if np.ptp(value)]
    seen = {value.tobytes() for value in drawn}
    assert len(seen) == len(drawn)


@pytest.mark.parametrize(
    "change",
    [{"encoder_layers": 4}, {"decoder_layers": 3}, {"attention_bias": True}, {"norm": "pre"}],
    ids=str,
)
def test_another_part_does_not_change_the_others(change: dict) -> None:
    same(create(), create(**change))


def test_a_wider_network_keeps_parameters_of_the_same_shape() -> None:
    one, other = create(), create(d_ff=17)
    alike = [p for p, v in one.parameters.items() if v.shape == other.parameters[p].shape]
    assert {p for p in one.parameters if p not in alike} == {
        f"{stack}.0.feed_forward.{leaf}"
        for stack in ("encoder", "decoder")
        for leaf in ("W_1", "b_1", "W_2")
    }
    same(one, other, alike)


def test_another_token_does_not_change_the_others() -> None:
    one = create()
    other = create(tokens=["dog", *TOKENS], words=[*WORDS, "chien"])
    np.testing.assert_array_equal(other.parameters["source.W_e"][1:], one.parameters["source.W_e"])
    np.testing.assert_array_equal(other.parameters["target.W_e"][:3], one.parameters["target.W_e"])
    columns = other.parameters["output.W_out"]
    np.testing.assert_array_equal(columns[:, :3], one.parameters["output.W_out"])
    inner = [path for path in one.parameters if "W_e" not in path and "W_out" not in path]
    same(one, other, inner)


def test_a_token_has_one_embedding_at_every_position() -> None:
    model = create(tokens=["le", "a"], words=["b", "c", "le"])
    source, target = model.parameters["source.W_e"], model.parameters["target.W_e"]
    np.testing.assert_array_equal(source[0], target[2])
    assert not np.array_equal(source[1], target[0])


def test_a_larger_vocabulary_without_names_begins_with_the_smaller_one() -> None:
    small, large = (
        Transformer.create(Config.preset("sandbox", target_vocabulary=size), 2) for size in (16, 19)
    )
    for path in ("source.W_e", "encoder.0.self_attn.W_q"):
        np.testing.assert_array_equal(small.parameters[path], large.parameters[path])
    np.testing.assert_array_equal(
        small.parameters["target.W_e"], large.parameters["target.W_e"][:16]
    )
    np.testing.assert_array_equal(
        small.parameters["output.W_out"], large.parameters["output.W_out"][:, :16]
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_another_dtype_only_rounds_the_numbers(dtype: str) -> None:
    wide = create(dtype="float64")
    for path, value in create(dtype=dtype).parameters.items():
        np.testing.assert_allclose(value, wide.parameters[path], rtol=1e-7, err_msg=path)


def test_scaled_embeddings_have_the_size_of_the_positions() -> None:
    """A deviation of d^(−1/2) times √d is 1, like that of sines and cosines."""
    config = Config.preset("sandbox", d_model=64, source_vocabulary=500)
    model = Transformer.create(config, 1)
    values = model(range(500), [1])["source.embedding"].value
    assert abs(values.std() - 1) < 0.02
