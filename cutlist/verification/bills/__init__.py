"""What nodes should have cost, by a plan or a simulation, compared with what a bill says."""
