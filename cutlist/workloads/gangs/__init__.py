"""Gangs: pods that a scheduler binds together, or that a queue admits together, and how many of them that takes."""
