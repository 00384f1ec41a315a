"""The chain rule at one number."""
