"""Devices of dynamic resource allocation: what nodes have, what claims ask for, and whether a selector chooses a device."""
