"""Views of a plan: text, JSON. They decide nothing; what they show is in the plan."""
