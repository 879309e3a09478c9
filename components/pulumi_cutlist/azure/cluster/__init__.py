"""AKS clusters, made here or adopted."""
