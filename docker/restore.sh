#!/bin/sh
# sh docker/restore.sh FOLDER: restores a backup of backup.sh into new volumes and starts the stack. The file sealing-key must be
# the one that was in use at the time of the backup.
set -eu
from=$(cd "$1" && pwd)
cd "$(dirname "$0")"

docker compose up --wait postgres redis qdrant
docker compose exec -T postgres sh -c \
  'PGPASSWORD=$(cat /run/secrets/postgres-password) pg_restore -h 127.0.0.1 -U quarry -d quarry --no-owner --exit-on-error' \
  < "$from/quarry.dump"
echo 'restored the database'
docker compose run --rm -T --no-deps --user "$(id -u):$(id -g)" -v "$PWD/snapshots.mjs:/quarry/snapshots.mjs:ro" -v "$from:/backup:ro" \
  query node snapshots.mjs load /backup
docker compose run --rm -T --no-deps --entrypoint tar s3 -C /objects/quarry -xz < "$from/blobs.tar.gz"
echo 'restored the uploads'
docker compose up --wait
