"""Devices for pods with ResourceClaims, as Karpenter 1.15 allocates them (its package `scheduling/dynamicresources`)."""
