"""Commands about this machine: settings, the store, the sandbox, help."""
