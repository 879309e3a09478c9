"""What everything stands on: errors, requirements, quantities, labels, taints, and small things of Kubernetes and Go."""
