"""Background work: a loop that claims jobs from the store's queues and runs them.

Any number of workers, in one process or many, may share a store; leases keep them from running a job twice.
"""

from shipcli.worker.loop import Worker
from shipcli.worker.work import QUEUES, Handler, WorkerTask

__all__ = ["QUEUES", "Handler", "Worker", "WorkerTask"]
