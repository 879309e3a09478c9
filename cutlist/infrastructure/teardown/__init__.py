"""Leftovers of Karpenter, when they may be removed and in which order: the decisions, not the calls (spec:
aws-infrastructure 8)."""
