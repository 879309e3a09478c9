"""Helmfiles rendered by the installed helmfile, for one environment, without hooks, plugins and programs of their own."""
