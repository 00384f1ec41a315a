"""The Positions and Cost tabs."""
