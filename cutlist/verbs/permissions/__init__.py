"""Views of the permissions that an update needs."""
