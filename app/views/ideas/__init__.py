"""Pictures that each explain one idea, a file each."""
