"""Views of tables of instance types."""
