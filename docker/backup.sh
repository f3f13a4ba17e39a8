#!/bin/sh
# sh docker/backup.sh FOLDER: backs up the data of a running Compose stack: metadata, then fragments, then uploads. In this order,
# later parts can contain new data that the saved metadata does not mention, but never the reverse. The backup contains no secrets
# and no external S3.
set -eu
to=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"

docker compose exec -T postgres sh -c \
  'PGPASSWORD=$(cat /run/secrets/postgres-password) pg_dump -h 127.0.0.1 -U quarry -Fc quarry' > "$to/quarry.dump"
echo "saved the database, $(wc -c < "$to/quarry.dump") bytes"
docker compose run --rm -T --no-deps --user "$(id -u):$(id -g)" -v "$PWD/snapshots.mjs:/quarry/snapshots.mjs:ro" -v "$to:/backup" \
  query node snapshots.mjs save /backup
docker compose run --rm -T --no-deps --entrypoint tar s3 -C /objects/quarry --exclude=./.sgwtmp -cz . > "$to/blobs.tar.gz"
echo "saved the uploads, $(wc -c < "$to/blobs.tar.gz") bytes"
