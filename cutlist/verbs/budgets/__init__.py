"""Views of disruption budgets over a week."""
