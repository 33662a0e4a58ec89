"""The HTTP layer: mounts the operation table, identifies callers, writes error bodies, serves the document.

`app.build` makes the ASGI application, `server.serve` runs it. A request goes through `dispatcher` (routing,
caller, limits), `request` (what was sent), `invoke` (the use-case) and `responses` (what is sent back).
"""
