"""The window: pages that show people what a server or a sandbox did, and let them move a sandbox."""
