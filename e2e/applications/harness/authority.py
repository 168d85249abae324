"""A private authority, and a certificate of it for localhost."""

import subprocess


class Authority:
    def __init__(self, folder):
        self.ca = folder / "ca.pem"
        self.chain = folder / "chain.pem"
        self.key = folder / "key.pem"
        if not self.key.exists() or subprocess.run(["openssl", "x509", "-in", self.chain, "-noout", "-checkend", "86400"],
                                                   capture_output=True).returncode:
            folder.mkdir(parents=True, exist_ok=True)
            self.issue(folder)

    def issue(self, folder):
        ca_key, leaf, wish = folder / "ca-key.pem", folder / "leaf.pem", folder / "leaf.csr"
        names = folder / "names.cnf"
        names.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n"
                         "extendedKeyUsage=serverAuth\n")
        for command in (
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "90",
             "-subj", "/CN=A private root", "-keyout", ca_key, "-out", self.ca],
            ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
             "-subj", "/CN=localhost", "-keyout", self.key, "-out", wish],
            ["x509", "-req", "-in", wish, "-CA", self.ca, "-CAkey", ca_key, "-CAcreateserial", "-days", "60",
             "-extfile", names, "-out", leaf],
        ):
            subprocess.run(["openssl", *command], check=True, capture_output=True)
        self.chain.write_text(leaf.read_text() + self.ca.read_text())
