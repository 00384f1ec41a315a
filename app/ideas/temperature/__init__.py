"""Softmax of a row at a temperature."""
