"""Beam search in the style of Hugging Face, compared with ``generate`` and a plain version."""

from typing import Literal

import numpy as np
import pytest

from tests.math.lively import lively
from tests.math.stored import load
from tests.math.tiny import SOURCE, tiny
from transformer_math import Decoding, Transformer, beam_search

STORED = load("marian_beams")
SOURCES = np.random.default_rng(8).integers(0, 13, (6, 4))
EARLY: tuple[bool | Literal["never"], ...] = (False, True, "never")


def stored_model() -> Transformer:
    """Return the stored model with flatter logits and likelier ends, as in the script."""
    files = load("marian_untied").files()
    model, end = Transformer.from_marian(files, "float64"), STORED.config["cases"][0]["end"]
    output = {path: model.parameters[path] for path in ("output.W_out", "output.b_out")}
    output = {path: array * STORED.config["flatter"] for path, array in output.items()}
    output["output.b_out"][end] += STORED.config["sooner"]
    return model.with_parameters(output)


def test_all_hypotheses_and_scores_equal_those_of_generate() -> None:
    kinds, model = set(), stored_model()
    for case, ids, scores in zip(
        STORED.config["cases"], STORED.arrays["ids"], STORED.arrays["scores"], strict=True
    ):
        size = case["beam_size"]
        found = beam_search(
            model,
            STORED.arrays["sources"][case["row"]],
            Decoding(
                case["start"],
                case["end"],
                case["max_length"],
                forbidden_tokens=[case["pad"]],
                normalize_forbidden=False,
            ),
            beam_size=size,
            alpha=case["alpha"],
            style="huggingface",
            early_stopping=case["early_stopping"],
        )
        kinds.add((found.stop, case["early_stopping"]))
        told = [written(row, case["pad"]) for row in ids[:size].tolist()]
        assert [found.path(node) for node in found.hypotheses] == told, case
        # ``generate`` rounds log-probabilities to single precision.
        own = [node.score for node in found.hypotheses]
        np.testing.assert_allclose(own, scores[:size], rtol=1e-5, atol=1e-5)
    assert {("nothing better", False), ("nothing better", "never"), ("enough", True)} <= kinds
    assert {("limit", early) for early in EARLY} <= kinds


def written(row: list[int], pad: int) -> list[int]:
    """Return the tokens after the start, without padding."""
    tokens = [token for token in row[1:] if token >= 0]
    while tokens and tokens[-1] == pad:
        tokens.pop()
    return tokens


def test_a_finished_branch_uses_no_place_of_the_beam() -> None:
    model = lively(target_vocabulary=5)
    for source in SOURCES:
        found = beam_search(model, source, Decoding(2, 0, 6), beam_size=3, style="huggingface")
        for step in range(1, found.nodes[-1].step + 1):
            column = [node for node in found.nodes if node.step == step]
            assert sum(node.status == "open" for node in column) == 3
            for node in column:
                if node.token == 0:
                    assert node.status == ("finished" if node.rank <= 3 else "dropped")


def test_the_defaults_equal_those_of_generate() -> None:
    decoding = Decoding(2, 4, 6)
    said = beam_search(
        tiny(),
        SOURCE,
        decoding,
        beam_size=3,
        alpha=1.0,
        penalty_form="huggingface",
        style="huggingface",
        early_stopping=False,
    )
    assert beam_search(tiny(), SOURCE, decoding, beam_size=3, style="huggingface") == said


def test_early_stopping_is_refused_in_the_style_of_the_textbook() -> None:
    with pytest.raises(ValueError, match="early_stopping belongs to style"):
        beam_search(tiny(), SOURCE, Decoding(2, 4, 3), beam_size=2, early_stopping=True)
