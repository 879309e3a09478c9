"""Gangs of an input."""
