"""Protects a server: allowed hosts and origins, validation of messages, headers and logs."""
