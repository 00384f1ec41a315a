"""Runs the console command: ``python -m tinkerformer``."""

from tinkerformer.cli import main

main()
