"""The foundation of all layers: errors, requirements, quantities, labels, taints, and small pieces of Kubernetes and Go."""
