"""The HTTP server: listening, connections, threads, TLS and network addresses. Imports nothing of the tracker."""
