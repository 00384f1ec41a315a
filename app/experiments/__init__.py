"""What is asked of a model that is trained: scenarios like any other, found by an experiment."""
