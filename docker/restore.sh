#!/bin/sh
# sh docker/restore.sh FOLDER: brings back what backup.sh saved, into volumes that are new, and starts everything. The sealing
# key has to be the one of then.
set -eu
from=$(cd "$1" && pwd)
cd "$(dirname "$0")"

docker compose up --wait postgres redis qdrant
docker compose exec -T postgres sh -c \
  'PGPASSWORD=$(cat /run/secrets/postgres-password) pg_restore -h 127.0.0.1 -U quarry -d quarry --no-owner --exit-on-error' \
  < "$from/quarry.dump"
echo 'brought back the database'
docker compose run --rm -T --no-deps --user "$(id -u):$(id -g)" -v "$PWD/snapshots.mjs:/quarry/snapshots.mjs:ro" -v "$from:/backup:ro" \
  query node snapshots.mjs load /backup
docker compose run --rm -T --no-deps --entrypoint tar s3 -C /objects/quarry -xz < "$from/blobs.tar.gz"
echo 'brought back the uploads'
docker compose up --wait
