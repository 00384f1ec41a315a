"""The computational graph of a forward pass: traces, gradients, sweeps and replays."""
