"""Running a stack's program without an engine, in its own process."""
