#!/usr/bin/env bash
# Builds the demo and runs it: ./demo.sh --help lists its options. With --storage postgres it runs a PostgreSQL server meanwhile.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/eng/orleans.sh"
source "$root/eng/postgres.sh"
choose_orleans "$root"

(cd "$root" && dotnet msbuild samples/TransactionsDemo/TransactionsDemo.csproj -restore -p:Configuration=Release -v:q -tl:off -nologo -clp:NoSummary)
program="$root/artifacts/bin/TransactionsDemo/release"

# Without Orleans' ADO.NET storage the demo says what is missing; no server would help.
if [[ " $* " == *" --storage"[\ =]"postgres "* && " $* " != *" --postgres"[\ =]* && -f "$program/Orleans.Persistence.AdoNet.dll" ]]; then
  trap stop_postgres EXIT
  start_postgres
fi

dotnet "$program/TransactionsDemo.dll" "$@"
