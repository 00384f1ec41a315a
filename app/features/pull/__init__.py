"""Pulls a probability: by all numbers, by a few, or by one."""
