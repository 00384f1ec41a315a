"""Threads, event loop and sockets, and their substitutes in the browser; no other room
uses them.
"""
