"""Kubernetes' own kinds, held against the answers of Kubernetes' own code."""
