"""Views of a forecast of disruption."""
