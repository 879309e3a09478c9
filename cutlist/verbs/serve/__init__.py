"""Views of pages that are served."""
