"""What the page shows at one moment, as frozen values with pure transitions."""
