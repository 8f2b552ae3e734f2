#!/usr/bin/env bash
# Takes the figures of bench/results again, all on the commit that is checked out. Some five hours; use a machine that does nothing else.
#
#   bench/run-all.sh              everything
#   bench/run-all.sh NAME...      only these files of bench/results, such as compare
#   bench/run-all.sh --quick ...  smaller and fewer rounds: does it all work? Nothing to quote.
#
# What stands above the line "<!-- figures -->" of a file is written by hand and stays. What needs Orleans is left out, and named,
# where Orleans cannot be restored. Then read the files, and let the tests say which quotations in README and docs have changed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
source eng/orleans.sh

script=$root/bench/run-all.sh
quick=() names=()
for argument in "$@"; do
  case $argument in
    --quick) quick=(--quick) ;;
    -*) echo "There is no option $argument." >&2; exit 2 ;;
    *)
      grep -q "figures $argument " "$script" || { echo "There are no figures called $argument." >&2; exit 2; }
      names+=("$argument")
      ;;
  esac
done
choose_orleans "$root"

is_wanted() { [[ ${#names[@]} -eq 0 || " ${names[*]} " == *" $1 "* ]]; }

# figures NAME COMMAND...: what the command prints takes the place of the file's figures, if it succeeds.
figures() {
  local file=bench/results/$1.md printed
  is_wanted "$1" || return 0
  echo "$1: ${*:2}" >&2
  printed=$(mktemp)
  "${@:2}" > "$printed"
  [[ -f $file ]] || printf '# %s\n\n<!-- figures -->\n' "$1" > "$file"
  sed -i '/^<!-- figures -->$/q' "$file"
  { echo; sed 's/[[:space:]]*$//' "$printed"; } >> "$file"
  rm "$printed"
}

compare() { dotnet artifacts/bin/ScalableTimers.Compare/release/ScalableTimers.Compare.dll --markdown "${quick[@]}" "$@"; }

orleans_compare() { dotnet artifacts/bin/Orleans.Timers.Scalable.Compare/release/Orleans.Timers.Scalable.Compare.dll "$@"; }

partitioned() {
  compare partitioned partitioned-yield partitioned-server partitioned-yield-server partitioned-firing-10k partitioned-firing-100k \
    partitioned-firing-300k partitioned-dropped partitioned-resubscribe partitioned-reconnect partitioned-104-loops
  if [[ $Orleans == on ]]; then
    printf '\n### timer-manager\n\n'
    orleans_compare timer-manager
  fi
}

# Each command with what it prints.
orleans_calls() {
  local arguments
  echo "Orleans: $(sed -n 's/.*"Microsoft.Orleans.Server\/\([^"]*\)".*/\1/p' artifacts/bin/Orleans.Timers.Scalable.Compare/release/*.Compare.deps.json | head -1), $(nproc) cores, .NET $(dotnet --version), commit $(git rev-parse --short HEAD), $(date -u '+%F %H:%M') UTC."
  for arguments in "response-timeouts stock" "response-timeouts scalable" call-timeouts \
    "outstanding stock 0" "outstanding scalable 0" "outstanding every20ms 0" \
    "outstanding stock 10000" "outstanding scalable 10000" "outstanding every20ms 10000" \
    "outstanding stock 100000" "outstanding scalable 100000" "outstanding every20ms 100000" \
    timeout-costs deadline-costs static-timers; do
    printf '\n### %s\n\n```\n' "$arguments"
    # shellcheck disable=SC2086
    orleans_compare $arguments
    echo '```'
  done
}

static_timers() {
  local size=(--rounds 10 --duration 7s --warm-up 8s)
  [[ ${#quick[@]} -eq 0 ]] || size=(--rounds 1 --duration 1s --warm-up 1s)
  dotnet artifacts/bin/TransactionsDemo/release/TransactionsDemo.dll compare --concurrency 16,128,512 --silos 1,2 "${size[@]}"
}

dotnet build -c Release -v:q -nologo >&2
figures compare compare
# shellcheck disable=SC2046
figures paced compare $(printf 'paced-%s ' {1k,20k,100k}{,-1mb,-32mb})
figures operation-statistics compare operation-statistics
figures timeout-tokens compare long-polling-0 long-polling-1 long-polling-100 token-registrations
figures periodic-timers compare periodic-empty periodic-blocking periodic-writing periodic-burning periodic-create coalescing-1k coalescing-100k
figures partitioned-queues partitioned
figures peers bench/peers/run.sh --markdown "${quick[@]}"
dotnet artifacts/bin/ScalableTimers.Compare/release/ScalableTimers.Compare.dll --charts bench/results docs/images
if [[ $Orleans == on ]]; then
  figures orleans-calls orleans_calls
  figures static-timers static_timers
else
  echo "Left out, as Orleans cannot be restored: orleans-calls, static-timers, and timer-manager in partitioned-queues." >&2
fi
