"""Views of what happened to a plan."""
