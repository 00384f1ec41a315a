"""Which part matters: a table of heads or hidden units, each with a switch that silences it."""
