#!/usr/bin/env bash
# Takes the figures of bench/results again, all on the commit that is checked out, and writes into README and docs what these quote.
# Some two and a half hours; use a machine that does nothing else, and a clone in which nobody commits meanwhile.
#
#   bench/run-all.sh              everything
#   bench/run-all.sh NAME...      only these files of bench/results, such as compare
#   bench/run-all.sh --quick ...  smaller and fewer rounds: does it all work? Nothing to quote, so it goes into a folder of its own.
#
# What stands above the line "<!-- figures -->" of a file is written by hand and stays. A part that fails, or takes three times as
# long as it should, leaves its file as it was; the others go on, and the last lines name what failed. What needs Orleans is left
# out, and named, where Orleans cannot be restored.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
source eng/orleans.sh

# Each part is a function of its name, with the minutes that it takes, and what a new file begins with. A part prints its tables.
parts=(
  "compare 20 .NET's timers and ours, in one run"
  "paced 30 Timers at a steady pace\n\n![Time of a timeout by pace](../../docs/images/cost-by-pace.svg)"
  "operation-statistics 2 Statistics of operations"
  "timeout-tokens 13 Timeouts of requests"
  "periodic-timers 17 Periodic timers at their shortest period, and wake-ups by tolerance"
  "partitioned-queues 15 Partitioned queues of timers"
  "peers 13 Ours beside other timer services, in one run"
  "response-timeouts 9 Response timeouts, and timeouts of calls"
  "deadlines 1 Deadlines of calls"
  "static-timers 14 Orleans' static timers, as they are and served"
  "grains 1 Delays in grains"
  "transactions 3 Recovery of transactions"
  "call-diagnostics 1 Call diagnostics"
  "demo 4 The demo"
)
needs_orleans=" response-timeouts deadlines static-timers grains transactions call-diagnostics demo "

compare() { dotnet artifacts/bin/ScalableTimers.Compare/release/ScalableTimers.Compare.dll --markdown $quick "$@"; }

orleans_compare() { dotnet artifacts/bin/Orleans.Timers.Scalable.Compare/release/Orleans.Timers.Scalable.Compare.dll "$@"; }

demo() { dotnet artifacts/bin/TransactionsDemo/release/TransactionsDemo.dll "$@"; }

# heading TITLE TEXT
heading() { printf '\n### %s\n\n%s\n\n' "$1" "$2"; }

# Rows that measurements among the tests print.
rows_of_tests() {
  dotnet artifacts/bin/Orleans.Timers.Scalable.Tests/release/Orleans.Timers.Scalable.Tests.dll --no-ansi --output Detailed "$@" |
    sed -n 's/^[[:space:]]*\(|.*|\)[[:space:]]*$/\1/p' | grep .
}

part_compare() { compare; }

part_paced() {
  compare --rounds=5 paced-{1k,20k,100k}{,-32mb} paced-firing-{1k,20k,100k}{,-32mb}
  compare --rounds=3 paced-{1k,20k,100k}-1mb paced-firing-{1k,20k,100k}-1mb | sed '1d'
}

part_operation-statistics() { compare operation-statistics; }

part_timeout-tokens() { compare --rounds=3 long-polling-{0,1,100,designs,saturation} token-registrations; }

part_periodic-timers() { compare --rounds=2 periodic-{empty,blocking,writing,burning,create} coalescing-{1k,100k}; }

part_partitioned-queues() {
  compare partitioned{,-yield}{,-server} partitioned-firing-{10k,100k,300k} partitioned-dropped \
    partitioned-{resubscribe,reconnect,104-loops}
  if [[ $Orleans == on ]]; then
    heading timer-manager "What does a delay cost that is cancelled at once, on 1 to 2 x processors threads? Compared by time."
    orleans_compare timer-manager
  else
    echo "Left out of partitioned-queues, as Orleans cannot be restored: timer-manager." >&2
  fi
}

# Stored figures have all peers.
part_peers() { bench/peers/run.sh --markdown --all ${quick:---rounds=3}; }

