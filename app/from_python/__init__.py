"""The page out of a program of one's own: in a notebook, or in an app of Panel's."""
