"""The operation table: the only list of the operations of the API.

The server mounts it, the served document is generated from it, and the command line uses it to call remote
servers. A row says which use-case answers, which models it takes and returns, and with which statuses;
`Operation` explains the columns. The rows are in `shipcli.operations.table`, which imports all use-cases.
"""
