#!/bin/sh
# Runs once, when the database is made: a role that may follow it and nothing else, and a line that lets it in.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$COPY_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role sluice_copy login replication password :'password';
SQL
echo 'host replication sluice_copy samenet scram-sha-256' >> "$PGDATA/pg_hba.conf"
