"""The parts of a plan: passes, nodes, reasons, notes. `cutlist.answers.plan` puts them together."""
