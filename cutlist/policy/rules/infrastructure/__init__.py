"""Rules IF: the cluster, its network, who may do what, interruptions, and Karpenter's charts."""
