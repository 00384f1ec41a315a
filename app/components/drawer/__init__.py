"""The buttons that open the drawer of Explore."""
