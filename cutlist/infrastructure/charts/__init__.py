"""Karpenter's two charts: their versions, CRDs and values, and what an upgrade changes (spec: aws-infrastructure 7)."""
