"""Views of suggested NodePools."""
