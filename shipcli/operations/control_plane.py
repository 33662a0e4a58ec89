"""The control plane: operations under `/_sandbox/` that sandboxes alone serve, and no document describes."""

from __future__ import annotations

from dataclasses import replace

from shipcli.features.sandbox import ledger_rows, scenario_matrix
from shipcli.operations.control_states import STATES
from shipcli.operations.control_tests import TESTS
from shipcli.operations.control_time import TIME
from shipcli.operations.control_tools import TOOLS
from shipcli.operations.operation import Anything, Operation
from shipcli.operations.table import GET, row


def of_sandbox(*rows: Operation) -> tuple[Operation, ...]:
    """Mark rows as those of sandboxes only."""
    return tuple(replace(operation, tag="Sandbox", only_in_sandbox=True) for operation in rows)


LEDGER = of_sandbox(
    row(GET, "/_sandbox/ledger", "sandbox_ledger", "readSandboxLedger",
        "List what the simulated carriers sold", ledger_rows.list_ledger_rows, Anything),
)  # fmt: skip

SCENARIOS = of_sandbox(
    row(GET, "/_sandbox/scenarios", "sandbox_scenarios", "listSandboxScenarios",
        "List the scenarios and the carriers they hold for", scenario_matrix.list_matrix, Anything),
)  # fmt: skip

CONTROL: tuple[Operation, ...] = (*LEDGER, *SCENARIOS, *of_sandbox(*TOOLS, *TIME, *STATES, *TESTS))
