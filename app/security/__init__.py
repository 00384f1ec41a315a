"""What guards a server: whom it answers, what it takes in, and what it logs of that."""
