"""Who may do what: roles, devices, request guards, rate limits, the public address, the PIN."""
