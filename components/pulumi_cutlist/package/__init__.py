"""The package of components for programs in other languages."""
