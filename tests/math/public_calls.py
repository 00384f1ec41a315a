"""A valid call of every public function of ``transformer_math``."""

import dataclasses
import math

import numpy as np

import transformer_math as tm
from tests.math.lively import lively
from tests.wrong_arguments import NAN, Call
from transformer_math import attention, experiments, masks, ops, positional
from transformer_math.config import BOUNDS, CHOICES, SWITCHES
from transformer_math.training.optimizer import AdamState

MODEL = lively()
READER = lively(decoder_layers=0)
SOURCE, TARGET = [3, 1, 2, 0], [1, 4, 2]
PROBABILITIES = "output.probabilities"
TRACE = MODEL(SOURCE, TARGET, labels=[5, 2, 1])
OTHER = MODEL([2, 2, 2, 1], TARGET)
BATCH = MODEL([SOURCE] * 2, [TARGET] * 2, labels=[[5, 2, 1]] * 2)
SWEEP = tm.sweep(TRACE, "output.W_out", (0, 0), [1.0, 2.0])
HEAD = "decoder.0.cross_attn.head.1"
PAIRS = tm.next_words(["the cat sat", "the dog sat", "a cat ran"], held_out=1)
# Errors of pairs name the place of the mistake instead of the argument.
PLACE = "(?i:pair|source|line|file)"
# An error for an existing path of another tensor names the path instead of the argument.
PATH = {"path": "(?:heads|given|shape|axis|gradient)"}
LEARNER = tm.Transformer.create(tm.config_for(PAIRS))
DECODING = tm.Decoding(1, 2, 3)
X = np.arange(6.0).reshape(2, 3)


LEAST = int(np.argmin(TRACE[PROBABILITIES][1]))


def forward(arrays):
    return MODEL(SOURCE, TARGET, overrides=dict(arrays))


def read(trace):
    return trace[PROBABILITIES].value[..., -1, 5]


WISH = (PROBABILITIES, (1, 2), 0.4)
TOKENIZER = tm.Tokenizer.of_texts(["abc"])
SHARED = {"next_words": {}, "blanks": {"share": 0.2}}
WRONG_SHARE = {"next_words": {}, "blanks": {"share": [1, NAN]}}
TRAINER_ARGUMENTS = {"model": LEARNER, "pairs": PAIRS, "recipe": tm.Recipe(steps=3, warmup=0)}
PASS = {
    "source_ids": SOURCE,
    "target_ids": TARGET,
    "training": False,
    "seed": 0,
    "overrides": {"encoder.0.self_attn.scores": {(0, 1, 1): 0.5}},
    "hooks": {"encoder.0.self_attn.context": np.zeros_like},
}
WRONG_PASS = {
    "source_ids": [[], [99], [-1], [0.5], [[[1]]], "abc", [1, NAN], [SOURCE] * 2],
    "target_ids": [[], [99], [-1], [0.5], [[[1]]], [TARGET] * 2],
    "seed": [2.5],
    "training": [1, "yes"],
    "overrides": [
        {"nowhere": 1.0},
        {"output.logits": NAN},
        {"output.logits": {(0, 0): NAN}},
        {"output.logits": {(0, 99): 1.0}},
        {"output.logits": {"a word": 1.0}},
        {"output.logits": np.ones((7, 7))},
        {"output.logits": "much"},
        {3: 1.0},
        [("output.logits", 1.0)],
    ],
    "hooks": [{"nowhere": np.zeros_like}, {"output.logits": 3}, {"output.logits": np.sum}, [1]],
}
TEXTS = (("source_ids", "target_ids"),)  # both are ids
Q, K, V = np.ones((2, 3, 4)), np.ones((2, 5, 4)), np.ones((2, 5, 6))
WEIGHTS = {
    "W_q": np.ones((2, 4, 3)),
    "W_k": np.ones((2, 4, 3)),
    "W_v": np.ones((2, 6, 3)),
    "W_o": np.ones((6, 4)),
}

