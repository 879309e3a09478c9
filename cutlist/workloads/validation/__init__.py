"""Kubernetes' own kinds, checked as the API server checks an object that is created (spec: workloads)."""
