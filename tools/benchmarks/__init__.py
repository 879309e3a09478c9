"""The measurements behind docs/performance.md. Development code: not part of the wheel."""
