"""Node groups beside Karpenter: nodes that it does not launch, and the pods that only they can take."""
