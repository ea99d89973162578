"""Answers for the dashboards and the proxies of all Ray clusters, since nothing runs in their pods.

It listens on every pod address, which are all local in the network namespace, and tells clusters apart by the
address that was asked. KubeRay reaches it through the API server. What a RayJob or a RayService tells of Ray
itself is only as true as this:

- A job is PENDING, RUNNING after 1 s, and SUCCEEDED after 4 s. If its id (`jobId` of a RayJob, by default
  made from its name) begins with `fail` it is FAILED instead, with `run` it stays RUNNING.
- Serve applications are DEPLOYING, and RUNNING after 2 s. Those whose name begins with `fail` are
  DEPLOY_FAILED instead.
"""

from __future__ import annotations

import json
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DASHBOARD_PORT, SERVE_PORT = 8265, 8000
_RUNNING_AFTER, _ENDED_AFTER, _DEPLOYED_AFTER = 1.0, 4.0, 2.0
_JOBS = "/api/jobs/"
_APPLICATIONS = "/api/serve/applications/"

_lock = threading.Lock()
_jobs: dict[tuple[str, str], float] = {}  # when a job of a cluster was first heard of
_stopped: set[tuple[str, str]] = set()
_applications: dict[str, tuple[float, list[dict[str, Any]]]] = {}  # when a cluster got which ones


class _Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path == "/-/healthz":
            return self._send("success")
        if path == _APPLICATIONS:
            return self._send(_told_applications(self._cluster))
        if path.startswith(_JOBS) and path.endswith("/logs"):
            return self._send({"logs": ""})
        if path == _JOBS:
            known = [job for address, job in _jobs if address == self._cluster]
            return self._send([_told_job(self._cluster, job) for job in known])
        if path.startswith(_JOBS):
            return self._send(_told_job(self._cluster, path.removeprefix(_JOBS)))
        return self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        body = self._body()
        if self.path.endswith("/stop"):
            job = self.path.removeprefix(_JOBS).removesuffix("/stop")
            _stopped.add((self._cluster, job))
            return self._send({"stopped": True})
        job = body["submission_id"]
        _told_job(self._cluster, job)
        return self._send({"job_id": job, "submission_id": job})

    def do_PUT(self) -> None:
        wanted = self._body().get("applications") or []
        with _lock:
            _, deployed = _applications.get(self._cluster, (0.0, None))
            if deployed != wanted:
                _applications[self._cluster] = (time.monotonic(), wanted)
        self._send({})

    def do_DELETE(self) -> None:
        with _lock:
            _jobs.pop((self._cluster, self.path.removeprefix(_JOBS)), None)
        self._send({})

    @property
    def _cluster(self) -> str:
        """The address of the head pod that was asked."""
        return str(self.connection.getsockname()[0])

    def _body(self) -> Any:
        length = int(self.headers.get("Content-Length") or 0)
        return json.loads(self.rfile.read(length) or b"{}")

    def _send(self, answer: object) -> None:
        body = json.dumps(answer).encode()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _told_job(cluster: str, job: str) -> dict[str, Any]:
    with _lock:
        start = _jobs.setdefault((cluster, job), time.monotonic())
    age = time.monotonic() - start
    times: dict[str, Any] = {"start_time": _milliseconds(age)}
    status = "PENDING" if age < _RUNNING_AFTER else "RUNNING"
    if (cluster, job) in _stopped:
        status = "STOPPED"
    elif age >= _ENDED_AFTER and not job.startswith("run"):
        status = "FAILED" if job.startswith("fail") else "SUCCEEDED"
        times["end_time"] = _milliseconds(age - _ENDED_AFTER)
    return {
        "type": "SUBMISSION",
        "job_id": job,
        "submission_id": job,
        "status": status,
        "message": "",
        **times,
    }


def _told_applications(cluster: str) -> dict[str, Any]:
    with _lock:
        since, wanted = _applications.get(cluster, (0.0, []))
    deployed = time.monotonic() - since >= _DEPLOYED_AFTER
    return {"applications": {one["name"]: _told_application(one, deployed) for one in wanted}}


def _told_application(wanted: dict[str, Any], deployed: bool) -> dict[str, Any]:
    fails = wanted["name"].startswith("fail")
    status = "DEPLOYING" if not deployed else "DEPLOY_FAILED" if fails else "RUNNING"
    part = "UPDATING" if not deployed else "UNHEALTHY" if fails else "HEALTHY"
    deployments = wanted.get("deployments") or []
    return {
        "name": wanted["name"],
        "status": status,
        "message": "",
        "deployments": {
            one["name"]: {"name": one["name"], "status": part, "message": ""} for one in deployments
        },
    }


def _milliseconds(ago: float) -> int:
    return int((time.time() - ago) * 1000)


def main() -> None:
    """Answer on both ports until the process ends."""
    # All addresses, since every pod has its own: nothing outside of the namespace can reach them.
    servers = [ThreadingHTTPServer(("0.0.0.0", port), _Answers) for port in (DASHBOARD_PORT, SERVE_PORT)]  # noqa: S104
    for server in servers[1:]:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    servers[0].serve_forever()


if __name__ == "__main__":
    main()
