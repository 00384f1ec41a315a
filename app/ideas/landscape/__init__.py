"""The place of the model in a landscape of losses."""
