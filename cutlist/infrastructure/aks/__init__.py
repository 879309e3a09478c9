"""Everything that nodes of AKS's own provisioning need around them, as plain facts: names, networks, permissions, checks (spec:
azure 1)."""
