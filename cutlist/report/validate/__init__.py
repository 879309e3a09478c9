"""Views of a validation."""
