"""Thin adapters between Pulumi's policy packs and Cutlist's rules, which know nothing about Pulumi."""
