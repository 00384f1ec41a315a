"""Lessons: what a file says, its checks on live numbers, and how far a reader has come."""
