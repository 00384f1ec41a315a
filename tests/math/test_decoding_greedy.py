"""Greedy decoding, compared with a whole pass at every step."""

from typing import Any

import numpy as np
import pytest

from tests.math.lively import lively
from tests.math.tiny import SOURCE, VARIANTS, tiny
from transformer_math import Decoding, Transformer, beam_search, greedy_decode, sample
from transformer_math.ops import log_softmax

SOURCES = np.random.default_rng(5).integers(0, 13, (12, 5))
ASK: dict[str, Any] = {"start": 2, "end": 12, "max_length": 6}
ENDS = (1, 3, 6, 12)  # each ends some rows of some variants early, and leaves others


def asked(**changes: Any) -> Decoding:
    return Decoding(**{**ASK, **changes})


def by_whole_passes(model: Transformer, source: Any, tokens: list[int], end: int, limit: int):
    """Return, by definition, the ids, their log P and every step's log P of all tokens."""
    written, steps = [], []
    while len(written) < limit and end not in written:
        steps.append(log_softmax(model.logits(source, tokens + written)[-1]))
        written.append(int(steps[-1].argmax()))
    return written, sum(step[token] for step, token in zip(steps, written, strict=True)), steps


ONE_STACK = {"encoder_layers": 0, "decoder_layers": 0}.items()
BOTH = [name for name, settings in VARIANTS.items() if not ONE_STACK & settings.items()]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("name", BOTH)
def test_a_batch_gives_the_results_of_its_single_sources(name: str, end: int) -> None:
    model = lively(**VARIANTS[name])
    tolerance = 1e-11 if model.config.dtype == "float64" else 1e-4
    found = greedy_decode(model, SOURCES, asked(end=end), keep_probabilities=True)
    for row, source in enumerate(SOURCES):
        ids, total, steps = by_whole_passes(model, source, [2], end, 6)
        n = len(ids)
        padded = ids + [end] * (found.ids.shape[1] - n)
        np.testing.assert_array_equal(found.ids[row], padded)
        assert found.lengths[row] == n
        assert found.finished[row] == (ids[-1] == end)
        assert found.rows()[row] == [token for token in ids if token != end]
        assert found.log_probability[row] == pytest.approx(total, abs=tolerance)
        probabilities = found.probabilities[row]
        np.testing.assert_allclose(probabilities[:n], np.exp(steps), atol=tolerance)
        assert not probabilities[n:].any()


def test_decoding_ends_with_the_longest_row() -> None:
    model = tiny()
    bias = np.zeros(17)
    bias[12] = 100
    ended = greedy_decode(
        model.with_parameters({"output.b_out": bias}), SOURCES, asked(), keep_probabilities=True
    )
    assert ended.ids.tolist() == [[12]] * len(SOURCES)
    assert ended.rows() == [[]] * len(SOURCES)
    assert ended.probabilities.shape == (len(SOURCES), 1, 17)


def test_by_default_distributions_are_kept_only_for_one_source() -> None:
    model = tiny()
    one = greedy_decode(model, SOURCE, asked())
    assert one.ids.shape[0] == 1
    np.testing.assert_allclose(one.probabilities.sum(-1), 1, atol=1e-12)
    assert greedy_decode(model, SOURCES, asked()).probabilities is None
    assert greedy_decode(model, SOURCE, asked(), keep_probabilities=False).probabilities is None


def test_equal_logits_give_the_lowest_token() -> None:
    model = tiny()
    flat = {"output.W_out": np.zeros((6, 17)), "output.b_out": np.zeros(17)}
    found = greedy_decode(model.with_parameters(flat), SOURCE, asked())
    assert found.ids.tolist() == [[0] * 6]
    assert found.log_probability[0] == pytest.approx(-6 * np.log(17))


def test_a_prefix_counts_as_written() -> None:
    model = lively()
    expected, total, _ = by_whole_passes(model, SOURCE, [2, 7, 9], 12, 6)
    found = greedy_decode(model, SOURCE, asked(prefix=[7, 9]))
    assert found.ids[0].tolist() == expected
    assert found.log_probability[0] == pytest.approx(total, abs=1e-11)
    for_all = greedy_decode(model, SOURCES, asked(prefix=[7, 9]))
    for_each = greedy_decode(model, SOURCES, asked(prefix=[[7, 9]] * len(SOURCES)))
    np.testing.assert_array_equal(for_all.ids, for_each.ids)


def test_a_decoder_only_model_continues_its_prefix() -> None:
    model = lively(encoder_layers=0)
    prefixes = [[7, 9, 1], [0, 5, 12]]
    found = greedy_decode(model, None, asked(prefix=prefixes))
    for row, prefix in enumerate(prefixes):
        expected, _, _ = by_whole_passes(model, None, [2, *prefix], 12, 6)
        assert found.ids[row, : found.lengths[row]].tolist() == expected
    assert greedy_decode(model, None, asked()).ids.shape[0] == 1


def test_learned_positions_are_used_up_to_the_last() -> None:
    model = tiny(positions="learned", max_positions=6)
    assert greedy_decode(model, SOURCE, asked(end=16)).ids.shape == (1, 6)
    with pytest.raises(ValueError, match="needs 7 positions, and the model has learned 6"):
        greedy_decode(model, SOURCE, asked(prefix=[1]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start": 17}, "start is a token from 0 to 16, not 17"),
        ({"prefix": [17]}, "prefix lie from 0 to 16"),
        ({"prefix": [[1], [2]]}, "prefix has 2 rows, and the source has 12"),
    ],
)
def test_wrong_arguments_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        greedy_decode(tiny(), SOURCES, asked(**changes))


def test_forbidden_tokens_are_not_written() -> None:
    model = lively()
    written = set(greedy_decode(model, SOURCE, Decoding(0, 1, 6)).ids.ravel().tolist()) - {1}
    assert written
    without = Decoding(0, 1, 6, forbidden_tokens=written)
    beam = beam_search(model, SOURCE, without, beam_size=3)
    for decoded in (
        greedy_decode(model, SOURCE, without).ids.ravel(),
        sample(model, SOURCE, without).ids,
        np.array([node.token for node in beam.nodes[1:]]),
    ):
        assert not written & set(decoded.tolist())
    with pytest.raises(ValueError, match="forbidden_tokens"):
        greedy_decode(model, SOURCE, Decoding(0, 1, 6, [999]))


WAYS = {
    "greedy": greedy_decode,
    "beam": lambda *given: beam_search(*given, beam_size=2),
    "sample": sample,
}


@pytest.mark.parametrize("way", WAYS)
def test_forbidden_tokens_may_not_be_all_tokens(way: str) -> None:
    with pytest.raises(ValueError, match=r"^Every token is forbidden.*\.$"):
        WAYS[way](tiny(), SOURCE, Decoding(1, 2, 4, forbidden_tokens=range(17)))
    blocked = tiny().with_parameters({"output.b_out": np.where(np.arange(17) == 5, 0, -np.inf)})
    with pytest.raises(ValueError, match=r"−∞\.$"):
        WAYS[way](blocked, SOURCE, Decoding(1, 2, 4, forbidden_tokens=[5]))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [np.array, set, tuple])
def test_forbidden_tokens_may_be_in_any_collection(way: str, kind) -> None:
    found, expected = (
        WAYS[way](tiny(), SOURCE, Decoding(1, 2, 4, forbidden_tokens=tokens))
        for tokens in (kind([12, 3]), [12, 3])
    )
    ids = [x.path(x.best) if way == "beam" else x.ids.tolist() for x in (found, expected)]
    assert ids[0] == ids[1]
