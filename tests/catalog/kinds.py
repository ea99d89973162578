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
    ("kubeflow.org/v1", "MPIJob"): ("kubeflow-org-mpijob-v1", "mpijobs", ()),
    ("kubeflow.org/v1", "PyTorchJob"): ("kubeflow-org-pytorchjob-v1", "pytorchjobs", ()),
    ("disaggregatedset.x-k8s.io/v1", "DisaggregatedSet"): (
        "disaggregatedset-x-k8s-io-disaggregatedset-v1",
        "disaggregatedsets",
        (),
    ),
    ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"): (
        "leaderworkerset-x-k8s-io-leaderworkerset-v1",
        "leaderworkersets",
        ("lws",),
    ),
    ("ray.io/v1", "RayCluster"): ("ray-io-raycluster-v1", "rayclusters", ()),
    ("ray.io/v1alpha1", "RayCluster"): ("ray-io-raycluster-v1", "rayclusters", ()),
    ("serving.kserve.io/v1alpha1", "InferenceGraph"): (
        "serving-kserve-io-inferencegraph-v1alpha1",
        "inferencegraphs",
        ("ig",),
    ),
    ("serving.kserve.io/v1alpha2", "LLMInferenceService"): (
        "serving-kserve-io-llminferenceservice-v1alpha2",
        "llminferenceservices",
        ("llmisvc",),
    ),
    ("serving.kserve.io/v1alpha1", "LLMInferenceService"): (
        "serving-kserve-io-llminferenceservice-v1alpha2",
        "llminferenceservices",
        ("llmisvc",),
    ),
    ("serving.kserve.io/v1beta1", "InferenceService"): (
        "serving-kserve-io-inferenceservice-v1beta1",
        "inferenceservices",
        ("isvc",),
    ),
    ("serving.knative.dev/v1", "Service"): (
        "serving-knative-dev-service-v1",
        "services",
        ("kservice", "ksvc"),
    ),
    ("ray.io/v1", "RayJob"): ("ray-io-rayjob-v1", "rayjobs", ()),
    ("ray.io/v1", "RayCronJob"): ("ray-io-raycronjob-v1", "raycronjobs", ()),
    ("ray.io/v1", "RayService"): ("ray-io-rayservice-v1", "rayservices", ()),
    ("ray.io/v1alpha1", "RayJob"): ("ray-io-rayjob-v1", "rayjobs", ()),
    ("ray.io/v1alpha1", "RayService"): ("ray-io-rayservice-v1", "rayservices", ()),
    ("nvidia.com/v1alpha1", "DynamoGraphDeployment"): (
        "nvidia-com-dynamographdeployment-v1alpha1",
        "dynamographdeployments",
        ("dgd",),
    ),
    ("nvidia.com/v1beta1", "DynamoGraphDeployment"): (
        "nvidia-com-dynamographdeployment-v1beta1",
        "dynamographdeployments",
        ("dgd",),
    ),
    ("grove.io/v1alpha1", "PodCliqueSet"): ("grove-io-podcliqueset-v1alpha1", "podcliquesets", ("pcs",)),
    ("apps.nvidia.com/v1alpha1", "NIMCache"): ("apps-nvidia-com-nimcache-v1alpha1", "nimcaches", ()),
    ("apps.nvidia.com/v1alpha1", "NIMPipeline"): ("apps-nvidia-com-nimpipeline-v1alpha1", "nimpipelines", ()),
    ("apps.nvidia.com/v1alpha1", "NIMService"): ("apps-nvidia-com-nimservice-v1alpha1", "nimservices", ()),
    ("kubeflow.org/v1", "TFJob"): ("kubeflow-org-tfjob-v1", "tfjobs", ()),
    ("kubeflow.org/v1", "XGBoostJob"): ("kubeflow-org-xgboostjob-v1", "xgboostjobs", ()),
    ("kubeflow.org/v1", "JAXJob"): ("kubeflow-org-jaxjob-v1", "jaxjobs", ()),
    ("kubeflow.org/v1", "PaddleJob"): ("kubeflow-org-paddlejob-v1", "paddlejobs", ()),
    ("batch.volcano.sh/v1alpha1", "Job"): ("batch-volcano-sh-job-v1alpha1", "jobs", ("vcjob", "vj")),
    ("agents.x-k8s.io/v1beta1", "Sandbox"): ("agents-x-k8s-io-sandbox-v1beta1", "sandboxes", ("sandbox",)),
    ("agents.x-k8s.io/v1alpha1", "Sandbox"): ("agents-x-k8s-io-sandbox-v1alpha1", "sandboxes", ("sandbox",)),
    ("trainer.kubeflow.org/v1alpha1", "TrainJob"): (
        "trainer-kubeflow-org-trainjob-v1alpha1",
        "trainjobs",
        (),
    ),
    ("workload.codeflare.dev/v1beta2", "AppWrapper"): (
        "workload-codeflare-dev-appwrapper-v1beta2",
        "appwrappers",
        ("aw",),
    ),
    ("flink.apache.org/v1beta1", "FlinkDeployment"): (
        "flink-apache-org-flinkdeployment-v1beta1",
        "flinkdeployments",
        ("flinkdep",),
    ),
    ("argoproj.io/v1alpha1", "Workflow"): ("argoproj-io-workflow-v1alpha1", "workflows", ("wf",)),
    ("grove.io/v1alpha1", "PodClique"): ("grove-io-podclique-v1alpha1", "podcliques", ("pclq",)),
    ("grove.io/v1alpha1", "PodCliqueScalingGroup"): (
        "grove-io-podcliquescalinggroup-v1alpha1",
        "podcliquescalinggroups",
        ("pcsg",),
    ),
    ("sparkoperator.k8s.io/v1beta2", "SparkApplication"): (
        "sparkoperator-k8s-io-sparkapplication-v1beta2",
        "sparkapplications",
        ("sparkapp",),
    ),
    ("milvus.io/v1beta1", "Milvus"): ("milvus-io-milvus-v1beta1", "milvuses", ("mi",)),
}

