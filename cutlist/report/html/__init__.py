"""Answers as a page: one file that asks the network for nothing, for a browser, a printer or a screen reader."""
