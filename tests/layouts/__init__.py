"""Repositories as teams lay them out: each with what its first commands have to say, and the table of the page about them."""
