"""What happens when a stack is destroyed, so that nothing is left of its cluster."""
