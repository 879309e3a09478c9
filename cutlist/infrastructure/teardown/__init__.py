"""What Karpenter leaves behind, when it may be removed and in which order: decided, not done (spec: aws-infrastructure 8)."""
