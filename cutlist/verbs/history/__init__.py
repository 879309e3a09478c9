"""Views of what Karpenter did."""
