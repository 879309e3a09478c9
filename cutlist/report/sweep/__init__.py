"""Views of a sweep."""
