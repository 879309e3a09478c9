"""The parts of a plan: passes, nodes, reasons, notes. `cutlist.answers.plan` combines them."""
