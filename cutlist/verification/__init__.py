"""What happened to a plan: its nodes matched with those of a cluster, how they differ, and why."""
