"""What others show of a link to the page: its title, a sentence and a picture."""
