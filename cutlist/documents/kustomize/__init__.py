"""Kustomizations: as written, rendered here where they only select and set, and by the installed program otherwise."""
