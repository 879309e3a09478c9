"""What nodes that AKS provisions itself need around them, as plain facts: names, networks, permissions, checks (spec: azure
1)."""
