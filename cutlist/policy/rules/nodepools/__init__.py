"""Rules NP: what NodePools require, may launch, limit, and how long their nodes live."""
