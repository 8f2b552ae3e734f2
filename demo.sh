#!/usr/bin/env bash
# Builds the demo and runs it: ./demo.sh --help lists its options.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(cd "$root" && dotnet msbuild samples/TransactionsDemo/TransactionsDemo.csproj -restore -p:Configuration=Release -v:q -tl:off -nologo -clp:NoSummary)
dotnet "$root/artifacts/bin/TransactionsDemo/release/TransactionsDemo.dll" "$@"
