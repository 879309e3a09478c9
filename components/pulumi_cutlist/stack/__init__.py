"""A stack: its files, what they say about its environment, and how its program's resources are judged."""
