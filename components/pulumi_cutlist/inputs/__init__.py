"""How every component takes its inputs: their shapes and spelling, and values that are known late."""