CALLS = {
    # -- the model -----------------------------------------------------------------------------
    "Config": Call(
        tm.Config,
        {
            **{each.name: each.default for each in dataclasses.fields(tm.Config)},
            **{"d_model": 8, "heads": 2, "d_k": 3, "dropout": tm.DropoutRates()},
        },
        {
            **{key: [0, -1, 8.0, True] for key in BOUNDS},
            **{key: [-1, 1.5] for key in ("encoder_layers", "decoder_layers")},
            **{key: [0, 1, "no", None] for key in SWITCHES},
            **{key: [-1, 10 ** 6, 1.5] for key in ("source_pad", "target_pad")},
            **{key: ["RELU", "none of them", 2, "float16"] for key in CHOICES},
            "final_norm": ["pre", 1],
            "dropout": [0.1],
            "epsilon": [0, -1e-5, NAN, math.inf, "small"],
        },
    ),
    "Config.preset": Call(tm.Config.preset, {"name": "sandbox", "d_model": 8}),
    "Config.from_dict": Call(
        tm.Config.from_dict,
        {"data": {"d_model": 8}},
        {"data": [{"nonsense": 1}, [1]]},
        called={"data": "config"},
    ),
    "DropoutRates": Call(
        tm.DropoutRates,
        {"embedding": 0.1, "attention_weights": 0.1, "activation": 0.1},
        {"embedding": [1.0, -0.1, NAN]},
    ),
    "DropoutRates.paper": Call(tm.DropoutRates.paper, {"rate": 0.1}, {"rate": [1.0, NAN]}),
    "DropoutRates.torch": Call(tm.DropoutRates.torch, {"rate": 0.1}, {"rate": [1.0, NAN]}),
    "Transformer": Call(
        tm.Transformer,
        {"config": MODEL.config, "parameters": MODEL.parameters, "shared": False},
        {"parameters": [{}, {**MODEL.parameters, "more": X}, {"source.W_e": X}]},
    ),
    "Transformer.create": Call(
        tm.Transformer.create,
        {
            "config": tm.Config.preset("sandbox", source_vocabulary=2, target_vocabulary=3),
            "seed": 1,
            "source_tokens": ["a", "b"],
            "target_tokens": ["a", "b", "c"],
        },
        {
            "config": [8, {"d_model": 8}],
            "seed": [0.5],
            "source_tokens": [["a"], "ab", ["a", 1]],
        },
    ),
    "Transformer.with_parameters": Call(
        MODEL.with_parameters,
        {"changed": {"source.W_e": MODEL.parameters["source.W_e"]}},
        {"changed": [{"nowhere": 1}, {"source.W_e": np.ones(3)}, {"source.W_e": "x"}]},
    ),
    "model": Call(
        MODEL,
        {
            **PASS,
            **{"labels": [5, 2, 1], "before": TRACE},
            **{"with_unprojected": False, "with_probabilities": True},
        },
        {**WRONG_PASS, "labels": [[], [1], [99, 0, 0], [1, 2, -1], [0.5, 1, 1], [[5, 2, 1]]]},
        alike=TEXTS,
    ),
    "model.logits": Call(MODEL.logits, PASS, WRONG_PASS, alike=TEXTS),
    # -- a trace -------------------------------------------------------------------------------
    "trace[path]": Call(lambda path: TRACE[path], {"path": PROBABILITIES}, {"path": ["no", 0]}),
    "trace.locate": Call(
        TRACE.locate,
        {"path": PROBABILITIES, "index": (1, 2)},
        {
            "path": ["nowhere", "encoder.0.self_attn.head.2.weights", "output.head.1.logits"],
            "index": [(9, 9), (1,), (-1, 0), (0.5, 0)],
        },
        called=PATH,
    ),
    "trace.frame": Call(SWEEP.frame, {"t": 1}, {"t": [2, -1]}),
    "trace.example": Call(BATCH.example, {"i": 1}, {"i": [2, -1]}),
    "trace.downstream": Call(TRACE.downstream, {"path": PROBABILITIES}, {"path": ["nowhere"]}),
    "trace.upstream": Call(TRACE.upstream, {"path": PROBABILITIES}, {"path": ["nowhere"]}),
    "trace.readers": Call(TRACE.readers, {"path": PROBABILITIES}, {"path": ["nowhere"]}),
    "trace.rank": Call(TRACE.rank, {"tensor": TRACE[PROBABILITIES]}),
    "tensor.head": Call(TRACE["encoder.0.self_attn.q"].head, {"number": 1}, {"number": [9, -1]}),
    "tensor.frame": Call(SWEEP["output.W_out"].frame, {"axis": "sweep", "t": 1}, {"t": [9, -9]}),
    "tensor.gradient": Call(TRACE["output.logits"].gradient, {"value": np.ones((3, 9))}),
    "sweep": Call(
        tm.sweep,
        {"trace": TRACE, "path": "output.W_out", "index": (0, 0), "values": [0.0, 1.0]},
        {
            "trace": [MODEL, SWEEP],
            "path": ["nowhere", "source.ids", "encoder.0.self_attn.head.2.W_q"],
            "index": [(99, 0), (0,), (-1, 0), "a word", None, (1.5,), ((1,),)],
            "values": [[], [NAN], [[1.0]], "abc", 3.0, ["a"], [[1.0], [1.0, 2.0]], None],
        },
        called=PATH,
    ),
    "gradients": Call(
        tm.gradients,
        {
            "trace": TRACE,
            "wanted": ["source.W_e"],
            "path": "output.logits",
            "seed": np.ones(TRACE["output.logits"].shape),
        },
        {
            "trace": [MODEL, SWEEP],
            "wanted": [["nowhere"], [3]],
            "path": ["nowhere", "source.ids", "encoder.0"],
            "seed": [np.ones(3), {(9, 9): 1.0}, {"a": 1}, {(0, 0): NAN}, "much"],
        },
    ),
    "explain": Call(
        tm.explain,
        {"trace": TRACE, "path": "output.logits", "index": (1, 2)},
        {
            "trace": [MODEL, BATCH, SWEEP],
            "path": ["nowhere", "encoder.0.self_attn.head.5.q"],
            "index": [(9, 9), (1,), (0, -1), "a"],
        },
        called=PATH,
    ),
    # -- functions of arrays -------------------------------------------------------------------
    "scaled_dot_product_attention": Call(
        attention.scaled_dot_product_attention,
        {
            "q": Q,
            "k": K,
            "v": V,
            "mask": np.zeros((3, 5)),
            "scale": 0.5,
            "is_causal": False,
            "enable_gqa": False,
            "softcap": 2.0,
            "return_weights": True,
        },
        {
            "q": [np.ones((3, 7)), np.ones(3), np.full((2, 3, 4), NAN), np.ones((7, 3, 4))],
            "k": [np.ones((5, 7)), np.ones((2, 4, 4)), np.full((2, 5, 4), NAN)],
            "v": [np.ones((2, 4, 6)), np.full((2, 5, 6), NAN)],
            "mask": [np.zeros((3, 6)), np.ones((3, 5), bool), np.full((3, 5), NAN)],
            "scale": [NAN, "much"],
            "softcap": [-1.0, NAN],
        },
    ),
    "multi_head_attention": Call(
        attention.multi_head_attention,
        {"query": np.ones((3, 4)), "key": np.ones((5, 4)), "value": np.ones((5, 6)),
         "parameters": WEIGHTS, "mask": np.zeros((3, 5))},
        {
            "query": [np.ones((3, 7)), np.ones(4), np.full((3, 4), NAN)],
            "key": [np.ones((5, 7)), np.ones((4, 4)), np.ones(4)],
            "value": [np.ones((5, 7)), np.ones((4, 6))],
            "parameters": [
                {}, {**WEIGHTS, "W_q": np.ones((3, 4))}, {**WEIGHTS, "W_o": np.ones((5, 4))},
                {**WEIGHTS, "b_q": np.ones(9)}, {**WEIGHTS, "W_k": np.ones((1, 4, 3))},
            ],
            "mask": [np.zeros((3, 6)), np.ones((3, 5), bool), np.full((3, 5), NAN)],
        },
    ),
    "from_true_means_attend": Call(masks.from_true_means_attend, {"keep": np.ones((2, 2), bool)}),
    "from_true_means_masked": Call(masks.from_true_means_masked, {"hide": np.ones((2, 2), bool)}),
    "look_ahead": Call(
        masks.look_ahead, {"n": 3, "dtype": np.float32}, {"n": [-1, 2.5], "dtype": ["nonsense"]}
    ),
    "nothing_hidden": Call(masks.nothing_hidden, {"n": 3}, {"n": [-1, 2.5]}),
    "padding": Call(masks.padding, {"ids": np.array([1, 0]), "pad": 0}),
    "combined": Call(
        masks.combined,
        {"pair_mask": np.zeros((3, 3)), "padding_mask": np.zeros((2, 3))},
        {"pair_mask": [np.zeros((3, 4))], "padding_mask": [np.zeros((2, 4)), np.zeros(())]},
    ),
    **{
        name: Call(
            getattr(positional, name),
            {"n": 3, "d_model": 6},
            {"n": [-1, 2.5], "d_model": [-1, 0]},
            alike=(("n", "d_model"),),
        )
        for name in ("angles", "sinusoidal", "sinusoidal_halves")
    },
    "wave_of": Call(
        positional.wave_of,
        {"dimension": 2, "d_model": 6, "halves": True},
        {"dimension": [6, -1], "d_model": [0]},
    ),
    **{
        name: Call(getattr(ops, name), {"x": X}, {"x": ["abc"]})
        for name in ("relu", "gelu", "gelu_tanh", "silu")
    },
    **{
        name: Call(getattr(ops, name), {"x": X, "axis": 0}, {"axis": [2, -3], "x": [3.0]})
        for name in ("softmax", "log_softmax")
    },
    "layer_norm": Call(
        ops.layer_norm,
        {"x": X, "gamma": np.ones(3), "beta": np.zeros(3), "epsilon": 1e-5, "is_sample": True},
        {"gamma": [np.ones(4)], "beta": [np.ones(4)], "epsilon": [-1.0, NAN], "x": [3.0]},
        alike=(("gamma", "beta"),),
    ),
    "linear": Call(
        ops.linear,
        {"x": X, "W": np.ones((3, 4)), "b": np.ones(4)},
        {"x": [np.ones((2, 4))], "W": [np.ones((2, 4)), np.ones(3)], "b": [np.ones(5)]},
    ),
    "cross_entropy": Call(
        ops.cross_entropy,
        {
            "logits": X,
            "labels": np.array([0, 2]),
            "smoothing": 0.1,
            "form": "torch",
            "ignore": 0,
            "weights": np.ones(3),
            "reduction": "sum",
        },
        {
            "labels": [np.array([0, 3]), np.array([-1, 1]), np.array([0, 1, 1]), [0.5, 1]],
            "smoothing": [1.0, -0.1, NAN],
            "weights": [np.ones(4)],
            "reduction": ["most"],
            "form": ["other"],
        },
    ),
    "Labels": Call(
        tm.Labels,
        {"ids": [5, 2], "smoothing": 0.1, "form": "torch"},
        {"ids": ["x", [0.5], None], "smoothing": [1.0, NAN], "form": ["other"]},
    ),
    "layer_cost": Call(tm.layer_cost, {"config": tm.Config(), "n": 5}, {"n": [0, 2.5]}),
    # -- decoding ------------------------------------------------------------------------------
    "Decoding": Call(
        tm.Decoding,
        {"start": 1, "end": 2, "max_length": 3, "forbidden_tokens": [3], "prefix": [1],
         "normalize_forbidden": True, "before_step": None},
        {"start": [-1], "end": [-1, True], "max_length": [0, 2.5], "forbidden_tokens": [3, "ab"],
         "prefix": ["ab", [NAN]]},
    ),
    "Sampling": Call(
        tm.Sampling,
        {"temperature": 1.0, "top_k": 3, "top_p": 0.5},
        {"temperature": [-1, NAN, math.inf], "top_k": [-1, 2.0], "top_p": [0, 1.1, NAN]},
    ),
    "greedy_decode": Call(
        tm.greedy_decode,
        {"model": MODEL, "source_ids": SOURCE, "decoding": DECODING, "keep_probabilities": True},
        {"model": [PAIRS, READER], "source_ids": [[99], None], "decoding": [3]},
    ),
    "beam_search": Call(
        tm.beam_search,
        {"model": MODEL, "source_ids": SOURCE, "decoding": DECODING, "beam_size": 2, "alpha": 0.5,
         "penalty_form": "paper", "style": "huggingface", "early_stopping": True},
        {"beam_size": [0, 1.5, NAN], "alpha": [-11, 11, NAN], "style": ["other"],
         "penalty_form": ["other"], "early_stopping": ["soon"], "source_ids": [[SOURCE] * 2]},
        called={"source_ids": "source"},
    ),
    "sample": Call(
        tm.sample,
        {"model": MODEL, "source_ids": SOURCE, "decoding": DECODING,
         "sampling": tm.Sampling(), "seed": 1},
        {"sampling": [0.5], "source_ids": [[SOURCE] * 2]},
        called={"source_ids": "source"},
    ),
    "fill_blanks": Call(
        tm.fill_blanks,
        {"model": READER, "source_ids": [3, 1, 2], "mask": 1, "forbidden_tokens": [0],
         "at_once": True},
        {"model": [MODEL], "mask": [99, -1], "forbidden_tokens": [[99], range(99)]},
    ),
    # -- data and training ---------------------------------------------------------------------
    "Tokenizer": Call(
        tm.Tokenizer,
        {"tokens": TOKENIZER.tokens, "unit": "character", "framed": True},
        {"tokens": [("a", "a"), ("a", 3), ()], "unit": ["letter"]},
    ),
    "tokenizer.encode": Call(
        TOKENIZER.encode, {"text": "ab", "length": 6}, {"text": ["xyz"], "length": [1, -1]}
    ),
    "tokenizer.decode": Call(TOKENIZER.decode, {"ids": [0, 1]}, {"ids": [[99], [0.5]]}),
    "Tokenizer.of_texts": Call(
        tm.Tokenizer.of_texts,
        {"texts": ["ab", "c"], "unit": "character", "framed": True},
        {"texts": ["ab", 3, [3]], "unit": ["letter"]},
    ),
    "dates": Call(tm.dates, {"seed": 1, "held_out": 5}, {"held_out": [-1, 10**7]}),
    "phrases": Call(
        tm.phrases, {"seed": 1, "held_out": 5}, {"held_out": [-1, 10**7]}
    ),
    **{
        name: Call(
            getattr(tm, name),
            {"texts": ["a b", "b a", "a a"], "unit": "word", "held_out": 1, "seed": 1,
             "name": "mine", "tokens": ["a", "b"], "allowed": ["a b"],
             **SHARED[name]},
            {"texts": ["a b. c d.", ["a"], [1, 2]], "unit": ["letter"], "held_out": [-1, 99],
             "tokens": [["a"], "ab"], **WRONG_SHARE[name]},
            alike=(("texts", "tokens"), ("texts", "allowed"), ("tokens", "allowed")),
        )
        for name in ("next_words", "blanks")
    },
    "classes": Call(
        tm.classes,
        {"examples": [("a b", "x"), ("b a", "y"), ("a", "x")], "unit": "word", "held_out": 1,
         "seed": 1, "name": "mine"},
        {"examples": [["a b"], [("a", "x y"), ("b", "x")], [(1, 2), (3, 4)]], "held_out": [99]},
    ),
    "pairs": Call(
        tm.pairs,
        {"source": ["a b", "b a", "a a"], "target": ["x", "y", "z"], "unit": "word", "seed": 1,
         "most_words": 5, "encoding": None},
        {"source": [["a b"], [[1], [2], [3]], 7], "target": [["x"], [None] * 3], "unit": ["letter"],
         "most_words": [-1]},
        called={"source": PLACE, "target": PLACE},
        alike=(("source", "target"), ("seed", "most_words")),
    ),
    "read_csv": Call(
        tm.read_csv, {"text": "a,x\nb,y", "seed": 1, "unit": "character"},
        {"text": ["my.csv", "a", ["a,x"]], "unit": ["letter"]}, called={"text": PLACE},
    ),
    "Recipe": Call(
        tm.Recipe,
        {"steps": 9, "batch": 2, "schedule": "constant", "peak_learning_rate": 0.1, "warmup": 1,
         "smoothing": 0.1, "smoothing_form": "torch", "clip": 1.0, "beta_1": 0.9, "beta_2": 0.9,
         "epsilon": 1e-9, "seed": 1},
        {"steps": [0], "batch": [0], "schedule": ["other"], "peak_learning_rate": [0, NAN],
         "smoothing": [1.0, NAN], "clip": [0, NAN], "beta_1": [1, NAN], "epsilon": [0, NAN],
         "seed": [-1]},
        alike=(("beta_1", "beta_2"),),
    ),
    "Recipe.preset": Call(tm.Recipe.preset, {"name": "dates", "steps": 500}),
    "Trainer": Call(
        tm.Trainer,
        {**TRAINER_ARGUMENTS, "shards": 1, "map_shards": map},
        {"model": [MODEL], "pairs": [[("a", "b")]], "recipe": [{"steps": 3}], "shards": [0]},
        called={"pairs": PLACE},
    ),
    "Trainer.load": Call(
        tm.Trainer.load,
        {"data": tm.Trainer(**TRAINER_ARGUMENTS).save(), "pairs": PAIRS},
        {"data": [b"nonsense"], "pairs": [[("a", "b")]]},
        called={"data": "file", "pairs": PLACE},
    ),
    "trainer.set_cell": Call(
        tm.Trainer(**TRAINER_ARGUMENTS).set_cell,
        {"path": "target.W_e", "index": (0, 0), "value": 0.5},
        {"path": ["nowhere"], "index": [(999, 0)], "value": [NAN]},
    ),
    "config_for": Call(
        tm.config_for,
        {"pairs": PAIRS, "preset": "sandbox", "d_model": 8},
        {"pairs": [[("a", "b")]], "preset": ["nonsense"]},
        called={"pairs": PLACE},
    ),
    "exact_matches": Call(
        tm.exact_matches,
        {"model": LEARNER, "pairs": PAIRS, "count": 1},
        {"model": [PAIRS], "pairs": [LEARNER], "count": [-1]},
        called={"pairs": PLACE},
    ),
    "Adam": Call(
        tm.Adam,
        {"parameters": np.ones(3), "beta_1": 0.9, "beta_2": 0.9, "epsilon": 1e-9},
        {
            **{key: [1, -0.1, NAN] for key in ("beta_1", "beta_2")},
            "epsilon": [0, NAN, math.inf],
        },
        alike=(("beta_1", "beta_2"),),
    ),
    "adam.step": Call(
        tm.Adam(np.ones(3)).step,
        {"parameters": np.ones(3), "gradient": np.ones(3), "learning_rate": 0.1},
        {
            **{name: [np.ones(1), np.ones(4)] for name in ("parameters", "gradient")},
            "learning_rate": [-1, NAN, math.inf],
        },
        alike=(("parameters", "gradient"),),
    ),
    "adam.load": Call(
        tm.Adam(np.ones(3)).load,
        {"state": tm.Adam(np.ones(3)).state()},
        {
            "state": [
                *(tm.Adam(np.ones(4)).state(), (1, 2), AdamState(-1, X[0], X[0])),
                *(AdamState(1, X[0], -X[1]), AdamState(1, X[0] * NAN, X[0])),
            ]
        },
    ),
    "clip_gradient": Call(
        tm.clip_gradient, {"gradient": np.ones(3), "limit": 1.0}, {"limit": [0, -1, NAN]}
    ),
    "Noam": Call(
        tm.Noam, {"d_model": 8, "warmup": 4, "factor": 1.0},
        {"d_model": [0], "warmup": [0], "factor": [0, NAN]}, alike=(("d_model", "warmup"),)
    ),
    "noam(step)": Call(tm.Noam(8), {"step": 1}, {"step": [0, 2.5]}),
    "noam.learning_rates": Call(tm.Noam(8).learning_rates, {"n": 3}, {"n": [-1, 2.5]}),
    # -- experiments ---------------------------------------------------------------------------
    "hidden_word": Call(
        experiments.hidden_word, {"model": MODEL, "side": "source", "position": 1},
        {"side": ["middle"], "position": [-1, 2.5]},
    ),
    "stream": Call(experiments.stream, {"trace": TRACE, "stack": "decoder"}, {"stack": ["middle"]}),
    "lens": Call(
        experiments.lens, {"model": MODEL, "trace": TRACE, "stack": "decoder"},
        {"stack": ["encoder", "middle"]},
    ),
    "silenced": Call(
        experiments.silenced,
        {"trace": TRACE, "path": f"{HEAD}.context", "rows": [0], "columns": [1], "value": 0.5},
        {"trace": [BATCH], "path": ["nowhere", f"{HEAD}7.context", "output.W_out", "source.ids"],
         "rows": [[9], 0.5, [], slice(5, 9)], "columns": [[9], 9],
         "value": [NAN, np.ones(9), "mean"]},
        called=PATH,
        alike=(("rows", "columns"),),
    ),
    "every_head": Call(experiments.every_head, {"model": MODEL}),
    "without_heads": Call(
        experiments.without_heads, {"model": MODEL, "heads": [HEAD]}, {"heads": [["nowhere"], [3]]}
    ),
    "mean_values": Call(
        experiments.mean_values, {"traces": [TRACE], "paths": [f"{HEAD}.context"]},
        {"traces": [[], [3]], "paths": [["nowhere"], []]},
    ),
    "every_unit": Call(experiments.every_unit, {"trace": TRACE}),
    "loudest_units": Call(
        experiments.loudest_units, {"trace": TRACE, "count": 2, "value": 0.0},
        {"count": [-1], "value": [NAN, {}], "trace": [BATCH]},
    ),
    "without_units": Call(
        experiments.without_units,
        {"trace": TRACE, "units": experiments.every_unit(TRACE)[:2], "read": read, "value": 0.0,
         "go_on": lambda: None},
        {"units": [[("nowhere", 0)], [("encoder.0.feed_forward.activation", 999)], [], [3]],
         "value": [NAN]},
    ),
    "matched": Call(
        experiments.matched, {"now": ["a", "b"], "then": ["a", "c"]}, alike=(("now", "then"),)
    ),
    "patch_map": Call(
        experiments.patch_map,
        {"trace": TRACE, "baseline": OTHER, "rows": {"encoder.0.feed_forward.out": [0, 1, 2, 3]},
         "read": read, "read_baseline": read, "go_on": lambda: None},
        {"rows": [{}, {"nowhere": [0]}, {"encoder.0.feed_forward.out": [0]}, {3: [0]}, None,
                  ["encoder.0.feed_forward.out"], {"encoder.0.feed_forward.out": range(5)},
                  {"encoder.0.feed_forward.out": [0, 1, 2, 9]}, {"source.W_e": range(13)}],
         "trace": [BATCH], "baseline": [BATCH, lively(d_model=8)(SOURCE, TARGET)]},
        alike=(("trace", "baseline"), ("read", "read_baseline")),
    ),
    "pull": Call(
        experiments.pull,
        {"forward": forward, "wishes": [WISH], "free": ["output.b_out"], "few": True,
         "direct": True, "limit": 3},
        {"forward": [MODEL], "wishes": [[], [3], [("nowhere", (0, 0), 0.5)],
         [(PROBABILITIES, (1, 2), 1.5)], [(PROBABILITIES, (1, 2), NAN)],
         [(PROBABILITIES, (1, 2), 1.0)], [(PROBABILITIES, (1, 2), "high")],
         [(PROBABILITIES, (0, 99), 0.5)], [("output.logits", (1, 2), 0.5)]],
         "free": [[], {}, ["nowhere"], [f"{HEAD}9.W_v"], {"source.ids": None},
                  {"output.b_out": np.ones(3, bool)}, {"output.b_out": np.zeros(9, bool)}],
         "limit": [-1]},
    ),
    "pull_by": Call(
        experiments.pull_by,
        {"forward": forward, "wishes": [experiments.Wish(*WISH)], "free": {"output.b_out": None},
         "most": 2, "limit": 3},
        {"most": [0], "limit": [-1], "wishes": [[]]},
        alike=(("most", "limit"),),
    ),
    "running_sum": Call(
        experiments.running_sum,
        {"trace": TRACE, "stack": "decoder", "position": 1, "token": 2, "carried": True},
        {"stack": ["middle", "encoder"], "position": [9, -1], "token": [99, -1], "trace": [BATCH]},
    ),
    **{
        name: Call(
            getattr(experiments, name),
            {"model": MODEL, "wish": experiments.Likeliest(1, LEAST),
             "trace": TRACE, "free": {"output.b_out": None}, "span": 4.0, "never": [0],
             "work": 10**6},
            {"wish": [experiments.Likeliest(99, 2), experiments.Likeliest(1, 99)],
             "free": [{}, {"nowhere": None}, {"source.ids": None}, {"output.b_out": np.ones(3)},
                      {f"{HEAD}.W_q": None}],
             "trace": [BATCH], "span": [0, -1, NAN], "never": [[99], [LEAST]], "work": [-1]},
        )
        for name in ("single_numbers", "single_numbers_so_far")
    },
}  # fmt: skip
# explain_gradient needs a backward pass before.
BACKWARD = MODEL(SOURCE, TARGET, labels=[5, 2, 1])
BACKWARD.backward()
CALLS["explain_gradient"] = Call(
    tm.explain_gradient,
    {"trace": BACKWARD, "path": "output.logits", "index": (1, 2)},
    {
        "trace": [MODEL, TRACE, BATCH, SWEEP],
        "path": ["nowhere", f"{HEAD}9.weights", "source.ids", "target.mask", "output.loss"],
        "index": [(9, 9), (1,), (0, -1), "a"],
    },
    called=PATH,
)
