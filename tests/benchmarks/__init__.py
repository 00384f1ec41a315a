"""Measurements, not tests: ``python -m tests.benchmarks`` prints them as a table."""
