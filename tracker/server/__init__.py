"""The HTTP server: listening, connections, threads and network addresses. Imports nothing of the tracker."""
