"""The parts of a plan: passes, nodes, reasons, notes. `cutlist.plan` puts them together."""
