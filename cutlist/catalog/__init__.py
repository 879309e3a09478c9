"""Machines, zones and prices by region, each with its source and date. `load("us-west-2")` and `load_location("eastus")` read
the catalogue that comes with Cutlist, `load_chosen("catalog", "us-west-2")` what `cutlist catalog update` wrote."""
