"""Write ``marian_beams.npz``: beam searches of Hugging Face's ``generate`` on small random models.

    python tests/data/make_beam_reference.py

needs ``torch`` and ``transformers``; the models are those of ``marian_*.npz``. Every hypothesis is
stored with its score, so that a search that keeps other branches is noticed.
"""

import itertools
import tempfile
import warnings
from pathlib import Path

import numpy as np
import torch
import transformers
from store import HERE, save
from transformers import MarianMTModel

MODEL = "marian_untied"
FLATTER, SOONER = 0.3, 0.5  # so that words are similarly likely, and texts end
SOURCES = 6
LENGTHS = (5, 9)  # maximum number of written tokens
BEAMS = (2, 3, 5)
PENALTIES = (-1.0, 0.0, 0.6, 1.0, 2.0)
EARLY = (False, True, "never")


def main() -> None:
    """Search with every combination of settings, for some sources of each model."""
    arrays: dict[str, np.ndarray] = {}
    ids: list[np.ndarray] = []
    scores: list[np.ndarray] = []
    cases: list[dict[str, object]] = []
    model = opened(MODEL)
    end, pad = model.config.eos_token_id, model.config.pad_token_id
    random = np.random.default_rng(5)
    sources = random.integers(3, model.config.vocab_size, (SOURCES, 6))
    arrays["sources"] = sources
    settings = itertools.product(range(SOURCES), LENGTHS, BEAMS, PENALTIES, EARLY)
    for row, length, beams, penalty, early in settings:
        found = model.generate(
            torch.from_numpy(sources[row : row + 1]),
            num_beams=beams,
            num_return_sequences=beams,
            max_new_tokens=length,
            length_penalty=penalty,
            early_stopping=early,
            do_sample=False,
            forced_eos_token_id=None,
            bad_words_ids=[[pad]],
            return_dict_in_generate=True,
            output_scores=True,
        )
        ids.append(np.full((max(BEAMS), max(LENGTHS) + 1), -1, np.int16))
        ids[-1][:beams, : found.sequences.shape[1]] = found.sequences.numpy()
        scores.append(np.zeros(max(BEAMS), np.float32))
        scores[-1][:beams] = found.sequences_scores.numpy()
        cases.append(
            {
                "row": row,
                "max_length": length,
                "beam_size": beams,
                "alpha": penalty,
                "early_stopping": early,
                "start": model.config.decoder_start_token_id,
                "end": end,
                "pad": pad,
            }
        )
    arrays |= {"ids": np.array(ids), "scores": np.array(scores)}
    save(
        "marian_beams",
        {
            "cases": cases,
            "flatter": FLATTER,
            "sooner": SOONER,
            "transformers": transformers.__version__,
        },
        arrays,
    )


def opened(name: str) -> MarianMTModel:
    """Load a stored model in double precision; its search rounds log-probabilities to single."""
    with np.load(HERE / f"{name}.npz") as stored, tempfile.TemporaryDirectory() as folder:
        for key in stored.files:
            if key.startswith("file/"):
                (Path(folder) / key.removeprefix("file/")).write_bytes(stored[key].tobytes())
        model = MarianMTModel.from_pretrained(folder).double().eval()
    model.lm_head.weight *= FLATTER
    model.final_logits_bias *= FLATTER
    model.final_logits_bias[0, model.config.eos_token_id] += SOONER
    return model


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    with torch.no_grad():
        main()
