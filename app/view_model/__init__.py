"""The page's content at one moment, as frozen values with pure transitions."""
