"""Views of catalogue differences."""