NO_SCHEMA = {"nvidia.com", "argoproj.io", "flink.apache.org", "kubeflow-org-mpijob-v1"}
"""Groups and definitions whose schema is not at hand, so that the fields read are not held against one."""

# Counts that cannot be written: nodes decide, runs come and go, workers follow from their groups, and where
# there is an autoscaler, its bounds are what is written.
COMPUTED_COUNTS = {
    ("milvus-io-milvus-v1beta1", "cdc"),
    ("milvus-io-milvus-v1beta1", "streamingnode"),
    ("milvus-io-milvus-v1beta1", "querynode"),
    ("milvus-io-milvus-v1beta1", "indexnode"),
    ("milvus-io-milvus-v1beta1", "datanode"),
    ("milvus-io-milvus-v1beta1", "querycoord"),
    ("milvus-io-milvus-v1beta1", "indexcoord"),
    ("milvus-io-milvus-v1beta1", "datacoord"),
    ("milvus-io-milvus-v1beta1", "rootcoord"),
    ("milvus-io-milvus-v1beta1", "mixcoord"),
    ("milvus-io-milvus-v1beta1", "proxy"),
    ("milvus-io-milvus-v1beta1", "standalone"),
    ("apps-daemonset-v1", "daemonset"),
    ("batch-cronjob-v1", "cronjob"),
    ("sparkoperator-k8s-io-sparkapplication-v1beta2", "executor"),
    ("flink-apache-org-flinkdeployment-v1beta1", "taskmanager"),
    ("grove-io-podcliquescalinggroup-v1alpha1", "clique"),
    ("disaggregatedset-x-k8s-io-disaggregatedset-v1", "role"),
    ("disaggregatedset-x-k8s-io-disaggregatedset-v1", "worker"),
    ("leaderworkerset-x-k8s-io-leaderworkerset-v1", "worker"),
    ("serving-kserve-io-inferencegraph-v1alpha1", "inferencegraph"),
    ("serving-kserve-io-llminferenceservice-v1alpha2", "group"),
    ("serving-kserve-io-llminferenceservice-v1alpha2", "main"),
    ("serving-kserve-io-llminferenceservice-v1alpha2", "prefill"),
    ("serving-kserve-io-llminferenceservice-v1alpha2", "prefill-group"),
    ("serving-kserve-io-llminferenceservice-v1alpha2", "prefill-worker"),
    ("serving-kserve-io-llminferenceservice-v1alpha2", "router-scheduler"),
    ("serving-kserve-io-llminferenceservice-v1alpha2", "tokenizer"),
    ("serving-kserve-io-llminferenceservice-v1alpha2", "worker"),
    ("serving-kserve-io-inferenceservice-v1beta1", "explainer"),
    ("serving-kserve-io-inferenceservice-v1beta1", "predictor"),
    ("serving-kserve-io-inferenceservice-v1beta1", "transformer"),
}

