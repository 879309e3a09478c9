"""Views of converted objects."""
