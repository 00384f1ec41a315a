"""Write ``marian_*.npz``: small models of Hugging Face, their files, and their outputs.

    python tests/data/make_marian_reference.py

needs ``torch``, ``transformers`` and ``sentencepiece``; the tests need only what it writes.
"""

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece
import torch
import transformers
from sentencepiece_training import ENGLISH, GERMAN, train
from store import save
from torch import Tensor
from transformers import MarianConfig, MarianMTModel, MarianTokenizer

TEXTS = ["the cat sat on the mat", " a  red house; the moon", "日 in the garden", ">>de<< milk", ""]
TARGETS = ["die katze", "ein haus am fluss", "brot & butter", ""]
BATCH, LENGTH, TARGET_LENGTH, PADS = 3, 7, 5, (0, 2, 4)
NEW = 12  # maximum number of tokens of a greedy translation
WIDTHS = {"embed_tokens": 1.0, "shared": 1.0, "proj.weight": 0.8, "fc1.": 0.8, "fc2.": 0.8}

SHAPES: dict[str, dict[str, Any]] = {
    "marian_shared": {
        "seed": 191,
        "d_model": 12,
        "heads": 3,
        "ffn": 10,
        "encoder_layers": 2,
        "decoder_layers": 1,
        "activation_function": "swish",
        "scale_embedding": True,
    },
    "marian_separate": {
        "seed": 162,
        "d_model": 14,
        "heads": 2,
        "ffn": 11,
        "encoder_layers": 1,
        "decoder_layers": 2,
        "activation_function": "relu",
        "scale_embedding": False,
        "share_encoder_decoder_embeddings": False,
    },
    "marian_untied": {
        "seed": 43,
        "d_model": 15,
        "heads": 3,
        "ffn": 17,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "activation_function": "gelu",
        "scale_embedding": True,
        "share_encoder_decoder_embeddings": False,
        "tie_word_embeddings": False,
    },
}


def vocabularies(name: str, files: dict[str, bytes]) -> None:
    """Return pieces and ``vocab.json``; Marian's has ``</s> <unk>`` first and ``<pad>`` last.

    The last piece of each language has no id, so that it is unknown.
    """
    plain = {"normalization_rule_name": "identity"}
    files["source.spm"] = train(ENGLISH, 40, **plain)
    files["target.spm"] = train(GERMAN, 43, **plain)
    words = {}
    for side in ("source", "target"):
        pieces = sentencepiece.SentencePieceProcessor(model_proto=files[f"{side}.spm"])
        words[side] = [pieces.id_to_piece(n) for n in range(3, len(pieces) - 1)]
    first = ["</s>", "<unk>"]
    if name == "marian_shared":
        joint = dict.fromkeys([*first, ">>de<<", *words["source"], *words["target"], "<pad>"])
        sides = {"vocab.json": list(joint)}
    else:
        sides = {
            "vocab.json": [*first, "<pad>", *words["source"]],
            "target_vocab.json": [*first, "<pad>", *words["target"]],
        }
    for file, tokens in sides.items():
        files[file] = json.dumps({token: n for n, token in enumerate(tokens)}).encode()


def randomize(model: MarianMTModel, seed: int) -> None:
    """Set every number at random, including biases, γ, β and the last bias, but not the positions.

    With these widths and seeds, the greedy translations contain different words.
    """
    generator = torch.Generator().manual_seed(seed)
    for key, value in model.state_dict().items():
        if "embed_positions" in key:
            continue
        width = next((w for part, w in WIDTHS.items() if part in key), 0.5)
        drawn = torch.randn(value.shape, generator=generator) * width
        drawn = drawn + 1 if key.endswith("layer_norm.weight") else drawn
        value.copy_(drawn)


