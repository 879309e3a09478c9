"""What Karpenter finds and reads in an account: subnets and security groups, interruptions, user data."""
