"""Lists the depths of a stack: the paths under which the board draws its residual stream."""

from typing import Literal

from transformer_math import Trace
from transformer_math.experiments.lens import stream

from ..explain import labels
from ..model.matrices.values import shown_tensor
from ..model.scenario.scenario import Scenario
from ..model.scenario.vocabulary import Side

Stack = Literal["encoder", "decoder"]
SIDES: dict[Stack, Side] = {"encoder": "source", "decoder": "target"}


def stacks(scenario: Scenario) -> list[Stack]:
    """Return the stacks that the model has."""
    counts = {"encoder": scenario.settings.encoder_layers}
    counts["decoder"] = scenario.settings.decoder_layers
    return [stack for stack in SIDES if counts[stack]]


def read_stack(scenario: Scenario) -> Stack:
    """Return the stack from which the output layer reads."""
    return "decoder" if scenario.settings.decoder_layers else "encoder"


def depths(trace: Trace, stack: Stack) -> list[str]:
    """Return the drawn paths of the residual stream of a stack, from its input to its output."""
    return list(dict.fromkeys(shown_tensor(trace[path]).path for path in stream(trace, stack)))


def depth_words(path: str, stack: Stack) -> str:
    """Return the name of a depth of a stack: ``after layer 1, self-attention``."""
    if path.startswith(f"{SIDES[stack]}."):
        return "embeddings"
    return f"after {labels.place_words(path).removeprefix(f'{stack} ')}"
