"""From a NodeClaim to the one EC2 Fleet request that Karpenter's AWS provider sends, and its result (spec: AWS 5, 6)."""
