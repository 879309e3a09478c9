"""Policy: rules about objects, resources and plans, and the gates that apply them to an environment."""
