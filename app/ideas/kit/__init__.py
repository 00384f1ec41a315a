"""Provides the parts that the pictures share: bars, points, arrows, handles, texts and choices."""