_ROOT = "spec.structureDefinition.rootComponent"
_COMPOSED = ["labels", "annotations"]
"""What a part of a Milvus has together with all others; the rest is its own or, if it has none, theirs."""
_CHILDREN = "spec.structureDefinition.childComponents"

EXPLAINED = {
    "milvus-io-milvus-v1beta1": {
        f"not-writable: {_CHILDREN}[{number}].specDefinition.fragmentedPodSpecDefinition.{field}Path"
        for number in range(12)
        for field in _COMPOSED
    },
    "disaggregatedset-x-k8s-io-disaggregatedset-v1": {
        f"default-without-path: {_CHILDREN}[2].scaleDefinition.defaults.replicas",
    },
    "apps-nvidia-com-nimcache-v1alpha1": {
        f"not-writable: {_ROOT}.specDefinition.fragmentedPodSpecDefinition.resourcesPath",
    },
    "apps-nvidia-com-nimservice-v1alpha1": {
        f"not-writable: {_ROOT}.specDefinition.fragmentedPodSpecDefinition.imagePath",
    },
    "nvidia-com-dynamographdeployment-v1alpha1": {
        f"not-writable: {_CHILDREN}[0].specDefinition.fragmentedPodSpecDefinition.containersPath",
    },
    "flink-apache-org-flinkdeployment-v1beta1": {
        f"not-writable: {_CHILDREN}[{number}].specDefinition.fragmentedPodSpecDefinition.{field}Path"
        for number in range(2)
        for field in ("labels", "annotations", "containers")
    },
    "grove-io-podcliquescalinggroup-v1alpha1": {
        f"not-writable: {_CHILDREN}[1].specDefinition.podSpecPath",
        f"not-writable: {_CHILDREN}[1].specDefinition.metadataPath",
    },
    "sparkoperator-k8s-io-sparkapplication-v1beta2": {
        f"not-writable: {_CHILDREN}[{number}].specDefinition.fragmentedPodSpecDefinition.{field}Path"
        for number in range(2)
        for field in ("containers", "initContainers")
    },
    "ray-io-rayjob-v1": {
        f"not-writable: {_CHILDREN}[1].specDefinition.podTemplateSpecPath",
    },
    "serving-kserve-io-inferencegraph-v1alpha1": {
        f"not-writable: {_ROOT}.specDefinition.fragmentedPodSpecDefinition.resourcesPath",
    },
    "serving-kserve-io-llminferenceservice-v1alpha2": {
        f"default-without-path: {_CHILDREN}[2].scaleDefinition.defaults.replicas",
        f"default-without-path: {_CHILDREN}[6].scaleDefinition.defaults.replicas",
        f"not-writable: {_CHILDREN}[8].specDefinition.fragmentedPodSpecDefinition.containersPath",
        f"not-writable: {_CHILDREN}[9].specDefinition.fragmentedPodSpecDefinition.containersPath",
    },
    "serving-kserve-io-inferenceservice-v1beta1": {
        f"not-writable: {_CHILDREN}[0].specDefinition.fragmentedPodSpecDefinition.containersPath",
        f"not-writable: {_CHILDREN}[0].specDefinition.fragmentedPodSpecDefinition.initContainersPath",
        f"not-writable: {_CHILDREN}[3].specDefinition.fragmentedPodSpecDefinition.containersPath",
        f"scale-empty: {_CHILDREN}[1].scaleDefinition",
    },
}
"""What validation warns of, and a comment in the definition gives the reason for."""

NEWER_FIELDS = {
    "sparkoperator-k8s-io-sparkapplication-v1beta2": {
        "spec.suspend",
        "spec.driver.priorityClassName",
        "spec.driver.template",
        "spec.driver.memoryLimit",
        "spec.executor.priorityClassName",
        "spec.executor.template",
        "spec.executor.memoryLimit",
    },
}
"""Fields of newer operators than the one whose schema is at hand."""
