"""The HTTP face: mounts the operation table, says who asks, turns errors into bodies, serves the document.

`app.build` gives the ASGI application, `server.serve` runs it. A request goes through `dispatcher` (routing,
caller, limits), `request` (what was sent), `invoke` (the use-case) and `responses` (what is sent back).
"""
