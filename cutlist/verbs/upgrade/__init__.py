"""Views of an upgrade of Karpenter."""
