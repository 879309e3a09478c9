"""Pulumi components of Cutlist."""