def exact(model: MarianMTModel) -> MarianMTModel:
    """Return the model in double precision, with positions that are not rounded to single."""
    model = model.double()
    for stack in (model.model.encoder, model.model.decoder):
        table = stack.embed_positions.weight
        n, d = table.shape
        angle = np.arange(n)[:, None] / 10000.0 ** (np.arange(0, d, 2) / d)
        halves = np.concatenate([np.sin(angle), np.cos(angle[:, : d // 2])], axis=1)
        torch.testing.assert_close(table, torch.from_numpy(halves), rtol=0, atol=1e-4)
        table.copy_(torch.from_numpy(halves))
    return model


def answers(model: MarianMTModel, ids: Tensor, target: Tensor, pad: int) -> dict[str, Tensor]:
    """Return the encoder's output and the logits; only padding of the source is hidden."""
    out = model(input_ids=ids, attention_mask=(ids != pad).long(), decoder_input_ids=target)
    return {"memory": out.encoder_last_hidden_state, "logits": out.logits}


def tokenized(folder: Path, separate: bool) -> dict[str, list[list[Any]]]:
    """Return texts with their ids, and ids with their texts, by Hugging Face's tokenizer."""
    names = ("source.spm", "target.spm", "vocab.json", "target_vocab.json")
    spm, target_spm, vocab, target_vocab = (str(folder / name) for name in names)
    tokenizer = MarianTokenizer(
        spm,
        target_spm,
        vocab,
        target_vocab_file=target_vocab if separate else None,
        separate_vocabs=separate,
    )
    source = [[text, tokenizer(text).input_ids] for text in TEXTS]
    target = [[text, tokenizer(text_target=text).input_ids] for text in TARGETS]
    decoded = [[ids, tokenizer.decode(ids, skip_special_tokens=True)] for _, ids in target]
    return {"source": source, "target": target, "decoded": decoded}


@torch.no_grad()
def make(name: str, shape: dict[str, Any]) -> None:
    """Build one model, save it the way Hugging Face does, and store its outputs."""
    shape = dict(shape)
    files: dict[str, bytes] = {}
    vocabularies(name, files)
    words = json.loads(files["vocab.json"])
    target_words = json.loads(files.get("target_vocab.json", files["vocab.json"]))
    pad, seed, heads, ffn = words["<pad>"], shape.pop("seed"), shape.pop("heads"), shape.pop("ffn")
    config = MarianConfig(
        **shape,
        encoder_attention_heads=heads,
        decoder_attention_heads=heads,
        encoder_ffn_dim=ffn,
        decoder_ffn_dim=ffn,
        vocab_size=len(words),
        decoder_vocab_size=len(target_words),
        max_position_embeddings=64,
        pad_token_id=pad,
        decoder_start_token_id=pad,
        eos_token_id=0,
        forced_eos_token_id=None,
        attention_dropout=0.2,
        activation_dropout=0.3,
    )
    model = MarianMTModel(config).eval()
    randomize(model, seed)
    model.generation_config.bad_words_ids = [[pad]]
    generator = torch.Generator().manual_seed(seed + 100)
    usable = min(len(words), len(target_words)) - 1
    ids = torch.randint(3, usable, (BATCH, LENGTH), generator=generator)
    for row, count in enumerate(PADS):
        ids[row, LENGTH - count :] = pad
    target = torch.randint(3, usable, (BATCH, TARGET_LENGTH), generator=generator)
    target[:, 0] = pad

    greedy = model.generate(
        input_ids=ids, attention_mask=(ids != pad).long(), num_beams=1, max_new_tokens=NEW
    )
    arrays = {"source_ids": ids, "target_ids": target, "greedy": greedy}
    arrays |= {f"float32/{key}": x for key, x in answers(model, ids, target, pad).items()}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for file, data in files.items():
            (folder / file).write_bytes(data)
        told = tokenized(folder, "target_vocab.json" in files)
        model.save_pretrained(folder)
        for file in ("config.json", "generation_config.json", "model.safetensors"):
            files[file] = (folder / file).read_bytes()
    arrays |= {f"float64/{key}": x for key, x in answers(exact(model), ids, target, pad).items()}

    stored = {key: value.numpy() for key, value in arrays.items()}
    stored |= {f"file/{key}": np.frombuffer(data, np.uint8) for key, data in files.items()}
    versions = {"torch": torch.__version__, "transformers": transformers.__version__}
    settings = {**SHAPES[name], "pad": pad, "tokenized": told, **versions}
    save(name, settings, stored)


if __name__ == "__main__":
    warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
    for case, case_shape in SHAPES.items():
        make(case, case_shape)
