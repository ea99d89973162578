"""The operators that can be started, and what is special about each."""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable
from typing import Any

import yaml

from tests.cluster import ray_dashboard
from tests.cluster.client import Object
from tests.cluster.components import HOST
from tests.cluster.operators import Operator, Setup

# Each its own, since all of them run in one network namespace.
_WEBHOOKS = {
    "jobset": 9501,
    "lws": 9502,
    "training-operator": 9503,
    "trainer": 9504,
    "kueue": 9505,
    "appwrapper": 9443,
}
_HEALTH = {"kuberay": 9601, "training-operator": 9603}
_CONVENTIONAL = (
    "k8s-webhook-server/serving-certs"  # where a webhook server looks below TMPDIR, if told nothing
)
_NO_METRICS = "0"


def _configured(name: str, api_version: str, **further: Any) -> Callable[[Setup], list[str]]:
    """An operator that reads one file, in the form that Kubernetes' own operators share."""

    def arguments(setup: Setup) -> list[str]:
        content = {
            "apiVersion": api_version,
            "kind": "Configuration",
            "leaderElection": {"leaderElect": False},
            "internalCertManagement": {"enable": False},
            "metrics": {"bindAddress": _NO_METRICS},
            "health": {"healthProbeBindAddress": _NO_METRICS},
            "webhook": {"host": HOST, "port": _WEBHOOKS[name], "certDir": str(setup.serving)},
            **further,
        }
        return [f"--config={setup.write('config.yaml', content)}"]

    return arguments


def _kueue(setup: Setup) -> list[str]:
    # The webhooks of its manifests answer only for the frameworks that its own configuration has.
    shipped = next(one for one in setup.objects if one["metadata"]["name"] == "kueue-manager-config")
    integrations = yaml.safe_load(shipped["data"]["controller_manager_config.yaml"])["integrations"]
    # It wants a certificate for its metrics even when it has none to show.
    certificates = setup.folder / "etc" / "kueue" / "metrics" / "certs"
    certificates.mkdir(parents=True)
    for name in ("tls.crt", "tls.key"):
        (certificates / name).write_bytes((setup.serving / name).read_bytes())
    arguments = _configured("kueue", "config.kueue.x-k8s.io/v1beta2", integrations=integrations)(setup)
    return [*arguments, "--feature-gates=VisibilityOnDemand=false"]


def _trainer(setup: Setup) -> list[str]:
    _serve_conventionally(setup)
    content = {
        "apiVersion": "config.trainer.kubeflow.org/v1alpha1",
        "kind": "Configuration",
        "leaderElection": {"leaderElect": False},
        "certManagement": {"enable": False},
        "metrics": {"bindAddress": _NO_METRICS},
        "health": {"healthProbeBindAddress": _NO_METRICS},
        "webhook": {"host": HOST, "port": _WEBHOOKS["trainer"]},
    }
    return [f"--config={setup.write('config.yaml', content)}"]


def _kuberay(_: Setup) -> list[str]:
    return [
        *("--enable-leader-election=false", f"--metrics-addr={_NO_METRICS}"),
        f"--health-probe-bind-address={HOST}:{_HEALTH['kuberay']}",
        "--use-kubernetes-proxy",  # the only way to a pod's address here
    ]


def _training(setup: Setup) -> list[str]:
    _serve_conventionally(setup)
    return [
        f"--webhook-server-port={_WEBHOOKS['training-operator']}",
        f"--metrics-bind-address={_NO_METRICS}",
        f"--health-probe-bind-address={HOST}:{_HEALTH['training-operator']}",
        *(f"--enable-scheme={kind}" for kind in ("pytorchjob", "tfjob", "xgboostjob", "jaxjob", "paddlejob")),
    ]


def _mpi(setup: Setup) -> list[str]:
    return [
        f"-kubeConfig={setup.kubeconfig}",
        "-lock-namespace=mpi-operator",
        "-kube-api-qps=50",
        "-kube-api-burst=100",
    ]


def _appwrapper(setup: Setup) -> list[str]:
    _serve_conventionally(setup)
    return []


def _appwrapper_objects(setup: Setup) -> list[Object]:
    second = 10**9
    content = {
        "certManagement": {"certificateDir": str(setup.folder / _CONVENTIONAL)},
        "controllerManager": {
            "leaderElection": False,
            "metrics": {"bindAddress": _NO_METRICS},
            "health": {"bindAddress": _NO_METRICS},
        },
        # Seconds where its defaults are minutes, so that a failure can be watched to its end.
        "appwrapper": {
            "faultTolerance": {
                "admissionGracePeriod": 10 * second,
                "warmupGracePeriod": 20 * second,
                "failureGracePeriod": 5 * second,
                "resetPause": 5 * second,
                "retryLimit": 1,
                "deletionGracePeriod": 30 * second,
            }
        },
    }
    configuration = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "appwrapper-operator-config", "namespace": "appwrapper-system"},
        "data": {"config.yaml": yaml.safe_dump(content)},
    }
    return [configuration, _secret(setup, "appwrapper-webhook-server-cert", "appwrapper-system")]


def _secret(setup: Setup, name: str, namespace: str) -> Object:
    """The serving certificate for an operator that would otherwise make, and trust, one of its own."""
    data = {one.name: base64.b64encode(one.read_bytes()).decode() for one in setup.serving.iterdir()}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "data": data,
    }


def _serve_conventionally(setup: Setup) -> None:
    target = setup.folder / _CONVENTIONAL
    target.parent.mkdir(exist_ok=True)
    target.symlink_to(setup.serving)


def _temporary_folder(setup: Setup) -> dict[str, str]:
    return {"TMPDIR": str(setup.folder)}


OPERATORS = {
    "jobset": Operator(_configured("jobset", "config.jobset.x-k8s.io/v1alpha1"), _WEBHOOKS["jobset"]),
    "lws": Operator(_configured("lws", "config.lws.x-k8s.io/v1alpha1"), _WEBHOOKS["lws"]),
    "kuberay": Operator(
        _kuberay, _HEALTH["kuberay"], beside={"ray-dashboard": [sys.executable, ray_dashboard.__file__]}
    ),
    "training-operator": Operator(
        _training,
        _WEBHOOKS["training-operator"],
        without=("mpijobs.kubeflow.org",),  # mpi-operator's is the newer one
        environment=lambda _: {"MY_POD_NAMESPACE": "kubeflow", "TMPDIR": "/tmp"},  # noqa: S108 - a constant of it
        private={"/tmp/k8s-webhook-server": "k8s-webhook-server"},  # noqa: S108
        supplied=lambda setup: [_secret(setup, "training-operator-webhook-cert", "kubeflow")],
    ),
    "mpi-operator": Operator(_mpi, 8080),
    "trainer": Operator(
        _trainer, _WEBHOOKS["trainer"], needs=("jobset",), environment=_temporary_folder, then=("runtimes",)
    ),
    "appwrapper": Operator(
        _appwrapper,
        _WEBHOOKS["appwrapper"],
        without=("appwrapper-operator-config",),
        environment=lambda setup: {"NAMESPACE": "appwrapper-system", **_temporary_folder(setup)},
        supplied=_appwrapper_objects,
    ),
    "kueue": Operator(_kueue, _WEBHOOKS["kueue"], private={"/etc": "etc"}),
}
