"""Which head matters: a table of heads, each with a switch that silences it."""
