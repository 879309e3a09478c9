"""Kubernetes' own kinds, compared with the answers of Kubernetes' own code."""
