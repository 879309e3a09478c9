"""Views of answers: they decide nothing and show only what is in the answer."""
