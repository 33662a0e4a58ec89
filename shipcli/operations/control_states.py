"""Operations that put a sandbox back, and make others of it."""

from __future__ import annotations

from shipcli.features.sandbox import ready_examples, snapshots, workspaces
from shipcli.models.sandbox import ExampleData
from shipcli.models.sandbox_time import Snapshot, Workspace
from shipcli.operations.operation import Anything, IdempotencyPolicy, Many, Operation
from shipcli.operations.table import DELETE, GET, POST, row

STATES: tuple[Operation, ...] = (
    row(POST, "/_sandbox/reset", "sandbox_reset", "resetSandbox", "Put everything back as at the start",
        snapshots.reset, Snapshot),
    row(GET, "/_sandbox/snapshots", "sandbox_snapshots", "listSnapshots", "List the snapshots",
        snapshots.list_snapshots, Many(Snapshot)),
    row(POST, "/_sandbox/snapshots/{name}", "sandbox_snapshot", "saveSnapshot", "Save the sandbox as it is",
        snapshots.save_snapshot, Snapshot),
    row(POST, "/_sandbox/snapshots/{name}/restore", "sandbox_snapshot_restore", "restoreSnapshot",
        "Put everything back as in a snapshot", snapshots.restore_snapshot, Snapshot, errors=(404,)),
    row(DELETE, "/_sandbox/snapshots/{name}", "sandbox_snapshot_remove", "removeSnapshot",
        "Remove a snapshot", snapshots.remove_snapshot, Snapshot, errors=(404,)),
    row(POST, "/_sandbox/workspaces", "sandbox_workspace", "createWorkspace", "Make a workspace and its keys",
        workspaces.create_workspace, Workspace, status=201, policy=IdempotencyPolicy.NEVER),
    row(GET, "/_sandbox/workspaces", "sandbox_workspaces", "listWorkspaces", "List the workspaces",
        workspaces.list_workspaces, Many(Workspace)),
    row(DELETE, "/_sandbox/workspaces/{id}", "sandbox_workspace_remove", "removeWorkspace",
        "Remove a workspace", workspaces.remove_workspace, Workspace, errors=(404,)),
    row(POST, "/_sandbox/examples", "sandbox_examples", "prepareExample",
        "Make what the examples of the reference name", ready_examples.prepare_example, Anything,
        body=ExampleData, errors=(404, 409), policy=IdempotencyPolicy.NEVER),
)  # fmt: skip
