#!/usr/bin/env bash
# Builds the demo and runs it.
#
#   ./demo.sh            a bank on two silos in one process: a comparison in two minutes. ./demo.sh --help lists its options.
#   ./demo.sh cluster    three silo processes on PostgreSQL, while something breaks. ./demo.sh cluster --help lists what.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
demo=TransactionsDemo
if [[ ${1:-} == cluster ]]; then
  demo=Cluster
  shift
fi

(cd "$root" && dotnet msbuild "samples/$demo/$demo.csproj" -restore -p:Configuration=Release -v:q -tl:off -nologo -clp:NoSummary)
program=$root/artifacts/bin/$demo/release/$demo.dll
[[ $demo == Cluster ]] || exec dotnet "$program" "$@"

# The silos and the database end with this script, even when it is killed: the cleaner runs in a session of its own.
folder=$(mktemp -d "${TMPDIR:-/tmp}/cluster-postgres-XXXXXX")
server=$root/eng/postgres.sh
set -m
dotnet "$program" --server "$server" "$folder" "$@" &
demo_pid=$!
trap 'echo "Interrupted."; kill -TERM -- "-$demo_pid" 2> /dev/null' INT TERM HUP
setsid --wait bash -c '
  while kill -0 "$1" 2> /dev/null && kill -0 "$2" 2> /dev/null; do sleep 0.2; done
  kill -KILL -- "-$2" 2> /dev/null
  "$3" remove "$4"
' cleaner $$ "$demo_pid" "$server" "$folder" < /dev/null > /dev/null 2>&1 &
cleaner=$!
status=0
wait "$demo_pid" || status=$?
while kill -0 "$cleaner" 2> /dev/null; do wait "$cleaner" || true; done
exit "$status"
