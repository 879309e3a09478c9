"""Rules PL: the predicted plan as a whole, and the share of each NodePool."""
