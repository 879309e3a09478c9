"""A simulated cluster: text and JSON."""
