"""Views of `cutlist top`."""
