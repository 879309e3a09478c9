"""Permissions around Karpenter: IAM documents, the permissions of the controller and of nodes, and an evaluator of requests."""
