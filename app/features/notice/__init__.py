"""Shows notices: one sentence over the page, optionally with a button."""
