"""Checks of what Cutlist does with a cluster, against a real API server: pytest runs them where it is given their names.

    python -m pytest -n 0 tests/live/checks/check_*.py

They start servers of their own, without Karpenter, from the programs that `make live` builds.
"""
