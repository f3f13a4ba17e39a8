#!/bin/sh
# sh docker/restore.sh FOLDER: restores a backup of backup.sh into new volumes and starts the stack. The file sealing-key must be
# the one that was in use at the time of the backup. The version of Quarry must be that of the backup; upgrade it afterwards.
set -eu
from=$(cd "$1" && pwd)
cd "$(dirname "$0")"

# in_database PROGRAM ARGUMENT...: runs a program of PostgreSQL that connects to the database.
in_database() {
  docker compose exec -T postgres sh -c \
    'PGPASSWORD=$(cat /run/secrets/postgres-password) exec "$0" -h 127.0.0.1 -U quarry -d quarry "$@"' "$@"
}

docker compose up --wait postgres redis qdrant
in_database pg_restore --no-owner --exit-on-error < "$from/quarry.dump"
in_database psql -qAt -v ON_ERROR_STOP=1 -c 'select quarry.complete_restore()'
echo 'restored the database'
docker compose run --rm -T --no-deps --user "$(id -u):$(id -g)" -v "$PWD/snapshots.mjs:/quarry/snapshots.mjs:ro" -v "$from:/backup:ro" \
  query node snapshots.mjs load /backup
docker compose run --rm -T --no-deps --entrypoint tar s3 -C /objects/quarry -xz < "$from/blobs.tar.gz"
echo 'restored the uploads'
docker compose up --wait
