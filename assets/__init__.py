"""Files that come with the page: trained weights and the tables of a document."""
