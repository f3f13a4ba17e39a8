#!/bin/sh
# sh docker/make-secrets.sh [FOLDER]: creates the missing secrets of compose.yaml, one file each in docker/secrets or in another
# folder, which only its owner can open. The files themselves are readable by all users, because the services run as another user.
set -eu
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder" && chmod 700 "$folder" && cd "$folder"
random() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }
make() { [ -s "$1" ] || { printf '%s' "$2" > "$1"; chmod 444 "$1"; echo "created $folder/$1"; }; }

make postgres-password "$(random)"
make redis-password "$(random)"
make qdrant-api-key "$(random)"
make s3-secret-access-key "$(random)"
make internal-token "$(random)"
make metrics-token "$(random)"
make root-key "qk_$(random)"
make sealing-key "$(head -c 32 /dev/urandom | base64)"
make database-url "postgres://quarry:$(cat postgres-password)@postgres:5432/quarry"
make queue-url "redis://:$(cat redis-password)@redis:6379"
# These files are empty by default. Without a model provider, agents answer with sentences of their sources. Without authorities,
# the services trust the public certificate authorities only.
for name in authorities openai-api-key anthropic-api-key google-api-key openrouter-api-key embedding-api-key rerank-api-key; do
  [ -e "$name" ] || { : > "$name"; chmod 644 "$name"; }
done
