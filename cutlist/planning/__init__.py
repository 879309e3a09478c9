"""The parts of a plan: passes, nodes, reasons, notes. `cutlist.verbs.plan.answer` combines them."""
