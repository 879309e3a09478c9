"""Answers as a page: one file that loads nothing from the network, for a browser, a printer or a screen reader."""
