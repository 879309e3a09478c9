"""Turns node classes and a cloud's machines into instance types."""
