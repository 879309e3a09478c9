"""Flux: what its Kustomizations and HelmReleases take from a checkout, and how it changes that."""
