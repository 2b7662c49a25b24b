#!/usr/bin/env bash
# Builds the image, brings docker-compose.yml up, checks it from outside, takes it down.
# Uses the Docker engine of the machine. Where none runs, a private one is installed and
# started from Debian's packages (as root), with an image of Debian in place of those of a
# registry; it is stopped and removed at the end.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=${PYTHON:-.venv/bin/python}
work=$(mktemp -d)
engine=""
export COMPOSE_PROJECT_NAME=sudokuq-check PORT=${PORT:-18080} REDIS_PASSWORD=check-$RANDOM

compose() {
    if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi
}

finish() {
    status=$?
    if [ "$status" != 0 ]; then compose logs --tail 40 2>&1 || true; fi
    compose down --volumes --timeout 5 >/dev/null 2>&1 || true
    if [ -n "$engine" ]; then
        kill "$engine" 2>/dev/null || true
        wait "$engine" 2>/dev/null || true
        ip link delete docker0 2>/dev/null || true
    fi
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT

start_engine() {
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "test-compose needs a running Docker engine, or root on Debian to start one" >&2
        exit 1
    fi
    if ! command -v dockerd >/dev/null || ! command -v docker-compose >/dev/null || ! command -v mmdebstrap >/dev/null; then
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends docker.io docker-compose mmdebstrap iptables iproute2 >/dev/null
    fi
    export DOCKER_HOST=unix://$work/docker.sock DOCKER_BUILDKIT=0
    dockerd --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/pid" \
        --host "$DOCKER_HOST" >"$work/dockerd.log" 2>&1 &
    engine=$!
    for _ in $(seq 100); do docker info >/dev/null 2>&1 && break; sleep 0.2; done
    docker info >/dev/null 2>&1 || { tail -20 "$work/dockerd.log" >&2; exit 1; }

    # The certificates of this machine go along: a network may have an authority of its own.
    mmdebstrap --quiet --variant=minbase \
        --include=ca-certificates,python3,python3-venv,redis-server \
        --customize-hook='copy-in /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/' \
        bookworm "$work/base.tar"
    docker import --change "ENV PIP_CERT=/etc/ssl/certs/ca-certificates.crt" \
        "$work/base.tar" sudokuq-base >/dev/null
    rm "$work/base.tar"
    export BASE=sudokuq-base REDIS_IMAGE=sudokuq-base
}

docker info >/dev/null 2>&1 || start_engine
# Compiled for one level of processors, this one's, to save time.
LEVELS=$("$python" -c 'from worker.container_image import levels_here; print(levels_here()[0].name)')
export LEVELS

# Package registries drop a connection now and then; that is no fault of the image.
for try in 1 2 3; do
    if compose build >"$work/build.log" 2>&1; then break; fi
    [ "$try" != 3 ] || { tail -40 "$work/build.log" >&2; exit 1; }
done
compose up -d
"$python" tests/service/compose_check.py "http://127.0.0.1:$PORT" --slots 2
compose up -d --scale worker=3
"$python" tests/service/compose_check.py "http://127.0.0.1:$PORT" --slots 6

# A worker takes chunks soon after it starts: nothing is compiled then.
compose stop --timeout 20 worker
started=$(date +%s)
compose start worker
"$python" tests/service/compose_check.py "http://127.0.0.1:$PORT" --slots 6
echo "three workers started and did a job within $(($(date +%s) - started)) s"
# sed reads to the end: compose must not meet a closed pipe.
worker=$(compose ps -q worker | sed -n 1p)
compiled=$(docker exec "$worker" find /tmp/numba -name '*.nbc' -type f)
[ -z "$compiled" ] || { echo "a worker compiled what the image should bring" >&2; exit 1; }

[ "$(docker exec "$worker" id -u)" != 0 ] || { echo "the worker runs as root" >&2; exit 1; }
if docker exec "$worker" touch /opt/sudokuq/x 2>/dev/null; then
    echo "the root file system can be written to" >&2
    exit 1
fi
echo "compose: 2 checks passed, not root, read-only"
