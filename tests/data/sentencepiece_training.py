"""Small SentencePiece models, trained on the few sentences below."""

import tempfile
from pathlib import Path

import sentencepiece
from sentencepiece import sentencepiece_model_pb2

ENGLISH = """\
the cat sat on the mat and looked at the moon
a small house stands by the river where the old mill was
we walk along the river in the morning and come home at night
the children play with a red ball in the garden of the school
he reads a letter from his mother and smiles at the last line
there is bread and butter on the table and milk in the glass
"""
GERMAN = """\
die katze saß auf der matte und sah den mond an
ein kleines haus steht am fluss wo die alte mühle war
wir gehen am morgen den fluss entlang und kommen am abend heim
die kinder spielen mit einem roten ball im garten der schule
er liest einen brief von seiner mutter und lächelt bei der letzten zeile
auf dem tisch sind brot und butter und im glas ist milch
"""


def train(text: str, vocabulary: int, rules: str = "", **options: object) -> bytes:
    """Return the file of a unigram model; ``rules`` are lines of code points, from and to."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "text").write_text(text, encoding="utf-8")
        if rules:
            (place / "rules").write_text(rules, encoding="utf-8")
            options["normalization_rule_tsv"] = str(place / "rules")
        sentencepiece.SentencePieceTrainer.train(
            input=str(place / "text"),
            model_prefix=str(place / "model"),
            vocab_size=vocabulary,
            hard_vocab_limit=False,
            num_threads=1,
            minloglevel=2,
            **options,
        )
        return forget_places((place / "model.model").read_bytes())


def forget_places(model: bytes) -> bytes:
    """Return the model without the path of its training, so that each run writes the same bytes."""
    proto = sentencepiece_model_pb2.ModelProto.FromString(model)
    del proto.trainer_spec.input[:]
    proto.trainer_spec.model_prefix = ""
    proto.normalizer_spec.normalization_rule_tsv = ""
    return proto.SerializeToString(deterministic=True)
