"""Views of a loss of spot capacity."""