part_response-timeouts() {
  local calls kind all=(0 1 10000 100000)
  heading lateness "1,000 calls in two silos of one process with a timeout of 200 ms, made over 7 seconds: how late do they end?"
  printf '| late by | least | p50 | p99 | max |\n|---|---:|---:|---:|---:|\n'
  orleans_compare response-timeouts stock
  orleans_compare response-timeouts scalable
  orleans_compare call-timeouts
  heading outstanding "How many processors does a process with two silos use while so many calls are outstanding? Of four times five seconds."
  printf '| calls outstanding | Orleans alone | with scalable timers | checks every 20 ms, whatever they cost |\n|---:|---|---|---|\n'
  [[ -z $quick ]] || all=(0)
  for calls in "${all[@]}"; do
    printf '| %s |' "${calls/%000/,000}"
    for kind in stock scalable every20ms; do
      orleans_compare outstanding "$kind" "$calls"
    done
    echo
  done
  heading call-costs "What do filters and timeouts add to a call within a silo? One after the other; the quickest of 7 alternating rounds of 50,000."
  orleans_compare timeout-costs
}

part_deadlines() {
  heading deadline-costs "What do filters and deadlines add to a call within a silo? One after the other; medians of 15 alternating rounds of 50,000."
  orleans_compare deadline-costs
}

part_static-timers() {
  heading idle "What do static timers cost a process in which nothing happens? Least and most of 3 periods of 10 seconds."
  orleans_compare static-timers
  local size=(--rounds 4 --duration 7s --warm-up 8s)
  [[ -z $quick ]] || size=(--rounds 1 --duration 1s --warm-up 1s)
  heading load "What are served static timers worth under load?"
  demo compare --concurrency 16,128 --silos 1,2 "${size[@]}"
}

part_grains() {
  heading deactivation "A reentrant grain is deactivated while one of its calls waits for two seconds. Medians of five, and their range."
  printf '| the call awaits | from `Deactivate` to `Deactivated` | range |\n|---|---:|---|\n'
  rows_of_tests --explicit only --filter-method '*GrainLifeMeasurements.Deactivation*'
  heading delays "What does keeping an idle activation alive cost a delay? Medians of three rounds; the first delay of an activation with its call."
  printf '| | ns | CPU µs | bytes |\n|---|---:|---:|---:|\n'
  rows_of_tests --explicit only --filter-method '*GrainLifeMeasurements.Delay_*'
  rows_of_tests --explicit only --filter-method '*GrainLifeMeasurements.FirstDelay*'
}

part_transactions() {
  local runs=(1 2)
  [[ -z $quick ]] || runs=(1)
  heading fast-recovery "Sixteen workers move money between 40 accounts in two silos, and one silo is killed. A row is a run."
  printf '| with | all accounts are back after | transfers meanwhile |\n|---|---:|---|\n'
  for _ in "${runs[@]}"; do
    rows_of_tests --explicit on --filter-class '*FastRecoveryTests'
  done
}

part_call-diagnostics() {
  heading diagnostics-costs "What do diagnostics add to a call within a silo? One after the other; medians of 15 alternating rounds of 50,000. No listener."
  printf '| silo | ns a call | lowest | bytes a call |\n|---|---:|---:|---:|\n'
  rows_of_tests --explicit only --filter-class '*CallDiagnosticsCostTests'
}

part_demo() {
  local file longer=(--warm-up 8s --duration 7s) short=() kinds=(--engine embedded --timers all --rounds 5)
  [[ -z $quick ]] || longer=(--warm-up 1s --duration 1s --rounds 1) short=("${longer[@]}") kinds=(--engine embedded --timers all --rounds 1)
  file=$(mktemp)
  heading default "./demo.sh ${short[*]}"
  demo "${short[@]}" --markdown "$file" >&2
  cat "$file"
  heading longer "./demo.sh ${longer[*]}"
  demo "${longer[@]}" --markdown "$file" >&2
  cat "$file"
  heading one-lock "The same bank without Orleans, on timers in one list behind one lock, on .NET's, and on ours: ./demo.sh ${kinds[*]}"
  demo "${kinds[@]}" --no-delays --markdown "$file" >&2
  cat "$file"
  rm "$file"
}

