"""What a sandbox is told: faults to inject, and requests that a test expects."""

from typing import Any, Literal

from pydantic import Field

from shipcli.models.base import Model

WebhookFault = Literal["duplicate", "delayed", "reordered", "bad_signature", "receiver_down"]


class FaultRuleData(Model):
    """A fault: which requests meet it, and what happens to them.

    Shapes: `match` is a method and a path with `*`, either of which may be missing; a rule with a `carrier`
            meets calls of that carrier, one with a `webhook` the sending of webhooks, any other one the
            requests to the API. Of the requests that match, every n-th, the first n (`times`), or some by
            chance meet it. `drop` hangs up before anything is done, `lost` after it was done.
    Units: `latency` and `retry_after` seconds, `drip` bytes a second.
    """

    match: str | None = None
    carrier: str | None = None
    scenario: str | None = None
    every: int | None = Field(None, ge=1)
    times: int | None = Field(None, ge=1)
    probability: float | None = Field(None, ge=0, le=1)
    seed: int = 0
    status: int | None = Field(None, ge=400, le=599)
    body: Any = None
    retry_after: int | None = Field(None, ge=0, le=86_400)
    latency: float = Field(0, ge=0, le=300)
    drip: int | None = Field(None, ge=1)
    drop: bool = False
    lost: bool = False
    cut: bool = False
    content_type: str | None = None
    stale: bool = False
    webhook: WebhookFault | None = None


class FaultRule(FaultRuleData):
    """A stored rule: how many requests it matched so far, and how many of them met it."""

    id: str
    seen: int = 0
    injected: int = 0


class FaultProfileData(Model):
    """A set of rules by its name; `carrier` is for those that need one."""

    name: str
    carrier: str | None = None
    seed: int = 0


class ExpectData(Model):
    """Requests that a test expects, in this order, each so many times: `POST /v1/shipments`."""

    requests: list[str] = Field(min_length=1)
    times: int | None = Field(None, ge=0)
    nothing_else: bool = False
