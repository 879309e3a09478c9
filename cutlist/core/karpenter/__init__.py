"""Karpenter's versions, and what each supported one does: values that every layer may use."""
