"""Words as points in a plane."""
