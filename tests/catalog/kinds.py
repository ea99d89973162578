"""The kinds that the catalog covers: definition, plural and short names of each, as kubectl has them."""

KINDS = {
    ("v1", "Pod"): ("core-pod-v1", "pods", ("po",)),
    ("apps/v1", "DaemonSet"): ("apps-daemonset-v1", "daemonsets", ("ds",)),
    ("apps/v1", "Deployment"): ("apps-deployment-v1", "deployments", ("deploy",)),
    ("apps/v1", "ReplicaSet"): ("apps-replicaset-v1", "replicasets", ("rs",)),
    ("apps/v1", "StatefulSet"): ("apps-statefulset-v1", "statefulsets", ("sts",)),
    ("batch/v1", "CronJob"): ("batch-cronjob-v1", "cronjobs", ("cj",)),
    ("batch/v1", "Job"): ("batch-job-v1", "jobs", ()),
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): ("jobset-x-k8s-io-jobset-v1alpha2", "jobsets", ()),
    ("kubeflow.org/v2beta1", "MPIJob"): ("kubeflow-org-mpijob-v2beta1", "mpijobs", ()),
    ("kubeflow.org/v1", "PyTorchJob"): ("kubeflow-org-pytorchjob-v1", "pytorchjobs", ()),
    ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"): (
        "leaderworkerset-x-k8s-io-leaderworkerset-v1",
        "leaderworkersets",
        ("lws",),
    ),
    ("ray.io/v1", "RayCluster"): ("ray-io-raycluster-v1", "rayclusters", ()),
    ("ray.io/v1alpha1", "RayCluster"): ("ray-io-raycluster-v1", "rayclusters", ()),
}
