#!/usr/bin/env bash
# Builds the demo and runs it: ./demo.sh --help lists its options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$root/eng/orleans.sh"
choose_orleans "$root"

(cd "$root" && dotnet msbuild samples/TransactionsDemo/TransactionsDemo.csproj -restore -p:Configuration=Release -v:q -tl:off -nologo -clp:NoSummary)
exec dotnet "$root/artifacts/bin/TransactionsDemo/release/TransactionsDemo.dll" "$@"
