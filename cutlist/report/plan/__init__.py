"""Views of a plan."""
