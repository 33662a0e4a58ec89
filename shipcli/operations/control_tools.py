"""Rows of the control plane by which a developer's tools look into a sandbox elsewhere."""

from __future__ import annotations

from shipcli import models as m
from shipcli.features.admin import log_queries
from shipcli.features.core import filters as lists
from shipcli.features.sandbox import tools
from shipcli.features.webhooks import filters as event_filters
from shipcli.models import sandbox as bodies
from shipcli.operations.operation import Anything, IdempotencyPolicy, Operation, Parameter
from shipcli.operations.table import DELETE, GET, POST, PUT, page, row

LIMIT = Parameter("limit", read=int)


def read_flag(text: str) -> bool:
    """A flag of a query."""
    return lists.read_bool(text) is True


def split_list(text: str) -> list[str]:
    """The parts of a list of a query."""
    return [part for part in text.split(",") if part]


RECORDS : tuple[Operation, ...] = (
    row(GET, "/_sandbox/records/{table}", "sandbox_records", "listSandboxRecords",
        "List calls of the API (logs) or exchanges with carriers (traces), newest first", log_queries.find,
        Anything,
        query=(Parameter("object_id"), Parameter("status", read=split_list), Parameter("text"), LIMIT)),
    row(GET, "/_sandbox/records/{table}/{id}", "sandbox_record", "retrieveSandboxRecord",
        "Show a call or an exchange", log_queries.get, Anything),
    row(GET, "/_sandbox/records/{table}/since", "sandbox_records_since", "followSandboxRecords",
        "List what followed a call or an exchange", log_queries.list_since, Anything,
        query=(Parameter("after"),)),
)  # fmt: skip

EVENTS : tuple[Operation, ...] = (
    page("/_sandbox/events", "sandbox_event_list", "listEvents", m.Event, "EventList",
         lists.list_stored("event"), event_filters.EVENTS),
    row(GET, "/_sandbox/events/{id}", "sandbox_event", "retrieveEvent", "Show an event", tools.get_event,
        Anything),
    row(GET, "/_sandbox/deliveries", "sandbox_deliveries", "listDeliveries",
        "List the newest attempts to deliver events", tools.list_deliveries, Anything,
        query=(Parameter("webhook_id"), Parameter("failed", read=read_flag), LIMIT)),
    row(POST, "/_sandbox/webhooks/{id}/replay", "sandbox_replay", "replayEvents", "Deliver events again",
        tools.replay_events, Anything, body=bodies.ReplayData),
    row(POST, "/_sandbox/listeners", "sandbox_listen", "beginListening", "Begin or continue to listen",
        tools.begin_listening, Anything, body=bodies.ListenerData, policy=IdempotencyPolicy.NEVER),
    row(GET, "/_sandbox/listeners/pending", "sandbox_pending", "listPendingEvents",
        "List the next events of a listener", tools.list_pending, Anything,
        query=(Parameter("name"), Parameter("patterns", read=split_list))),
    row(POST, "/_sandbox/listeners/passed", "sandbox_passed", "markEventsPassed",
        "Say how far a listener has come", tools.mark_passed, Anything, body=bodies.PassedData),
)  # fmt: skip

ACCESS : tuple[Operation, ...] = (
    row(POST, "/_sandbox/keys", "sandbox_key_create", "createKey", "Make an API key", tools.create_key,
        Anything, body=bodies.KeyData, status=201, policy=IdempotencyPolicy.NEVER),
    row(GET, "/_sandbox/keys", "sandbox_keys", "listKeys", "List the API keys", tools.list_keys, Anything,
        query=(Parameter("revoked", read=read_flag),)),
    row(DELETE, "/_sandbox/keys/{name}", "sandbox_key_revoke", "revokeKey", "Revoke an API key",
        tools.revoke_key, Anything),
    row(POST, "/_sandbox/users", "sandbox_user_create", "createUser", "Make a user", tools.create_user,
        Anything, body=bodies.UserData, status=201, policy=IdempotencyPolicy.NEVER),
    row(GET, "/_sandbox/users", "sandbox_users", "listUsers", "List the users", tools.list_users, Anything,
        query=(Parameter("disabled", read=read_flag),)),
    row(GET, "/_sandbox/users/{name}", "sandbox_user", "retrieveUser", "Show a user", tools.get_user,
        Anything),
    row(DELETE, "/_sandbox/users/{name}", "sandbox_user_disable", "disableUser", "Disable a user",
        tools.disable_user, Anything),
    row(PUT, "/_sandbox/users/{name}/password", "sandbox_user_password", "changePassword",
        "Change the password of a user", tools.set_password, Anything, body=bodies.PasswordData,
        policy=IdempotencyPolicy.NEVER),
    row(POST, "/_sandbox/users/{name}/totp", "sandbox_user_totp", "requireCodes",
        "Require codes of an authenticator app", tools.enrol_user, Anything, policy=IdempotencyPolicy.NEVER),
    row(DELETE, "/_sandbox/users/{name}/totp", "sandbox_user_totp_off", "requireNoCodes",
        "Require the password alone", tools.end_second_step, Anything),
    row(POST, "/_sandbox/oauth", "sandbox_client_create", "createClient", "Make an OAuth2 client",
        tools.create_client, Anything, body=bodies.OAuthClientData, status=201,
        policy=IdempotencyPolicy.NEVER),
    row(GET, "/_sandbox/oauth", "sandbox_clients", "listClients", "List the OAuth2 clients",
        tools.list_clients, Anything),
    row(DELETE, "/_sandbox/oauth/{id}", "sandbox_client_remove", "removeClient", "Remove an OAuth2 client",
        tools.remove_client, Anything),
)  # fmt: skip

WORK : tuple[Operation, ...] = (
    row(GET, "/_sandbox/worker", "sandbox_worker", "readWorkerStatus", "Show the state of background work",
        tools.get_worker_status, Anything),
    row(GET, "/_sandbox/jobs", "sandbox_jobs", "listJobs", "List the jobs", tools.list_jobs, Anything,
        query=(Parameter("state"), Parameter("queue"), LIMIT)),
    row(POST, "/_sandbox/jobs/retry", "sandbox_jobs_retry", "retryJobs", "Run jobs again", tools.retry_jobs,
        Anything, body=bodies.JobsData),
    row(POST, "/_sandbox/jobs/discard", "sandbox_jobs_discard", "discardJobs", "Remove jobs",
        tools.discard_jobs, Anything, body=bodies.JobsData),
)  # fmt: skip

TOOLS: tuple[Operation, ...] = (*RECORDS, *EVENTS, *ACCESS, *WORK)