# provenance NAME SECONDS: what the figures of a file were taken on.
provenance() {
  local orleans version=''
  orleans=$(sed -n 's/.*"Microsoft.Orleans.Runtime\/\([^"]*\)".*/\1/p' artifacts/bin/Orleans.Timers.Scalable.Compare/release/*.Compare.deps.json 2> /dev/null | head -1) || true
  [[ -z $orleans ]] || version=", Orleans $orleans"
  printf -- '- Taken by `bench/run-all.sh%s %s` in %d min, until %s UTC\n' "${quick:+ $quick}" "$1" $((($2 + 59) / 60)) "$(date -u '+%F %H:%M')"
  printf -- '- Commit %s\n' "$commit"
  printf -- '- %d processors (%s), %s, Linux %s, .NET %s%s\n' "$(nproc)" \
    "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1 | tr -s ' ')" \
    "$(. /etc/os-release && echo "$PRETTY_NAME")" "$(uname -r)" \
    "$(dotnet --list-runtimes | awk '$1 == "Microsoft.NETCore.App" { v = $2 } END { print v }')" "$version"
}

# figures NAME MINUTES TITLE: what the part prints takes the place of the file's figures, if it succeeds.
figures() {
  local file=bench/results/$1.md printed start=$SECONDS status=0
  printed=$scratch/$1.printed
  echo "$1: should take some $2 minutes ($(date '+%H:%M'))" >&2
  # By itself, so that it can be ended with all its processes, and its failure ends no other part.
  timeout -k 10 $((3 * $2 + 5))m "$script" --part "$1" $quick > "$printed" &
  running=$!
  wait "$running" || status=$?
  running=''
  if [[ $status == 0 ]]; then
    # The file changes at once or not at all.
    {
      if [[ -f $file ]]; then sed '/^<!-- figures -->$/q' "$file"; else printf '# %b\n\n<!-- figures -->\n' "$3"; fi
      echo
      provenance "$1" $((SECONDS - start))
      echo
      sed 's/[[:space:]]*$//' "$printed"
    } | cat -s > "$scratch/$1.md"
    [[ -n $quick ]] || mv "$scratch/$1.md" "$file"
  else
    failed+=("$1 (exit code $status)")
  fi
  took+=("$(printf '%-22s %3d min %02d s%s' "$1" $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$([[ $status == 0 ]] || echo '  FAILED')")")
  echo "${took[-1]}" >&2
}

# However it ends: nothing of it runs on, and nothing is left but what --quick has measured.
finish() {
  if [[ -n $running ]]; then
    kill "$running" 2> /dev/null || true
    wait "$running" || true
  fi
  [[ -n $quick ]] || rm -rf "$scratch"
}

script=$root/bench/run-all.sh
quick='' names=() failed=() took=() running=''
if [[ ${1:-} == --part ]]; then
  quick=${3:-}
  "part_$2"
  exit
fi
for argument in "$@"; do
  case $argument in
    --quick) quick=--quick ;;
    -*) echo "There is no option $argument." >&2; exit 2 ;;
    *)
      [[ " ${parts[*]%% *} " == *" $argument "* ]] || { echo "There are no figures called $argument." >&2; exit 2; }
      names+=("$argument")
      ;;
  esac
done
scratch=$(mktemp -d)
trap finish EXIT
trap 'exit 130' INT TERM HUP
choose_orleans "$root"
commit=$(git rev-parse --short HEAD)
[[ -z $(git status --porcelain -- . ':!bench/results' ':!docs' ':!*.md') ]] || commit="$commit, with changes"
projects=(bench/ScalableTimers.Compare)
[[ $Orleans != on ]] || projects+=(bench/Orleans.Timers.Scalable.Compare samples/TransactionsDemo test/Orleans.Timers.Scalable.Tests)
for project in "${projects[@]}"; do
  dotnet build "$project" -c Release -v:q -nologo >&2
done

for part in "${parts[@]}"; do
  read -r name minutes title <<< "$part"
  [[ ${#names[@]} -eq 0 || " ${names[*]} " == *" $name "* ]] || continue
  if [[ $Orleans != on && $needs_orleans == *" $name "* ]]; then
    echo "Left out, as Orleans cannot be restored: $name." >&2
    continue
  fi
  figures "$name" "$minutes" "$title"
done

if [[ -n $quick ]]; then
  echo "Nothing to quote: $scratch/*.md. bench/results, README and docs are as they were." >&2
else
  dotnet artifacts/bin/ScalableTimers.Compare/release/ScalableTimers.Compare.dll --docs "$root" || failed+=("README and docs: see above")
fi
printf '%s\n' "${took[@]}" "In all $((SECONDS / 60)) minutes." >&2
if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'Failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
