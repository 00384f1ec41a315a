"""What the page is, and what to try on it."""
