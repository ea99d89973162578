"""Which function counts which kind."""

from __future__ import annotations

from collections.abc import Callable

from tests.real.counting import kubernetes, serving, training
from tests.real.counting.counts import UNKNOWN, Around, Count, Object

COUNTERS: dict[str, Callable[[Object, Around], Count]] = {
    "Pod": kubernetes.bare_pod,
    "apps/Deployment": kubernetes.replicated,
    "apps/ReplicaSet": kubernetes.replicated,
    "apps/StatefulSet": kubernetes.replicated,
    "apps/DaemonSet": kubernetes.daemon_set,
    "batch/Job": kubernetes.job,
    "batch/CronJob": kubernetes.cron_job,
    "jobset.x-k8s.io/JobSet": kubernetes.job_set,
    "disaggregatedset.x-k8s.io/DisaggregatedSet": kubernetes.disaggregated_set,
    "leaderworkerset.x-k8s.io/LeaderWorkerSet": kubernetes.leader_worker_set,
    "kubeflow.org/PyTorchJob": training.by_role("pytorchReplicaSpecs"),
    "kubeflow.org/TFJob": training.by_role("tfReplicaSpecs"),
    "kubeflow.org/XGBoostJob": training.by_role("xgbReplicaSpecs"),
    "kubeflow.org/PaddleJob": training.by_role("paddleReplicaSpecs"),
    "kubeflow.org/JAXJob": training.by_role("jaxReplicaSpecs"),
    "kubeflow.org/MPIJob": training.by_role("mpiReplicaSpecs", Launcher=1, Worker=0),
    "trainer.kubeflow.org/TrainJob": training.train_job,
    "batch.volcano.sh/Job": training.volcano_job,
    "ray.io/RayCluster": training.ray_cluster,
    "ray.io/RayJob": training.ray_job,
    "ray.io/RayCronJob": training.ray_cron_job,
    "ray.io/RayService": training.ray_service,
    "sparkoperator.k8s.io/SparkApplication": training.spark_application,
    "argoproj.io/Workflow": lambda obj, around: UNKNOWN,
    "serving.kserve.io/InferenceGraph": serving.inference_graph,
    "serving.kserve.io/LLMInferenceService": serving.llm_inference_service,
    "serving.kserve.io/InferenceService": serving.inference_service,
    "serving.knative.dev/Service": serving.knative_service,
    "apps.nvidia.com/NIMCache": serving.nim_cache,
    "apps.nvidia.com/NIMPipeline": serving.nim_pipeline,
    "apps.nvidia.com/NIMService": serving.nim_service,
    "grove.io/PodCliqueSet": serving.pod_clique_set,
    "nvidia.com/DynamoGraphDeployment": serving.dynamo_graph,
    "milvus.io/Milvus": serving.milvus,
    "agents.x-k8s.io/Sandbox": serving.sandbox,
    "workload.codeflare.dev/AppWrapper": lambda obj, around: serving.app_wrapper(obj, around, count),
}
"""By group and kind."""


def count(obj: Object, around: Around) -> Count | None:
    """The pods and GPUs of a workload; None for a kind that nobody has written a counter for."""
    group, _, _ = obj["apiVersion"].rpartition("/")
    counter = COUNTERS.get(f"{group}/{obj['kind']}".lstrip("/"))
    return counter(obj, around) if counter else None
