"""A cluster over time: pods come and go, Karpenter and kube-scheduler answer, nodes start, drain and cost money."""
