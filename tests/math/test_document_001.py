import numpy as np
import pytest

from tests.math.stored import load_json
from transformer_math import Config, Trace, Transformer, positional
from transformer_math.data.dates import SOURCE_LENGTH, TARGET_LENGTH, translate
from transformer_math.data.tokenizer import DATES

DOCUMENT = load_json("document_001")
SIZE, WIDTH = DOCUMENT["vocabulary_size"], DOCUMENT["d_model"]
UNIT = 10.0 ** -DOCUMENT["decimals"]


def printed(values: np.ndarray) -> list[list[str]]:
    """Round numbers as the document does, which prints −0.0000 as 0.0000."""
    return [[f"{value + 0.0:.4f}".replace("-0.0000", "0.0000") for value in row] for row in values]


def run(ids: list[int], rows: np.ndarray) -> Trace:
    """Run an encoder of the document's size with these embeddings, unscaled."""
    config = Config(
        d_model=WIDTH,
        heads=2,
        encoder_layers=1,
        decoder_layers=0,
        source_vocabulary=SIZE,
        embedding_scale=False,
        dtype="float64",
    )
    table = np.zeros((SIZE, WIDTH))
    table[ids] = rows
    model = Transformer.create(config, 0).with_parameters({"source.W_e": table})
    return model(ids, None)


def test_embeddings_are_rows_of_the_table() -> None:
    """Tokens 65, 1, 3, 66: the rows are in the order of the tokens."""
    table = DOCUMENT["embedding"]
    trace = run(table["ids"], np.array(table["rows"]))
    assert printed(trace["source.embedding"].value) == printed(np.array(table["rows"]))


def unrounded(before: np.ndarray, after: np.ndarray, ids: list[int]) -> np.ndarray:
    """Return an embedding for each token that agrees with both printed tables when rounded.

    Both tables are rounded: in seven cells the sum of the printed "before" and the positions
    differs from the printed "after" by one unit.
    """
    positions = positional.sinusoidal(len(before), WIDTH)
    low = np.maximum(before, after - positions) - UNIT / 2
    high = np.minimum(before, after - positions) + UNIT / 2
    for token in set(ids):
        rows = [i for i, other in enumerate(ids) if other == token]
        low[rows], high[rows] = low[rows].max(0), high[rows].min(0)
    assert np.all(low < high), "no embedding agrees with both tables"
    return (low + high) / 2


def test_the_printed_tables_before_and_after_positions_are_reproduced() -> None:
    before, after = DOCUMENT["before_positions"], DOCUMENT["after_positions"]
    assert before["ids"] == after["ids"] == [65, 0, 62, 65]
    rows = unrounded(np.array(before["rows"]), np.array(after["rows"]), before["ids"])
    trace = run(before["ids"], rows)
    assert printed(trace["source.embedding"].value) == printed(np.array(before["rows"]))
    assert printed(trace["source.sum"].value) == printed(np.array(after["rows"]))


def test_the_difference_of_the_printed_tables_is_the_positions() -> None:
    """The printed digits are used alone, so two roundings add up to at most one unit."""
    before, after = (
        np.array(DOCUMENT[f"{when}_positions"]["rows"]) for when in ("before", "after")
    )
    trace = run(DOCUMENT["before_positions"]["ids"], before)
    gap = np.abs(trace["source.sum"].value - after)
    assert gap.max() <= UNIT * (1 + 1e-9)


def test_token_lists_fit_the_dates_preset() -> None:
    """The lists have 12 and 20 tokens; the one padding token is hidden only as a key."""
    source, target = DOCUMENT["tokenized"].values()
    assert (len(source), len(target)) == (DOCUMENT["source_length"], DOCUMENT["target_length"])
    config = Config.preset("dates")
    assert (config.source_vocabulary, config.target_vocabulary) == (SIZE, SIZE)
    trace = Transformer.create(config, 0)(source, target)
    weights = trace["decoder.0.self_attn.weights"].value
    assert target[-1] == config.target_pad
    assert not weights[:, :, -1].any()
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=3e-6)  # 20 numbers in single precision


@pytest.mark.parametrize("text", list(DOCUMENT["tokenized"]))
def test_token_lists_follow_the_table_of_the_document(text: str) -> None:
    """0-9, A-Z, a-z, then - , and space; <sos> 65, <eos> 66, <pad> 67."""
    assert DATES.size == SIZE
    expected = DOCUMENT["tokenized"][text]
    assert DATES.encode(text, len(expected)) == expected
    assert DATES.decode(expected) == text


def test_the_date_is_translated_as_in_the_document() -> None:
    source, target = DOCUMENT["tokenized"]
    assert translate(source) == target
    assert DOCUMENT["source_length"] == SOURCE_LENGTH
    assert DOCUMENT["target_length"] == TARGET_LENGTH
