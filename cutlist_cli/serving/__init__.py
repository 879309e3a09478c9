"""Answers that stay up to date while files change: noticing changes, and showing a page on this machine only."""
