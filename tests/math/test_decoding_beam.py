"""Beam search, compared with all sequences and with greedy decoding, and as a tree."""

import itertools
from typing import Any

import numpy as np
import pytest

from tests.math.lively import lively
from tests.math.tiny import SOURCE, tiny
from transformer_math import Decoding, Transformer, beam_search, greedy_decode, sample
from transformer_math.decoding import BeamResult
from transformer_math.ops import log_softmax

Hypotheses = list[tuple[list[int], float]]
SOURCES = np.random.default_rng(8).integers(0, 13, (10, 4))
FEW = {"target_vocabulary": 4}


def log_p(model: Transformer, source: Any, tokens: list[int]) -> np.ndarray:
    return log_softmax(model.logits(source, tokens)[-1])


def every_sequence(
    model: Transformer, source: Any, start: int, end: int, max_length: int, alpha: float
) -> Hypotheses:
    """Return all sequences that end, or reach max_length, with their scores, best first."""
    scored = []
    for length in range(1, max_length + 1):
        for tokens in itertools.product(range(model.config.target_vocabulary), repeat=length):
            if end in tokens[:-1] or (tokens[-1] != end and length < max_length):
                continue
            steps = [log_p(model, source, [start, *tokens[:i]])[tokens[i]] for i in range(length)]
            scored.append((list(tokens), sum(steps) / ((5 + length) / 6) ** alpha))
    return sorted(scored, key=lambda pair: -pair[1])


def to_the_limit(
    model: Transformer, source: Any, decoding: Decoding, beam_size: int, alpha: float
) -> Hypotheses:
    """Return the result of the same search by whole passes, without early stopping."""
    beam: list[tuple[list[int], float]] = [([], 0.0)]
    ended: Hypotheses = []
    end = decoding.end
    for length in range(1, decoding.max_length + 1):
        children = [
            ([*tokens, token], total + own)
            for tokens, total in beam
            for token, own in enumerate(log_p(model, source, [decoding.start, *tokens]))
        ]
        best = sorted(children, key=lambda child: -child[1])[:beam_size]
        penalty = ((5 + length) / 6) ** alpha
        ended += [(ids, total / penalty) for ids, total in best if ids[-1] == end]
        beam = [child for child in best if child[0][-1] != end]
    ended += [(tokens, total / penalty) for tokens, total in beam]
    return sorted(ended, key=lambda pair: -pair[1])[:beam_size]


def agree(beam: BeamResult, expected: Hypotheses) -> None:
    assert [beam.path(node) for node in beam.hypotheses] == [ids for ids, _ in expected]
    scores = [node.score for node in beam.hypotheses]
    np.testing.assert_allclose(scores, [score for _, score in expected], rtol=0, atol=1e-11)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 3.0])
@pytest.mark.parametrize(("vocabulary", "max_length"), [(3, 4), (4, 3), (2, 5)])
def test_a_beam_as_wide_as_all_sequences_finds_the_best_sequence(
    vocabulary: int, max_length: int, alpha: float
) -> None:
    model = lively(target_vocabulary=vocabulary)
    for source in SOURCES[:3]:
        expected = every_sequence(model, source, 0, 1, max_length, alpha)
        beam_size = vocabulary**max_length
        beam = beam_search(
            model, source, Decoding(0, 1, max_length), beam_size=beam_size, alpha=alpha
        )
        assert beam.stop == "limit"
        assert not any(node.status == "dropped" for node in beam.nodes)
        agree(beam, expected)
        one = beam_search(
            model, source, Decoding(0, 1, max_length), beam_size=beam_size - 1, alpha=alpha
        )
        assert one.path(one.best) == expected[0][0]


@pytest.mark.parametrize("alpha", [0.0, 0.6, 1.5])
@pytest.mark.parametrize("beam_size", [1, 2, 3, 5])
def test_early_stopping_does_not_change_the_result(beam_size: int, alpha: float) -> None:
    """The result is compared with a search without a cache, a tree or a bound."""
    model = lively(**FEW)
    stops = []
    for source in SOURCES:
        for end in (0, 1, 3):
            decoding = Decoding(2, end, 6)
            beam = beam_search(model, source, decoding, beam_size=beam_size, alpha=alpha)
            agree(beam, to_the_limit(model, source, decoding, beam_size, alpha))
            stops.append((beam.stop, beam.nodes[-1].step))
    if beam_size == 1:
        assert {stop for stop, _ in stops} == {"nothing open", "limit"}
    else:
        assert any(stop == "nothing better" and step < 6 for stop, step in stops)


@pytest.mark.parametrize("alpha", [0.0, 0.6, 5.0])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_width_of_one_is_greedy(dtype: str, alpha: float) -> None:
    model = lively(dtype=dtype)
    for source, end in itertools.product(SOURCES, (1, 12)):
        beam = beam_search(model, source, Decoding(2, end, 6), beam_size=1, alpha=alpha)
        greedy = greedy_decode(model, source, Decoding(2, end, 6))
        assert beam.path(beam.best) == greedy.ids[0].tolist()
        assert beam.best.log_probability == greedy.log_probability[0]
        assert (beam.best.status == "finished") == greedy.finished[0]
        assert len(beam.hypotheses) == 1


