"""Rules OB: Karpenter's objects as such, and how they reach a cluster."""
