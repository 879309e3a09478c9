"""Views of user data."""
