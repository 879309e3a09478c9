"""A simulated cluster: text, JSON, Markdown, a page with charts, CSV by the hour."""
