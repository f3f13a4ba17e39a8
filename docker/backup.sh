#!/bin/sh
# sh docker/backup.sh FOLDER: backs up the data of a running Compose stack: metadata, then fragments, then uploads. In this order,
# later parts can contain new data that the saved metadata does not mention. The reverse cannot occur, because Quarry removes no
# deleted content until the end of the backup, for at most a day. The backup contains no secrets and no external S3.
set -eu
to=$(mkdir -p "$1" && cd "$1" && pwd)
cd "$(dirname "$0")"

# in_database PROGRAM ARGUMENT...: runs a program of PostgreSQL that connects to the database.
in_database() {
  docker compose exec -T postgres sh -c \
    'PGPASSWORD=$(cat /run/secrets/postgres-password) exec "$0" -h 127.0.0.1 -U quarry -d quarry "$@"' "$@"
}

in_database psql -qAt -c "select 'holds removals until ' || quarry.hold_removals('1 day')"
trap 'in_database psql -qAt -c "select quarry.release_removals()"' EXIT
in_database pg_dump -Fc > "$to/quarry.dump"
echo "saved the database, $(wc -c < "$to/quarry.dump") bytes"
docker compose run --rm -T --no-deps --user "$(id -u):$(id -g)" -v "$PWD/snapshots.mjs:/quarry/snapshots.mjs:ro" -v "$to:/backup" \
  query node snapshots.mjs save /backup
# Quarry deletes cached files of its own meanwhile. The script ignores that tar cannot find them.
docker compose run --rm -T --no-deps --entrypoint sh s3 -c '
  cd /objects/quarry || exit
  exec 3>&1
  messages=$(tar --exclude=./.sgwtmp -cz . 2>&1 >&3)
  status=$?
  if [ $status -eq 0 ]; then exit; fi
  echo "$messages" | grep -v -e "No such file or directory" -e "error exit delayed" >&2 && exit 1
  [ $status -eq 1 ]' > "$to/blobs.tar.gz"
echo "saved the uploads, $(wc -c < "$to/blobs.tar.gz") bytes"
