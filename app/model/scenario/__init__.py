"""A scenario: the tokens, settings and edits that the user chose, in one frozen value."""
