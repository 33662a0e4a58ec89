"""The window in a real browser. Needs Chromium and the extra `browser`."""
