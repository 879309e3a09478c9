"""Kinds of `resource.k8s.io`, checked as the API server checks them (W-84 to W-96)."""
