"""What a real account would refuse, as one table that every stand-in asks: a row for each type of resource.

`table.refusals` is asked for each resource, `stack.refusals` for all of a program together. Each limit has its source, with the
date on which that was read. A type without a row is refused, so that a new one is looked up before it is used.
"""
