"""Suggestions for misspelled settings and for the names that other libraries have for them."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

from transformer_math.checks import UnknownSetting

Kind = TypeVar("Kind")

_HEADS = "heads"
_VOCABULARIES = "source_vocabulary and target_vocabulary"
_LAYERS = "encoder_layers and decoder_layers"
_LENGTH = "max_positions, for learned positions"
# Name in another library -> the settings of ``Config``, in the words of the error message.
ALIASES = {
    **dict.fromkeys(("n_heads", "num_heads", "nhead", "n_head", "num_attention_heads"), _HEADS),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), _HEADS),
    **dict.fromkeys(("hidden_size", "n_embd", "embed_dim", "dim", "dmodel"), "d_model"),
    **dict.fromkeys(("dim_feedforward", "intermediate_size", "d_mlp", "ffn_dim", "dff"), "d_ff"),
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), "d_ff"),
    **dict.fromkeys(("layers", "num_layers", "n_layers", "n_layer", "num_hidden_layers"), _LAYERS),
    "num_encoder_layers": "encoder_layers",
    "num_decoder_layers": "decoder_layers",
    **dict.fromkeys(("d_head", "head_dim"), "d_k and d_v"),
    **dict.fromkeys(("vocab_size", "d_vocab"), _VOCABULARIES),
    "src_vocab_size": "source_vocabulary",
    "tgt_vocab_size": "target_vocabulary",
    "decoder_vocab_size": "target_vocabulary",
    **dict.fromkeys(("n_ctx", "max_position_embeddings", "block_size", "max_len"), _LENGTH),
    **dict.fromkeys(("layer_norm_eps", "eps", "layer_norm_epsilon"), "epsilon"),
    **dict.fromkeys(("act_fn", "activation_function", "hidden_act"), "activation"),
    "norm_first": 'norm, "pre" or "post"',
    "bias": "attention_bias, feed_forward_bias and output_bias",
    "tie_word_embeddings": "tie_output",
    "share_encoder_decoder_embeddings": "share_embeddings",
    "scale_embedding": "embedding_scale",
    "static_position_embeddings": 'positions, such as "sinusoidal"',
    **dict.fromkeys(("pad_token_id", "padding_idx"), "source_pad and target_pad"),
}


# The settings of each stack, and those of both in pairs.
_OF_STACK = {
    "encoder": ("encoder_layers", "source_vocabulary", "source_pad"),
    "decoder": ("decoder_layers", "target_vocabulary", "target_pad"),
}
_PAIRS = tuple(zip(_OF_STACK["encoder"], _OF_STACK["decoder"], strict=True))

_STEPS = "steps, one for each batch,"
RECIPE = {
    **dict.fromkeys(("learning_rate", "lr", "max_lr", "peak_lr"), "peak_learning_rate"),
    **dict.fromkeys(("batch_size", "per_device_train_batch_size", "train_batch_size"), "batch"),
    **dict.fromkeys(("max_steps", "num_steps", "total_steps", "num_training_steps"), "steps"),
    **dict.fromkeys(("epochs", "num_epochs", "num_train_epochs"), _STEPS),
    **dict.fromkeys(("label_smoothing", "label_smoothing_factor"), "smoothing"),
    **dict.fromkeys(("warmup_steps", "num_warmup_steps"), "warmup"),
    **dict.fromkeys(("max_grad_norm", "max_norm", "grad_clip", "gradient_clip_val"), "clip"),
    **dict.fromkeys(("betas", "adam_betas"), "beta_1 and beta_2"),
    **dict.fromkeys(("beta1", "adam_beta1"), "beta_1"),
    **dict.fromkeys(("beta2", "adam_beta2"), "beta_2"),
    **dict.fromkeys(("eps", "adam_epsilon"), "epsilon"),
    **dict.fromkeys(("lr_scheduler_type", "scheduler"), "schedule"),
}
LABELS = {
    **dict.fromkeys(("label_smoothing", "epsilon"), "smoothing"),
    **dict.fromkeys(("labels", "targets", "target"), "ids"),
    **dict.fromkeys(("pad", "ignore_index", "ignore"), "target_pad of the config"),
}
DECODING = {
    **dict.fromkeys(("max_new_tokens", "max_len", "max_target_length"), "max_length"),
    **dict.fromkeys(("eos", "eos_id", "eos_token_id", "end_id"), "end"),
    **dict.fromkeys(("sos", "bos", "bos_id", "bos_token_id", "start_id"), "start"),
    "decoder_start_token_id": "start",
    **dict.fromkeys(("bad_words_ids", "suppress_tokens"), "forbidden_tokens"),
    "renormalize_logits": "normalize_forbidden",
    **dict.fromkeys(("decoder_input_ids", "prompt"), "prefix"),
    **dict.fromkeys(("temperature", "top_k", "top_p"), "sample(…, Sampling(…))"),
    **dict.fromkeys(("num_beams", "beam_size", "length_penalty"), "beam_search(…, beam_size=…)"),
}
SAMPLING = {
    **dict.fromkeys(("temp", "t"), "temperature"),
    **dict.fromkeys(("k", "topk"), "top_k"),
    **dict.fromkeys(("p", "topp", "nucleus"), "top_p"),
    **dict.fromkeys(("seed", "random_seed", "generator"), "sample(…, seed=0)"),
}
_DECODED = "Decoding(start, end, max_length)"
# The same for the functions that decode, with settings of ``Decoding`` and ``Sampling``.
DECODED = {
    **dict.fromkeys(("max_new_tokens", "max_length", "max_len", "start", "end"), _DECODED),
    **dict.fromkeys(("bos_token_id", "eos_token_id", "decoder_start_token_id"), _DECODED),
    **dict.fromkeys(("prefix", "prompt", "decoder_input_ids"), "Decoding(…, prefix=ids)"),
    **dict.fromkeys(("forbidden_tokens", "bad_words_ids"), "Decoding(…, forbidden_tokens=ids)"),
    **dict.fromkeys(("temperature", "top_k", "top_p"), "sample(…, Sampling(…))"),
    **dict.fromkeys(("input_ids", "src", "source"), "source_ids"),
    **dict.fromkeys(("num_beams", "beams", "beam_width", "beam"), "beam_size"),
    "length_penalty": "alpha",
    **dict.fromkeys(("settings", "config"), "decoding"),
}
_LABELED = "labels=Labels(ids, smoothing=0.1)"
PASS = {
    **dict.fromkeys(("label_smoothing", "smoothing"), _LABELED),
    **dict.fromkeys(("targets", "target_labels", "y"), "labels"),
    **dict.fromkeys(("input_ids", "src", "source", "tokens", "x"), "source_ids"),
    **dict.fromkeys(("decoder_input_ids", "tgt", "target"), "target_ids"),
    **dict.fromkeys(("attention_mask", "src_key_padding_mask"), "source_pad of the config"),
    **dict.fromkeys(("decoder_attention_mask", "tgt_key_padding_mask"), "target_pad of the config"),
    **dict.fromkeys(("train", "is_training"), "training"),
    **dict.fromkeys(("fwd_hooks", "forward_hooks"), "hooks"),
    **dict.fromkeys(("dropout_seed", "random_seed", "rng"), "seed"),
}


def signed(kind: type[Kind]) -> type[Kind]:
    """Make `help` and the documentation show a dataclass with its fields and their defaults.

    Without this, they would show its ``__new__``, which checks names.
    """
    made = inspect.signature(kind.__init__)
    own = made.replace(parameters=[*made.parameters.values()][1:], return_annotation=made.empty)
    kind.__signature__ = own  # type: ignore[attr-defined]
    return kind


def check_names(
    what: str, given: Iterable[str], known: Collection[str], aliases: Mapping[str, str]
) -> None:
    """Check the names of settings, and suggest a setting for an unknown name.

    Raises:
        UnknownSetting: there is no such setting; the message suggests a setting.
    """
    for name in given:
        if name not in known:
            raise UnknownSetting(unknown_setting_message(name, known, what, aliases))


def aliases_for(settings: Mapping[str, object]) -> dict[str, str]:
    """Return the ``ALIASES`` for a model with these settings, without those of a missing stack."""
    missing = {stack for stack in _OF_STACK if settings.get(f"{stack}_layers") == 0}
    if len(missing) != 1:
        return ALIASES
    (there,) = _OF_STACK.keys() - missing
    (absent,) = missing
    both = {" and ".join(pair): own for pair, own in zip(_PAIRS, _OF_STACK[there], strict=True)}
    return {
        **{name: both.get(meant, meant) for name, meant in ALIASES.items()},
        **dict.fromkeys(_OF_STACK[absent], ""),
    }


def unknown_setting_message(
    name: str,
    known: Collection[str],
    what: str = "A config",
    aliases: Mapping[str, str] = ALIASES,
) -> str:
    """Return the error message for an unknown setting, with a suggestion if there is one."""
    return f"{what} has no setting called {name}{meant_setting(name, known, aliases)}."


def meant_setting(name: str, known: Collection[str], aliases: Mapping[str, str] = ALIASES) -> str:
    """Return the end of an error message that suggests a setting; empty if none is similar.

    A known setting with an empty alias is not suggested.
    """
    close = difflib.get_close_matches(name, [each for each in known if aliases.get(each) != ""], 1)
    meant = aliases.get(name.lower(), close[0] if close else None)
    be = "are" if meant and " and " in meant else "is"
    return f"; {meant} {be} meant" if meant else ""
