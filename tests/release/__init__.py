"""A release: what is built, what describes it, and what it does once it is installed."""
