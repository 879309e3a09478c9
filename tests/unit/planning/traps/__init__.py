"""Tests of traps: what is accepted and does something else than its author expects."""
