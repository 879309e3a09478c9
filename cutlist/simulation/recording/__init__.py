"""Passes and rounds of a simulation as conformance scenarios: the objects that Karpenter would see, and what was decided."""
