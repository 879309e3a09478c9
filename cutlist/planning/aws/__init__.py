"""AWS in a plan: EC2 behind self-managed Karpenter, and EKS Auto Mode."""
