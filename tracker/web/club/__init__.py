"""A club: how somebody becomes a host, and what whoever runs the house sees of its tables and hosts.

May import everything below the web and what the web shares; without a club every page of it answers 404."""
