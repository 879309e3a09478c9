"""Views of the nodes of a cluster."""
