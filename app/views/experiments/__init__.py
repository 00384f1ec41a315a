"""The Experiments view: experiments on a trained model, one section each."""
