"""The page as a folder of files, which any file host serves: its Python runs in the browser."""
