"""Lessons: parsing files, checks on live numbers, and the state that a step sets up."""
