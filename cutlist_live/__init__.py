"""What an AWS account sees today: instance types, offerings and prices read through the API into a
catalogue that plans can use.

Needs the extra `live`. `cutlist catalog update` is its command; docs/live-catalogue.md lists the permissions.
"""
