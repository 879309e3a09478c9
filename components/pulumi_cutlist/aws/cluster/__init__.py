"""EKS clusters: made here with Karpenter in mind, made with nodes that EKS manages, or adopted."""
