"""Azure in a plan: VM sizes behind Karpenter on AKS."""
