"""Argo CD: what its Applications take from a checkout, and the Applications that its ApplicationSets make."""
