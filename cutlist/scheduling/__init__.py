"""The scheduler: pods in, NodeClaims out."""
