"""Dares: what was changed, how far, whether that is allowed and whether it does what is dared."""
