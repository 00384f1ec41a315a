"""The line below the header while an answer is pulled."""
