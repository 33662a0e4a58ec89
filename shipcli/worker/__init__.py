"""The use-cases on a timer: a loop that claims jobs of the store's queue and does them.

Any number of workers, in one process or many, may share a store; leases make them one.
"""

from shipcli.worker.loop import Worker
from shipcli.worker.work import Handler, WorkerTask

__all__ = ["Handler", "WorkerTask", "Worker"]
