"""Views of what gates report."""
