"""Workload Map: one view of any Kubernetes workload, from definitions that are data."""
