"""Reading of accounts and clusters: instance types, offerings and prices read through the API into a catalogue that plans can
use, and a cluster's objects saved to a file.

Needs the extra `live`. `cutlist catalog update` and `cutlist snapshot` are its commands; docs/prices.md and
docs/verify.md list the permissions.
"""
