"""Views of what became of a plan."""
