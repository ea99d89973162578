"""Gangs: which pods of a workload must be placed together, and the objects by which schedulers are told.

This is the place of the tree of groups, and of one small module for each scheduler's API. Which pods a
workload has, `engine` tells; sending objects anywhere is not done here. Nothing is built yet.
"""
