#!/bin/sh
# sh docker/make-secrets.sh [FOLDER]: makes the secrets of compose.yaml that are not there yet, each in a file of docker/secrets
# or of another folder, which only its owner can look into.
# The files themselves are readable by all, because the services run as another user than the one who starts them.
set -eu
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder" && chmod 700 "$folder" && cd "$folder"
random() { head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=\n'; }
make() { [ -s "$1" ] || { printf '%s' "$2" > "$1"; chmod 444 "$1"; echo "made $folder/$1"; }; }

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
# Of model providers: empty, agents answer in sentences of their sources. Authorities: empty, the public ones alone are trusted.
for name in authorities openai-api-key anthropic-api-key google-api-key openrouter-api-key embedding-api-key rerank-api-key; do
  [ -e "$name" ] || { : > "$name"; chmod 644 "$name"; }
done
