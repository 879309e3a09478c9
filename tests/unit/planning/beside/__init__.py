"""Node groups beside Karpenter."""
