"""Traps in a change: what costs more, or holds less, than its author may see."""
