"""Write ``sentencepiece.npz``: small unigram models, and how ``sentencepiece`` splits texts.

    python tests/data/make_sentencepiece_reference.py

needs ``sentencepiece`` and ``protobuf``; the tests need only what it writes.
"""

import random

import numpy as np
import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from sentencepiece_training import ENGLISH, GERMAN, train
from store import save

# From and to, in code points: a ligature, a wide letter, e with its accent, a soft hyphen that is
# removed, a no-break space and a tab that become spaces, a capital, and two characters for one.
RULES = "FB01\t66 69\nFF41\t61\n65 301\tE9\nAD\t\nA0\t20\n9\t20\n41\t61\n3C 2D\t2190\n"


def by_hand() -> bytes:
    """Return pieces among which user-defined ones win by little and lose by little."""
    model = sentencepiece_model_pb2.ModelProto()
    kinds = model.SentencePiece
    model.pieces.add(piece="<unk>", score=0, type=kinds.UNKNOWN)
    scores = {"x": -1, "xa": 0.05, "b": -1, "a": -3, "y": -2, "ya": -1.85, "xab": -1, "x日y": -0.8}
    for text, score in scores.items():
        model.pieces.add(piece=text, score=score)
    for text in ("ab", "日y"):
        model.pieces.add(piece=text, score=0, type=kinds.USER_DEFINED)
    model.pieces.add(piece="bb", score=-0.1, type=kinds.UNUSED)
    model.trainer_spec.SetInParent()
    model.normalizer_spec.add_dummy_prefix = False
    return model.SerializeToString(deterministic=True)


MODELS = {
    "by_hand": by_hand(),
    "nmt_nfkc": train(ENGLISH, 60),
    "identity": train(
        ENGLISH,
        60,
        normalization_rule_name="identity",
        user_defined_symbols=["<sep>", "the cat", "ab", "mü"],
    ),
    "rules": train(GERMAN, 60, RULES, add_dummy_prefix=False, user_defined_symbols=["ﬁx"]),
    "spaces": train(GERMAN, 60, RULES, remove_extra_whitespaces=False),
}
TEXTS = [
    *("", " ", "   ", "▁", "▁▁ a", "the cat sat on the mat", "The  CAT sat\ton a\u00a0mat. "),
    *(
        "die mühle",
        "die mu\u0308hle",
        "ﬁx ﬁ ﬁn",
        "ａbc <- e\u0301",
        "co\u00adop",
        "\u00ad",
        "x\x00y",
    ),
    *(
        "日本語の文",
        "the 日本 cat",
        "😀😀 a 😀",
        "<unk> </s> <s>",
        "\ufeffcat",
        "Ⅷ ½ ﾊﾟ 가",
        "\u200b\u3000",
    ),
    *("oooooo", "o" * 200, "tt" * 99 + " t", "ab" * 7, "the cat the cat ", "a<sep>b", "<sep"),
    *("xab", "yab", "xabb", "日yab", "x日ya", "abab", "xxaby"),
]
LETTERS = [
    *"the cat sat on a hous rive aaaa  ttt ▁  ",
    *"ﬁａAﾊ日本😀éⅧ½가ßİ\t\n\u00a0\u00ad\u200b\u3000",
]
LETTERS += ["e\u0301", "<-", "<sep>", "the cat", "ab", "mü", "ﬁx", "ﾊﾟ", "<unk>", "ooo"]


def texts() -> list[str]:
    """Return the texts above and random ones."""
    draw = random.Random(5)
    more = ["".join(draw.choices(LETTERS, k=draw.randint(1, 24))) for _ in range(150)]
    return TEXTS + more


if __name__ == "__main__":
    cut = {}
    for name, model in MODELS.items():
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        cut[name] = [[text, processor.encode(text, out_type=str)] for text in texts()]
    settings = {"sentencepiece": sentencepiece.__version__, "cut": cut}
    save("sentencepiece", settings, {n: np.frombuffer(m, np.uint8) for n, m in MODELS.items()})
