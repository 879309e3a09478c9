"""What an AWS account and a cluster say today: instance types, offerings and prices read through the API into a catalogue
that plans can use, and a cluster's objects written down.

Needs the extra `live`. `cutlist catalog update` and `cutlist snapshot` are its commands; docs/live-catalogue.md and
docs/snapshots.md list the permissions.
"""
