"""The nights in a PostgreSQL database, which several processes may use at once. The only user of psycopg."""
