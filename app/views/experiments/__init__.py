"""The Experiments view: what is asked of a model that is trained already, a section each."""
