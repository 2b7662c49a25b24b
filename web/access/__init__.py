"""Access control: API keys, sessions, origins, host names, proxies, and ownership of jobs."""
