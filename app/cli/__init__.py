"""Defines the console command ``tinkerformer`` and its subcommands."""

from .command import main

__all__ = ["main"]
