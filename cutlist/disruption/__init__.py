"""What Karpenter does next to running nodes: consolidation, drift, expiry, budgets, interruption (spec: disruption)."""
