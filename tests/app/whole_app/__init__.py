"""The whole app without a browser: what one would see and send, and what must be so after each."""
