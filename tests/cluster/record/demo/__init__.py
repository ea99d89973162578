"""The dump that the demo and the docs read: what a cluster with a workload of each kind answers.

    make record-demo  # writes examples/dump.yaml anew

The scenarios beside this say what runs, each in a namespace of its name. Of what they saw, the last state of
everything is kept, in the form of `kubectl get ... -o yaml`.
"""
