"""Hosts that a webhook must not reach."""

from __future__ import annotations

KEY = {"SHIPCLI_MASTER_KEY": "A" * 43 + "="}


WITHIN = (
    "http://169.254.169.254/latest",
    "http://0.0.0.0:80/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f.0.0.1/",
    "http://10.0.0.8/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://[::1]/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://localhost:8080/",
    "http://hooks.localhost/",
)
