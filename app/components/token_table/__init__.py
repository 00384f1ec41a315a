"""Tables with a column for each token, whose cells are colored by a share and can be chosen."""
