"""The Learn view: a training in progress."""
