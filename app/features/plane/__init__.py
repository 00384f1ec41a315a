"""Shows a badge with the name of the board's plane, and the largest cells of the plane."""
