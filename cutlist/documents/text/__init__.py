"""YAML and JSON as text: parsed with lines, written, and edited in place."""
