# Sourced by demo.sh: a PostgreSQL server of the demo's own, on loopback, with a temporary data folder and a password that nobody else has.

# start_postgres: starts it and exports TRANSACTIONS_DEMO_POSTGRES, which says how to connect. Where it is not installed, it is
# installed on Debian and the like, if the caller may do so.
start_postgres() {
  local bin port password

  bin=$(find_postgres)
  if [[ -z $bin ]]; then
    if ((EUID != 0)) || ! command -v apt-get > /dev/null; then
      echo "--storage postgres: PostgreSQL was not found. Install it (on Debian: apt-get install postgresql)." >&2
      return 1
    fi

    echo "PostgreSQL: installing Debian's package"
    if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends postgresql; } > /dev/null 2>&1; then
      echo "--storage postgres: PostgreSQL was not found, and apt-get install postgresql failed." >&2
      return 1
    fi

    bin=$(find_postgres)
  fi

  postgres_bin=$bin
  postgres_home=$(mktemp -d "${TMPDIR:-/tmp}/transactions-demo-postgres-XXXXXX")
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s' "$password" > "$postgres_home/password"
  if ((EUID == 0)); then
    chown -R postgres "$postgres_home"
  fi

  if ! as_postgres "$bin/initdb" --pgdata="$postgres_home/data" --username=demo --auth=scram-sha-256 \
    --pwfile="$postgres_home/password" --encoding=UTF8 --no-locale > "$postgres_home.log" 2>&1; then
    cat "$postgres_home.log" >&2
    return 1
  fi

  # Another program may take a port between the look and the start.
  for _ in 1 2 3 4 5; do
    port=$((20000 + RANDOM % 10000))
    if ! (exec 3<> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && as_postgres "$bin/pg_ctl" start --wait --silent \
      --pgdata="$postgres_home/data" --log="$postgres_home/log" \
      --options="-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=200"; then
      echo "PostgreSQL: $("$bin/postgres" --version | sed 's/^postgres (PostgreSQL) //'), on port $port of loopback, until the demo has ended"
      export TRANSACTIONS_DEMO_POSTGRES="Host=127.0.0.1;Port=$port;Database=postgres;Username=demo;Password=$password"
      return 0
    fi
  done

  echo "--storage postgres: PostgreSQL did not start." >&2
  cat "$postgres_home/log" >&2
  return 1
}

# stop_postgres: stops what start_postgres has started, and removes its data.
stop_postgres() {
  if [[ -n ${postgres_home:-} ]]; then
    as_postgres "$postgres_bin/pg_ctl" stop --silent --mode=immediate --pgdata="$postgres_home/data" > /dev/null 2>&1 || true
    rm -rf "$postgres_home" "$postgres_home.log"
    postgres_home=
  fi
}

# The newest one's folder of programs. Debian keeps them out of the path.
find_postgres() {
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
