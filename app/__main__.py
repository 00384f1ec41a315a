"""``python -m tinkerformer`` is the console command."""

from tinkerformer.cli import main

main()
