"""Threads, event loop and limits of a process, and their substitutes in the browser."""
