"""The buttons that open and close the drawer of Explore."""
