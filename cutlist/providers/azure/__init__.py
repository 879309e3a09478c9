"""Instance types that Karpenter's Azure provider derives from Azure VM sizes for an AKSNodeClass (spec: azure 3 to 6)."""
