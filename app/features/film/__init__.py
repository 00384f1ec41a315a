"""Plays films."""
