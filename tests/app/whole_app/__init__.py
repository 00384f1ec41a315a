"""Random use of the whole app without a browser, and conditions that must always hold."""
