"""Small repositories, each in the layout of a tool or of several together."""
