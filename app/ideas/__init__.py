"""Pictures that each explain one idea, one folder each."""
