"""Pages as a browser shows them, opened from disk."""