def test_sums_that_round_to_the_same_number_are_ordered_by_the_logits() -> None:
    model = tiny()
    bias = np.full(17, -40.0)
    bias[[3, 9]] = 0, 5e-17
    model = model.with_parameters({"output.W_out": np.zeros((6, 17)), "output.b_out": bias})
    beam = beam_search(model, SOURCE, Decoding(2, 4, 5), beam_size=1)
    assert beam.path(beam.best) == [9] * 5
    assert greedy_decode(model, SOURCE, Decoding(2, 4, 5)).ids[0].tolist() == [9] * 5
    children = [node for node in beam.nodes if node.step == 2]
    assert [node.token for node in children] == [9, 3]
    assert children[0].log_probability == children[1].log_probability


def test_the_tree_contains_kept_and_dropped_hypotheses() -> None:
    model = lively(**FEW)
    beam_size = 3
    for source in SOURCES:
        beam = beam_search(model, source, Decoding(2, 0, 6), beam_size=beam_size, alpha=0.6)
        root, *others = beam.nodes
        assert (root.id, root.parent, root.token, root.step) == (0, None, 2, 0)
        assert [node.id for node in beam.nodes] == list(range(len(beam.nodes)))
        assert beam.path(root) == []
        for node in others:
            assert node.parent is not None
            parent = beam.nodes[node.parent]
            tokens = beam.path(node)
            assert parent.status == "open"
            assert node.step == parent.step + 1 == len(tokens)
            own = log_p(model, source, [2, *tokens[:-1]])[node.token]
            assert node.probability == pytest.approx(np.exp(own), abs=1e-12)
            assert node.log_probability == pytest.approx(parent.log_probability + own, abs=1e-12)
            penalty = ((5 + node.step) / 6) ** 0.6
            assert node.score == pytest.approx(node.log_probability / penalty, abs=1e-12)
            dropped = node.rank > beam_size
            expected = "dropped" if dropped else "finished" if node.token == 0 else "open"
            assert node.status == expected
        before = 1
        for step in range(1, beam.nodes[-1].step + 1):
            children = [node for node in others if node.step == step]
            assert [node.rank for node in children] == list(range(1, len(children) + 1))
            assert len(children) == min(2 * beam_size, 4 * before)
            totals = [node.log_probability for node in children]
            assert totals == sorted(totals, reverse=True)
            before = sum(node.status == "open" for node in children)


def test_a_token_of_probability_0_is_not_in_the_tree() -> None:
    model = tiny(**FEW)
    bias = np.array([0.0, -np.inf, 0.3, -np.inf])
    model = model.with_parameters({"output.b_out": bias})
    beam = beam_search(model, SOURCE, Decoding(0, 1, 3), beam_size=10)
    assert {node.token for node in beam.nodes} == {0, 2}
    assert len(beam.hypotheses) == 8


def test_a_prefix_and_a_decoder_only_model_are_searched() -> None:
    model = lively(**FEW)
    beam = beam_search(model, SOURCE, Decoding(2, 1, 3, prefix=[3, 0]), beam_size=64)
    assert beam.nodes[0].step == 0
    total = log_p(model, SOURCE, [2, 3, 0])[beam.nodes[1].token]
    assert beam.nodes[1].log_probability == pytest.approx(total, abs=1e-12)
    alone = lively(**FEW, encoder_layers=0)
    beam = beam_search(alone, None, Decoding(2, 1, 3, prefix=[3]), beam_size=64)
    ids = beam.path(beam.best)
    total = sum(log_p(alone, None, [2, 3, *ids[:i]])[token] for i, token in enumerate(ids))
    assert beam.best.log_probability == pytest.approx(total, abs=1e-12)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match=r"alpha is a number from 0 to 10, not -0\.1"):
        beam_search(tiny(), SOURCE, Decoding(2, 4, 3), beam_size=2, alpha=-0.1)
    with pytest.raises(ValueError, match="prefix has 2 rows, and the source has 1"):
        beam_search(tiny(), SOURCE, Decoding(2, 4, 3, prefix=[[1], [2]]), beam_size=2)


def test_forbidden_tokens_keep_their_probability_unless_it_is_distributed() -> None:
    model, forbidden = tiny(), [12, 3]
    plain = model(SOURCE, [1])["output.probabilities"].value[0]
    allowed = np.delete(np.arange(17), forbidden)
    for normalize, whole in ((True, plain[allowed].sum()), (False, 1.0)):
        decoding = Decoding(1, 2, 1, forbidden_tokens=forbidden, normalize_forbidden=normalize)
        node = beam_search(model, SOURCE, decoding, beam_size=1).best
        assert node.probability == pytest.approx(plain[allowed].max() / whole)
        greedy = greedy_decode(model, SOURCE, decoding)
        assert greedy.log_probability[0] == pytest.approx(node.log_probability)
        np.testing.assert_allclose(greedy.probabilities[0, 0, allowed], plain[allowed] / whole)
        drawn = sample(model, SOURCE, decoding, seed=1)
        np.testing.assert_allclose(drawn.before[0, allowed], plain[allowed] / whole)
        assert drawn.after[0].sum() == pytest.approx(1)
        assert not drawn.after[0, forbidden].any()
