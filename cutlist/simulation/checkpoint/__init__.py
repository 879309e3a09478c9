"""The state of a simulation as plain JSON, from which the simulation goes on later and elsewhere."""
