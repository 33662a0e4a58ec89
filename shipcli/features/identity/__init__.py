"""Who may make calls: users, API keys, tokens, third-party clients."""
