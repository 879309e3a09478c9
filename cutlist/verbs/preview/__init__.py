"""Views of a stack's preview."""
