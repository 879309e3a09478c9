"""Karpenter's objects as typed values, read from manifests or built in Python with equal results (spec: api-objects)."""
