"""The Decode tab."""
