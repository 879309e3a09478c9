"""Objects inside other resources: in texts, templates and what operators expand."""
