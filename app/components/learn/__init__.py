"""The controls of the Train room."""
