"""What Karpenter does next to nodes that run: consolidation, drift, expiry, budgets, interruption (spec: disruption)."""
