"""Draws softmax of a row at a temperature."""
