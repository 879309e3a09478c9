"""Remedies: the smallest change that would give pending pods a node, planned with before it is reported."""
