"""How spot prices that nobody published are estimated, and how far such estimates are from published prices."""
