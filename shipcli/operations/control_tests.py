"""The control plane for tests: faults to inject, requests that came, webhooks that were sent."""

from __future__ import annotations

from shipcli.features.sandbox import evidence, faults
from shipcli.models import sandbox_faults as m
from shipcli.operations.operation import Anything, Many, Operation, Parameter
from shipcli.operations.table import DELETE, GET, POST, row

FAULTS = (
    row(GET, "/_sandbox/faults", "sandbox_faults", "listSandboxFaults", "List the faults to inject",
        faults.list_rules, Many(m.FaultRule)),
    row(POST, "/_sandbox/faults", "sandbox_faults_add", "addSandboxFault", "Add a fault", faults.add_rule,
        m.FaultRule, body=m.FaultRuleData, status=201),
    row(DELETE, "/_sandbox/faults/{id}", "sandbox_faults_remove", "removeSandboxFault", "Remove a fault",
        faults.remove_rule, m.FaultRule, errors=(404,)),
    row(DELETE, "/_sandbox/faults", "sandbox_faults_clear", "clearSandboxFaults", "Remove all faults",
        faults.clear_rules, Many(m.FaultRule)),
    row(POST, "/_sandbox/faults/profile", "sandbox_faults_profile", "applySandboxProfile",
        "Add the faults of a profile", faults.apply_profile, Many(m.FaultRule), body=m.FaultProfileData,
        status=201),
)  # fmt: skip

EVIDENCE = (
    row(GET, "/_sandbox/requests", "sandbox_requests", "listSandboxRequests", "List the requests that came",
        evidence.list_requests, Anything,
        query=(Parameter("method"), Parameter("path"), Parameter("status"), Parameter("limit"))),
    row(DELETE, "/_sandbox/requests", "sandbox_requests_clear", "clearSandboxRequests",
        "Forget the requests that came", evidence.clear_requests, Anything),
    row(GET, "/_sandbox/inbox", "sandbox_inbox", "listSandboxInbox", "List the webhooks that were sent",
        evidence.list_inbox, Anything,
        query=(Parameter("type"), Parameter("object_id"), Parameter("limit"))),
    row(POST, "/_sandbox/expect", "sandbox_expect", "expectSandboxRequests",
        "Say whether the expected requests came", evidence.check_expectation, Anything, body=m.ExpectData),
)  # fmt: skip

TESTS: tuple[Operation, ...] = (*FAULTS, *EVIDENCE)
