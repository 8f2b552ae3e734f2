#!/usr/bin/env bash
# A PostgreSQL server of the caller's own, on loopback, with a temporary folder and a random password.
#
#   eng/postgres.sh create FOLDER            starts one in an empty folder, and prints how to connect to it
#   eng/postgres.sh start|stop|kill FOLDER   starts it again, or stops it: at once, or as in a crash
#   eng/postgres.sh remove FOLDER            stops it, however far it has come, and removes the folder
#
# If PostgreSQL is missing, this installs it on Debian and the like, if the caller may. The exit code is 3 if that fails.
set -euo pipefail

# The newest version's program folder. Debian keeps it out of the path.
find_programs() {
  local found
  found=$(printf '%s\n' /usr/lib/postgresql/*/bin/initdb | sort -V | tail -n 1)
  [[ -x $found ]] || found=$(command -v initdb || true)
  [[ -z $found ]] || dirname "$found"
}

# PostgreSQL refuses to run as root.
as_postgres() {
  if ((EUID == 0)); then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

control() {
  as_postgres "$programs/pg_ctl" "$1" --wait --silent --pgdata="$folder/data" --log="$folder/log" "${@:2}" > /dev/null
}

fail() {
  echo "$1" >&2
  exit "${2:-1}"
}

programs=$(find_programs)
if [[ -z $programs ]]; then
  cannot="PostgreSQL was not found. Install it (on Debian: apt-get install postgresql)."
  [[ ${1:-} == create ]] && ((EUID == 0)) && command -v apt-get > /dev/null || fail "$cannot" 3
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends postgresql; } > /dev/null 2>&1 \
    || fail "$cannot" 3
  programs=$(find_programs)
fi

folder=${2:-}
[[ -d $folder ]] || fail "usage: eng/postgres.sh create|start|stop|kill|remove FOLDER" 2
case ${1:-} in
  create)
    password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    printf '%s' "$password" > "$folder/password"
    ((EUID != 0)) || chown -R postgres "$folder"
    as_postgres "$programs/initdb" --pgdata="$folder/data" --username=demo --auth=scram-sha-256 \
      --pwfile="$folder/password" --encoding=UTF8 --no-locale > /dev/null
    # Another program may take a port between the check and the start.
    for _ in 1 2 3 4 5; do
      port=$((20000 + RANDOM % 10000))
      if (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null; then
        continue
      fi

      # In the configuration, so that it survives a restart.
      as_postgres tee "$folder/data/postgresql.auto.conf" > /dev/null <<< "
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
timezone = 'UTC'"
      if control start; then
        echo "Host=127.0.0.1;Port=$port;Database=postgres;Username=demo;Password=$password"
        exit 0
      fi
    done
    cat "$folder/log" >&2
    fail "PostgreSQL did not start." 3
    ;;
  start) control start ;;
  stop) control stop --mode=fast ;;
  kill) control stop --mode=immediate ;;
  remove)
    # A server that has just been started has no lock file yet, by which it could be stopped.
    control stop --mode=immediate 2> /dev/null || pkill -KILL -f -- "$folder/data" || true
    rm -rf "$folder"
    ;;
  *) fail "eng/postgres.sh: there is no command ${1:-}" 2 ;;
esac
