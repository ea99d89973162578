"""Changes to an object through its definition, as minimal patches of the object as it is.

This is the place of labels, images, counts, suspending and resuming: what is written, and whether it can be.
What a workload is, `engine` tells; sending a patch anywhere is not done here. Nothing is built yet.
"""
