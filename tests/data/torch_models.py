"""PyTorch's own modules for a case, and the names of their stored parameters."""

import math
import warnings

import torch
from torch import Tensor, nn
from torch_cases import Case

# PyTorch warns that these layers do not use nested tensors, which is intended.
warnings.filterwarnings("ignore", message="enable_nested_tensor is True")


class Model(nn.Module):
    """``torch.nn.Transformer`` between embeddings and generator, or an encoder alone."""

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.case = case
        shape = {
            "d_model": case.d_model,
            "nhead": case.heads,
            "dim_feedforward": case.d_ff,
            "dropout": 0.0,
            "activation": case.activation,
            "norm_first": case.norm == "pre",
            "batch_first": True,
            "bias": case.bias,
        }
        if case.encoder_layers:
            self.source_embedding = nn.Embedding(case.source_vocabulary, case.d_model)
        if case.decoder_layers:
            self.target_embedding = nn.Embedding(case.target_vocabulary, case.d_model)
        if case.encoder_layers and case.decoder_layers:
            self.transformer = nn.Transformer(
                num_encoder_layers=case.encoder_layers,
                num_decoder_layers=case.decoder_layers,
                **shape,
            )
        else:
            layers = case.encoder_layers or case.decoder_layers
            norm = nn.LayerNorm(case.d_model, bias=case.bias) if case.final_norm else None
            self.encoder = nn.TransformerEncoder(
                nn.TransformerEncoderLayer(**shape), layers, norm, enable_nested_tensor=False
            )
        self.generator = nn.Linear(case.d_model, case.target_vocabulary, bias=case.bias)

    def stored_name(self, name: str) -> str:
        name = name.removeprefix("transformer.")
        # An encoder stack with a look-ahead mask is a decoder-only stack, and named as such.
        return name if self.case.encoder_layers else name.replace("encoder.", "decoder.", 1)

    def randomize(self) -> None:
        """Set every parameter at random; a gamma of 1 or a bias of 0 would hide a mistake."""
        generator = torch.Generator().manual_seed(self.case.seed)
        for name, parameter in self.named_parameters():
            noise = torch.randn(parameter.shape, generator=generator)
            if "norm" in name and name.endswith("weight"):
                value = 1 + 0.3 * noise
            elif parameter.ndim == 1:
                value = 0.3 * noise
            elif "embedding" in name:
                value = 0.5 * noise
            else:
                value = 1.3 * noise / math.sqrt(parameter.shape[1])
            parameter.data.copy_(value)

    def run_stacks(self, source: Tensor, target: Tensor, padding: dict[str, Tensor]) -> Tensor:
        """Return PyTorch's output for two embedded sums; training mode avoids its fast path."""
        case = self.case
        if case.encoder_layers and case.decoder_layers:
            length = target.shape[1]
            return self.transformer(
                source,
                target,
                tgt_mask=torch.ones(length, length, dtype=torch.bool).triu(1),
                src_key_padding_mask=padding.get("source"),
                tgt_key_padding_mask=padding.get("target"),
                memory_key_padding_mask=padding.get("source"),
            )
        if case.encoder_layers:
            return self.encoder(source, src_key_padding_mask=padding.get("source"))
        length = target.shape[1]
        causal = torch.ones(length, length, dtype=torch.bool).triu(1)
        return self.encoder(target, mask=causal, src_key_padding_mask=padding.get("target"))
