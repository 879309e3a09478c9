"""What has to surround nodes that AKS makes by itself, as plain facts: names, networks, rights, checks (spec: azure 1)."""
