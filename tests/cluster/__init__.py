"""A real control plane with real operators, without containers: right answers come from real controllers.

    make cluster-build                       # binaries and manifests, once; needs Go
    make test-cluster                        # the tests of this folder
    make cluster OPERATORS="jobset kuberay"  # one to work with by hand, until Ctrl-C

`etcd`, `kube-apiserver`, `kube-controller-manager`, `kube-scheduler` and the operators are the real programs,
each operator with its own RBAC and webhooks. Nodes are objects, and kwok plays their kubelets: `stages` says
what becomes of a pod and which annotations change that. All of it lives in a network namespace and a
temporary folder, and ends with the process that started it.

In a test, ask for the fixtures of `conftest`:

    def test_a_job_runs(cluster: Cluster, namespace: str) -> None:
        (job,) = cluster.apply(MANIFEST, namespace)
        cluster.wait_for(job, lambda found: found["status"].get("active") == 2)
        pods = cluster.wait_for_pods(namespace, lambda pods: sum(has(one, "Ready") for one in pods) == 2)
        raw = cluster.client.get(f"/apis/batch/v1/namespaces/{namespace}/jobs")

    def test_a_ray_cluster(cluster: Cluster, namespace: str, operators: StartOperators) -> None:
        operators("kuberay")  # started at the first call, and kept for the rest of the run
        ...

`Cluster.wait_for`, `wait_for_pods` and `client.states` follow watch events, so every state that the server
told is seen and nothing polls. `cluster.client` is plain HTTPS and JSON, with nothing of the project between.

Elsewhere, in a program that records for instance, use `Cluster` as a context manager, in a process that
`python -m tests.cluster.isolation PROGRAM...` started.
"""
