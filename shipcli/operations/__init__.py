"""The operation table: every operation of the API once.

The server mounts it, the served document is made from it, and the command line asks remote servers by it.
Nothing else lists operations. A row says which use-case answers, which models go in and out, and with which
statuses; `Operation` explains the columns. Import `shipcli.operations.table` for the rows: it brings all
use-cases along.
"""
