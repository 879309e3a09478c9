"""How a release of Cutlist is made on this machine: built, checked and described, never published."""
