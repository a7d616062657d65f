"""Who watches which night, and the messages that each watcher is sent. Imports nothing of the tracker."""
