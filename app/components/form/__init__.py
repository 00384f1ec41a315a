"""Labeled controls made from descriptions of fields."""
