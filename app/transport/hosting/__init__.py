"""Hosting the page on a server for many users: guards, health checks, compressed and
cached files.
"""
