"""The Train room: a training in progress."""
