"""Objects of the size that real clusters hold, made here."""

from __future__ import annotations

from typing import Any

Object = dict[str, Any]


def _container(name: str, variables: int, gpus: int) -> Object:
    return {
        "name": name,
        "image": f"registry.example/{name}:2026.11",
        "command": ["python", "-m", "train", "--config", "/etc/train/config.yaml"],
        "env": [
            {"name": f"SETTING_{number:02d}", "value": f"value of setting {number}"}
            for number in range(variables)
        ],
        "ports": [{"containerPort": 29500, "name": "rendezvous", "protocol": "TCP"}],
        "resources": {
            "requests": {"cpu": "8", "memory": "64Gi", "nvidia.com/gpu": gpus},
            "limits": {"cpu": "16", "memory": "64Gi", "nvidia.com/gpu": gpus},
        },
        "volumeMounts": [{"name": "data", "mountPath": "/data"}, {"name": "shm", "mountPath": "/cache"}],
    }


def _template(name: str, variables: int, gpus: int) -> Object:
    return {
        "metadata": {"labels": {"app": "train", "team": "research"}},
        "spec": {
            "containers": [_container(name, variables, gpus)],
            "nodeSelector": {"accelerator": "h100"},
            "restartPolicy": "Never",
            "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}],
            "volumes": [
                {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
                {"name": "shm", "emptyDir": {}},
            ],
        },
    }


def _metadata(name: str) -> Object:
    return {
        "creationTimestamp": "2026-11-01T08:00:00Z",
        "generation": 1,
        "labels": {"kueue.x-k8s.io/queue-name": "research"},
        "name": name,
        "namespace": "research",
        "resourceVersion": "104211",
        "uid": "6f3f5f9e-6b0c-4f6e-9a53-3f0a7f6f2f11",
    }


def jobset() -> Object:
    """A running JobSet of one leader and four workers, with two pods' worth of environment: 9 KB of JSON."""
    roles = (("leader", 1, 1), ("worker", 4, 8))
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": _metadata("train"),
        "spec": {
            "failurePolicy": {"maxRestarts": 3},
            "network": {"enableDNSHostnames": True, "publishNotReadyAddresses": True},
            "replicatedJobs": [
                {
                    "name": name,
                    "replicas": replicas,
                    "template": {
                        "spec": {
                            "backoffLimit": 0,
                            "completionMode": "Indexed",
                            "completions": 1,
                            "parallelism": 1,
                            "template": _template(name, 62, gpus),
                        }
                    },
                }
                for name, replicas, gpus in roles
            ],
            "suspend": False,
        },
        "status": {
            "conditions": [
                {
                    "lastTransitionTime": "2026-11-01T08:00:02Z",
                    "message": "all replicated jobs have started",
                    "reason": "StartupPolicyCompleted",
                    "status": "True",
                    "type": "StartupPolicyCompleted",
                }
            ],
            "replicatedJobsStatus": [
                {
                    "active": replicas,
                    "failed": 0,
                    "name": name,
                    "ready": replicas,
                    "succeeded": 0,
                    "suspended": 0,
                }
                for name, replicas, _ in roles
            ],
            "restarts": 0,
        },
    }


def raycluster() -> Object:
    """A running RayCluster with a head and three groups: 4 KB."""
    return {
        "apiVersion": "ray.io/v1",
        "kind": "RayCluster",
        "metadata": _metadata("ray"),
        "spec": {
            "rayVersion": "2.46.0",
            "headGroupSpec": {"rayStartParams": {}, "template": _template("head", 4, 0)},
            "workerGroupSpecs": [
                {
                    "groupName": f"group-{number}",
                    "replicas": 2,
                    "minReplicas": 1,
                    "maxReplicas": 4,
                    "rayStartParams": {},
                    "template": _template("worker", 3, number),
                }
                for number in range(3)
            ],
        },
        "status": {
            "conditions": [
                {
                    "type": kind,
                    "status": "True",
                    "reason": kind,
                    "message": "",
                    "lastTransitionTime": "2026-11-01T08:00:02Z",
                }
                for kind in ("HeadPodReady", "RayClusterProvisioned")
            ],
            "desiredWorkerReplicas": 6,
            "observedGeneration": 1,
            "readyWorkerReplicas": 6,
            "state": "ready",
        },
    }


def deployment() -> Object:
    """A running Deployment: 1.5 KB."""
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": _metadata("api"),
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app": "train"}},
            "template": _template("api", 3, 0),
        },
        "status": {
            "availableReplicas": 3,
            "conditions": [
                {"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable"},
                {"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable"},
            ],
            "observedGeneration": 1,
            "readyReplicas": 3,
            "replicas": 3,
            "updatedReplicas": 3,
        },
    }


def other_jobset(number: int) -> Object:
    """A JobSet that asks for other amounts than those of other numbers, within its limits."""
    obj = jobset()
    for index, job in enumerate(obj["spec"]["replicatedJobs"]):
        container = job["template"]["spec"]["template"]["spec"]["containers"][0]
        container["resources"]["requests"]["memory"] = f"{2 * number + index}Mi"
    return obj


def other_deployment(number: int) -> Object:
    """A Deployment with other amounts, another image and another generation than those of other numbers."""
    obj = deployment()
    container = obj["spec"]["template"]["spec"]["containers"][0]
    container["image"] = f"registry.example/api:{number}"
    container["resources"]["requests"]["memory"] = f"{number}Mi"
    obj["metadata"]["generation"] = obj["status"]["observedGeneration"] = number
    return obj


def pod(owner: Object, number: int) -> Object:
    """A running pod that a workload controls."""
    name = owner["metadata"]["name"]
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": name,
        "uid": owner["metadata"]["uid"],
        "controller": True,
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            **_metadata(f"{name}-{number}"),
            "uid": f"{owner['metadata']['uid']}-{number}",
            "labels": _labels_of_pod(owner["kind"], number),
            "ownerReferences": [reference],
        },
        "spec": {"nodeName": f"node-{number % 97}", "containers": [_container("worker", 3, 8)]},
        "status": {
            "phase": "Running",
            "conditions": [
                {"type": kind, "status": "True", "lastTransitionTime": "2026-11-01T08:00:02Z"}
                for kind in ("Initialized", "Ready", "ContainersReady", "PodScheduled")
            ],
            "containerStatuses": [
                {"name": "worker", "ready": True, "restartCount": 0, "state": {"running": {}}}
            ],
        },
    }


def _labels_of_pod(kind: str, number: int) -> Object:
    """The labels by which pods of a kind tell their role."""
    if kind == "RayCluster":
        return {"ray.io/node-type": "worker", "ray.io/group": f"group-{number % 3}", "ray.io/cluster": "r"}
    if kind == "Deployment":
        return {"app": "web", "pod-template-hash": "7d9c4b6f5"}
    return {
        "jobset.sigs.k8s.io/replicatedjob-name": "worker",
        "jobset.sigs.k8s.io/job-index": str(number % 4),
    }
