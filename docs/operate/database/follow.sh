#!/bin/sh
# Takes a copy of the database where there is none yet, and follows it from there.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  chmod 700 "$PGDATA"
  PGPASSWORD="$COPY_PASSWORD" pg_basebackup --host="$COPY_OF" --username=sluice_copy --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream --checkpoint=fast
  echo "primary_conninfo = 'host=$COPY_OF user=sluice_copy password=$COPY_PASSWORD'" >> "$PGDATA/postgresql.auto.conf"
fi
exec "$@"
