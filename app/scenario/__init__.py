"""All that the user chose, in one frozen value."""
