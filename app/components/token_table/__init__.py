"""Tables with a column per token, whose cells are colored by a share and can be selected."""
