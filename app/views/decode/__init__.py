"""How it writes, in the drawer."""
