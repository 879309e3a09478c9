"""PyYAML, imported without compiling what only its own resolver of scalars needs."""

from cutlist.core.late_patterns import late_patterns

with late_patterns():
    import yaml

__all__ = ["yaml"]
