"""The state of a simulation as plain JSON, from which it can continue later and elsewhere."""
