"""The basic components: each has its Python, JavaScript and CSS in one folder."""
