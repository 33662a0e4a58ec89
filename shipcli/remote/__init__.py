"""The same operations on another server: a second way from the command line to every use-case.

A command asks for a use-case by its function (`Remote.ask`). Where the operation table has a row for it, the
row says which request to send and what comes back; what is made of several operations has a flow of its own
(`flows`). What has neither belongs to the store of this machine, and the command line says so.
"""
