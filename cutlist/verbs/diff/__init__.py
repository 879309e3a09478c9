"""Views of a difference between two sides."""
