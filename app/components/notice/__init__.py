"""What the page has to say: a sentence that floats over it, perhaps with one thing to do."""
