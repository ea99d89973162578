"""What is said where the object and its pods tell different stories."""

from __future__ import annotations

import pytest

from tests.engine.made_up import pod, template, thing, view

WORK = """
rootComponent:
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .spec.replicas}
  statusDefinition:
    phaseDefinition: {path: .status.state}
    statusMappings: {running: [{byPhase: Running}]}
"""


@pytest.mark.parametrize(
    ("ready", "done", "message"),
    [
        (2, 0, "it says Running, but 2 of 4 pods are ready"),
        (2, 1, "it says Running, but of 4 pods 2 are ready and 1 done"),
        (0, 3, "it says Running, but of 4 pods 0 are ready and 3 done"),
    ],
)
def test_pods_that_are_done_are_not_called_ready(ready: int, done: int, message: str) -> None:
    pods = [pod(f"r{number}") for number in range(ready)]
    pods += [pod(f"d{number}", phase="Succeeded", ready=False) for number in range(done)]
    obj = thing({"template": template(1), "replicas": 4}, status={"state": "Running"})
    assert [problem.message for problem in view(WORK, obj, pods).disagreements] == [message]
