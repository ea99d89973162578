"""The keys and certificates of one cluster, made with openssl."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cluster.processes import ClusterError

_DAYS = "365"  # operators that rotate theirs renew what ends within three months


class Certificates:
    """A folder of PEM files below one certificate authority, `ca.crt`."""

    def __init__(self, folder: Path):
        """Make the authority, and the key pair of service account tokens (`tokens.key`, `tokens.pub`)."""
        self.folder = folder
        folder.mkdir()
        # Some operators keep an authority only if it is RSA, in the older form and with their name on it.
        authority = "DNS:training-operator-ca,DNS:appwrapper-ca"
        _openssl("genrsa", "-traditional", "-out", self.path("ca.key"), "2048")
        _openssl(
            *(
                "req",
                "-x509",
                "-new",
                "-key",
                self.path("ca.key"),
                "-out",
                self.path("ca.crt"),
                "-days",
                _DAYS,
            ),
            *("-subj", "/CN=workload-map-tests", "-addext", f"subjectAltName={authority}"),
            *("-addext", "keyUsage=critical,digitalSignature,keyCertSign"),
        )
        _openssl("genrsa", "-out", self.path("tokens.key"), "2048")
        _openssl("rsa", "-in", self.path("tokens.key"), "-pubout", "-out", self.path("tokens.pub"))

    def path(self, name: str) -> str:
        """Where the file of that name is, as programs want to be told."""
        return str(self.folder / name)

    def client(self, user: str, group: str = "") -> tuple[str, str]:
        """The certificate and the key of a user, made at first use."""
        subject = (f"/O={group}" if group else "") + f"/CN={user}"
        return self._issue(user.replace(":", "-"), subject, "extendedKeyUsage=clientAuth")

    def server(self, name: str, *names: str) -> tuple[str, str]:
        """The certificate and the key of a server on 127.0.0.1 that also has the given DNS names."""
        alternatives = ",".join(["IP:127.0.0.1", "DNS:localhost", *(f"DNS:{one}" for one in names)])
        return self._issue(name, f"/CN={name}", f"extendedKeyUsage=serverAuth\nsubjectAltName={alternatives}")

    def _issue(self, name: str, subject: str, extensions: str) -> tuple[str, str]:
        certificate, key = self.path(f"{name}.crt"), self.path(f"{name}.key")
        if Path(certificate).exists():
            return certificate, key
        request, wanted = self.path(f"{name}.csr"), self.folder / f"{name}.ext"
        wanted.write_text(extensions)
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        _openssl("req", "-new", *curve, "-keyout", key, "-out", request, "-subj", subject)
        signed_by = ("-CA", self.path("ca.crt"), "-CAkey", self.path("ca.key"), "-CAcreateserial")
        _openssl(
            *("x509", "-req", "-in", request, "-out", certificate, "-days", _DAYS),
            *signed_by,
            "-extfile",
            str(wanted),
        )
        return certificate, key


def _openssl(*arguments: str) -> None:
    try:
        done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise ClusterError("a cluster needs the command openssl for its certificates") from None
    if done.returncode:
        raise ClusterError(f"openssl {arguments[0]} failed: {done.stderr.strip()}")
