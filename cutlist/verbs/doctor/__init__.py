"""Views of what an installation has."""
