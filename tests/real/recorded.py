"""Recorded life cycles, frame by frame: the phase and why it is that one.

Written by reading the frames: what the spec asks for and what the controller has reported by then.
"""

from __future__ import annotations

from typing import NamedTuple


class Frame(NamedTuple):
    """What is right for one frame."""

    phase: str
    because: str
    stale: bool = False


FLOWS: dict[str, list[Frame]] = {
    "milvus/initializing": [
        Frame("Initializing", "it has no status"),
        Frame("Initializing", "the operator has written its defaults"),
        Frame("Initializing", "its status is Pending"),
    ],
    "agent-sandbox/running": [
        Frame("Initializing", "it has no status"),
        Frame("Initializing", "Ready is False, its pod is pending"),
        Frame("Running", "Ready is True"),
    ],
    "nim/initializing": [
        Frame("Initializing", "it has no status"),
        Frame("Initializing", "only the volume for its model was made"),
        Frame("Initializing", "Ready is False, the deployment is not rolled out"),
    ],
    "grove/running": [
        Frame("Initializing", "it has no status"),
        Frame("Initializing", "the operator has seen it, nothing is available"),
        Frame("Initializing", "a role binding could not be made yet, which is tried again"),
        Frame("Initializing", "a replica was counted, none is available"),
        Frame("Initializing", "the error is gone, none is available"),
        Frame("Initializing", "its generation was seen, none is available"),
        Frame("Running", "the one replica is available"),
    ],
    "dynamo/running": [
        Frame("Initializing", "its state is empty, nothing was counted"),
        Frame("Initializing", "the operator has put its marks on the object, nothing was counted"),
        Frame("Initializing", "pending, neither part is ready"),
        Frame("Initializing", "no replica of either part is available"),
        Frame("Initializing", "the replicas of both parts were made, none is available"),
        Frame("Initializing", "the frontend is available, the decoder is not"),
        Frame("Running", "its state says successful, both parts are available"),
    ],
    "kuberay/rayjob-resumed": [
        Frame("Suspended", "it asks to be suspended, no controller has written yet"),
        Frame("Suspending", "it asks to be suspended and its cluster is being made"),
        Frame("Suspending", "the operator says so"),
        Frame("Suspended", "the operator says so"),
        Frame(
            "Resuming",
            "it asks to run, the status still says suspended; the operator does not write what it has seen",
        ),
        Frame("Initializing", "it asks to run, nothing is said any more"),
        Frame("Initializing", "its cluster is being made"),
        Frame("Initializing", "the head of its cluster is not known to be ready"),
        Frame("Initializing", "the head's container is being created"),
        Frame("Initializing", "the head runs and is not ready"),
        Frame("Initializing", "its cluster is ready, Ray has said nothing of the job"),
        Frame("Running", "Ray says that the job runs"),
    ],
    "knative/service-failed": [
        Frame("Initializing", "everything is Unknown, nothing was made yet"),
        Frame("Initializing", "a revision was made, Ready is Unknown"),
        Frame("Initializing", "Ready is Unknown, it waits for the revision"),
        Frame("Failed", "the image cannot be pulled, Ready is False, and no revision serves"),
    ],
    "batch-job/failed": [
        Frame("Initializing", "one pod active, none ready yet"),
        Frame(
            "Failed", "FailureTarget says that the backoff limit is reached; Failed follows when the pods end"
        ),
    ],
    "batch-job/scaled": [
        Frame("Initializing", "one pod active, none ready yet"),
        Frame("Running", "its pod is ready"),
        Frame("Running", "three pods are asked for now, the first one goes on"),
        Frame("Running", "three pods active, one of them ready"),
        Frame("Running", "all three ready"),
        Frame("Running", "one is asked for again, three are still ready"),
        Frame("Running", "two pods terminate, one is ready"),
    ],
    "batch-job/suspended": [
        Frame("Suspended", "it asks to be suspended, the condition says it is, nothing active")
    ],
    "cronjob/suspended": [Frame("Suspended", "it asks to be suspended and has no active run")],
    "deployment/initializing": [Frame("Initializing", "its replica set was made, no pod is ready")],
    "deployment/scaled": [
        Frame("Initializing", "its replica set was made, no pod is reported"),
        Frame("Initializing", "Available is False, nothing is ready"),
        Frame("Initializing", "its pod was made and is not ready"),
        Frame("Running", "one pod of one is ready, the roll-out is done"),
        Frame("Running", "three of three in the status of an older spec", stale=True),
        Frame("Running", "seen again: three ready where one is asked for, so that nothing is missing"),
        Frame("Running", "one ready of one"),
    ],
    "jobset/completed": [
        Frame("Initializing", "all counters are zero: its Jobs have not begun"),
        Frame("Initializing", "one Job active, none ready: started, and nothing works yet"),
        Frame("Running", "its one Job is ready"),
        Frame("Initializing", "one Job active and none ready, which is all that this frame says"),
        Frame("Running", "a Job is ready though it is no longer counted as active"),
        Frame("Completed", "the condition Completed is True"),
    ],
    "jobset/resumed": [
        Frame("Suspended", "it asks to be suspended and nothing is active"),
        Frame("Suspended", "the same, and its Job is counted as suspended"),
        Frame("Resuming", "it asks to run, the condition still says suspended"),
        Frame("Resuming", "the condition says resumed, its Job is still counted as suspended"),
        Frame("Initializing", "nothing is suspended any more, all counters are zero"),
        Frame("Initializing", "one Job active, none ready"),
    ],
    "kserve/inferenceservice-running-v0.20.0": [
        Frame("Initializing", "no controller has written yet"),
        Frame("Initializing", "everything is Unknown, a runtime was chosen"),
        Frame("Initializing", "a revision was made and is not ready"),
        Frame("Initializing", "its model is being loaded"),
        Frame("Initializing", "its model waits again, nothing is ready"),
        Frame(
            "Initializing", "the revision is ready and the load balancer is not, so that no route leads to it"
        ),
        Frame("Running", "Ready is True"),
    ],
    "kubeflow/mpijob-completed": [
        Frame("Initializing", "Created is all that is said"),
        Frame("Initializing", "its worker is active, its launcher is not yet"),
        Frame("Completed", "Succeeded is True; Running was never seen and is False"),
    ],
    "kubeflow/mpijob-running": [
        Frame("Initializing", "Created is all that is said"),
        Frame("Initializing", "its worker is active, its launcher is not yet"),
        Frame("Running", "Running is True, launcher and worker are active"),
    ],
    "kubeflow/mpijob-suspended": [
        Frame("Suspended", "it asks to be suspended, nothing is active, Suspended is True"),
    ],
    "kubeflow/pytorchjob-completed": [
        Frame("Initializing", "Created is all that is said"),
        Frame("Running", "Running is True"),
        Frame("Completed", "Succeeded is True; Created stays True for life"),
    ],
    "kubeflow/pytorchjob-running": [
        Frame("Initializing", "Created is all that is said"),
        Frame("Running", "Running is True, the master is active"),
    ],
    "kubeflow/pytorchjob-suspended": [
        Frame("Suspended", "it asks to be suspended, nothing is active, Suspended is True"),
    ],
    "kuberay/raycluster-resumed": [
        Frame(
            "Suspended",
            "created suspended: its state says suspended and there never was a head, whatever the "
            "condition Suspending says until the next sync",
        ),
        Frame("Suspended", "the condition Suspended is True"),
        Frame(
            "Resuming",
            "it asks to run, the condition still says suspended; the status is of the older spec",
            stale=True,
        ),
        Frame(
            "Initializing", "no condition says suspended, its pods are being provisioned for the first time"
        ),
        Frame("Initializing", "the head pod exists and is not known to be ready"),
        Frame("Initializing", "the head's container is being created"),
        Frame("Initializing", "the head runs and is not ready"),
        Frame("Running", "the head is ready, the cluster provisioned, no worker asked for"),
    ],
    "kuberay/raycluster-suspended": [
        Frame("Suspended", "it asks to be suspended, no controller has written yet")
    ],
    "pod/happy": [
        Frame("Initializing", "it has a node and no container statuses yet"),
        Frame("Initializing", "its init container waits"),
        Frame("Initializing", "its init container runs"),
        Frame("Initializing", "its init container is done, its container is not ready"),
        Frame("Running", "it is ready"),
    ],
    "pod/initializing": [Frame("Initializing", "pending, and nothing else is said")],
    "statefulset/scaled": [
        Frame("Initializing", "no pod was made yet"),
        Frame("Initializing", "its pod was made and is not ready"),
        Frame("Running", "one ready of one"),
        Frame("Running", "one ready of the one that this older status knows of", stale=True),
        Frame("Degraded", "three pods were made, two are ready"),
        Frame("Running", "three ready of three"),
        Frame("Running", "three ready of the three that this older status knows of", stale=True),
        Frame("Initializing", "two ready where one is asked for: it still comes down"),
        Frame("Running", "one ready of one, the other pod is on its way out"),
        Frame("Running", "one ready of one"),
    ],
}
