"""Rules NC: how machines are made, and what node classes select."""
