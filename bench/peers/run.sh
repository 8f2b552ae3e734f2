#!/usr/bin/env bash
# Measures a few workloads in our timers, .NET's, Netty's, Go's and a wheel in C, and prints one table for each.
#
#   ./run.sh [--quick] [--rounds=N] [--markdown] [--all] [WORKLOAD...]
#
#   --quick      one small round, to see that everything works, not to compare
#   --rounds=N   rounds of each peer, 7 by default
#   --markdown   tables for results/
#   --all        fails at once if a peer is not installed
#
# ROUND_RUNNER, when set, is a command to start each round with, such as "taskset -c 0,1".
#
# A round is a process of its own that warms itself up. The peers take turns: round one of each, then round two of each. A
# table shows medians. Missing peers are named and left out, unless --all is given; nothing is installed. Programs are built
# into artifacts/peers.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/artifacts/peers
netty=${NETTY_COMMON_JAR:-/usr/share/java/netty-common.jar}
all=(schedule-cancel schedule-cancel-1m firing firing-20k pending-bytes idle)

declare -A questions=(
  [schedule-cancel]="What does a timeout cost that is cancelled at once, with nothing else pending? (a pair, on 2 threads)"
  [schedule-cancel-1m]="What does a timeout cost that is cancelled at once, with 1,000,000 others pending? (a pair, on 2 threads)"
  [firing]="What does it cost to schedule and fire a timer, with 2,000,000 due over one second, and when do they fire? (CPU ns is a timer, all told)"
  [firing-20k]="What do 20,000 firings a second cost, and when do they fire? (CPU ns is a second, without scheduling)"
  [pending-bytes]="How many bytes does a pending timer hold, with 1,000,000 of them?"
  [idle]="What do 1,000,000 pending timers cost while nothing is due? (CPU ns is a second)"
)

size=full rounds=7 format=text leave_out=1 workloads=()
for argument in "$@"; do
  case $argument in
    --quick) size=quick rounds=1 ;;
    --rounds=[1-9]*) rounds=${argument#*=} ;;
    --markdown) format=markdown ;;
    --all) leave_out='' ;;
    *)
      if [[ $argument == -* || -z ${questions[$argument]:-} ]]; then
        echo "usage: ./run.sh [--quick] [--rounds=N] [--markdown] [--all] [WORKLOAD...]   workloads: ${all[*]}" >&2
        exit 2
      fi
      workloads+=("$argument")
      ;;
  esac
done
[[ ${#workloads[@]} -gt 0 ]] || workloads=("${all[@]}")

# A peer is a command that takes a workload and a size and prints one line: workload, name, and the columns of the table.
peers=() versions=() skipped=()

have() { command -v "$1" > /dev/null 2>&1; }

prepare_dotnet() {
  have dotnet || { skipped+=("skipped: ours and .NET's: dotnet is not installed"); return; }
  (cd "$root" && dotnet msbuild bench/peers/dotnet/ScalableTimers.Peer.csproj -restore -p:Configuration=Release -v:q -tl:off -nologo -clp:NoSummary >&2)
  local program="dotnet $root/artifacts/bin/ScalableTimers.Peer/release/ScalableTimers.Peer.dll"
  peers+=("$program timer" "$program service")
  versions+=(".NET $(dotnet --list-runtimes | awk '$1 == "Microsoft.NETCore.App" { version = $2 } END { print version }')")
}

prepare_netty() {
  have javac || { skipped+=("skipped: a JDK is not installed (Debian: default-jdk-headless)"); return; }
  [[ -f $netty ]] || { skipped+=("skipped: Netty is not installed (Debian: libnetty-java)"); return; }
  mkdir -p "$out/netty"
  javac -cp "$netty" -d "$out/netty" "$here"/netty/*.java
  peers+=("java -cp $out/netty:$netty Peer")
  versions+=("Netty $(java -cp "$out/netty:$netty" Peer version)" "Java $(java -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p')")
}

prepare_go() {
  have go || { skipped+=("skipped: Go is not installed (Debian: golang)"); return; }
  (cd "$here/go" && go build -trimpath -buildvcs=false -o "$out/peer-go" .)
  peers+=("$out/peer-go")
  versions+=("$(go version | awk '{ print "Go " substr($3, 3) }')")
}

prepare_c() {
  have gcc || { skipped+=("skipped: a C compiler is not installed (Debian: gcc libc6-dev)"); return; }
  gcc -std=gnu11 -O2 -Wall -Wextra -pthread -o "$out/peer-c" "$here"/c/*.c -lm
  peers+=("$out/peer-c precise" "$out/peer-c coarse")
  versions+=("gcc $(gcc -dumpfullversion)")
}

# Reads lines of rounds, prints a line of medians for each name, in the order in which names first appear.
medians() {
  awk '
    function median(list, values, count, i, j, swap) {
      count = split(list, values, " ")
      if (values[1] == "-") return ""
      for (i = 2; i <= count; i++)
        for (j = i; j > 1 && values[j - 1] + 0 > values[j] + 0; j--) { swap = values[j]; values[j] = values[j - 1]; values[j - 1] = swap }
      return shown(values[int(count / 2) + 1])
    }
    # Three digits and thousands separated, as in the other tables.
    function shown(value, text, grouped) {
      if (value < 0.005 && value > -0.005) return "0"
      if (value < 10 && value > -10) { text = sprintf("%.2f", value); sub(/\.?0+$/, "", text); return text }
      text = sprintf("%.0f", value)
      for (grouped = ""; length(text) > 3; text = substr(text, 1, length(text) - 3)) grouped = "," substr(text, length(text) - 2) grouped
      return text grouped
    }
    !($2 in seen) { seen[$2] = 1; names[++peers] = $2 }
    { for (i = 3; i <= 10; i++) rounds[$2, i] = rounds[$2, i] " " $i }
    END {
      for (p = 1; p <= peers; p++) {
        line = names[p]
        for (i = 3; i <= 10; i++) line = line "|" median(rounds[names[p], i])
        print line
      }
    }'
}

print_table() {
  local header="timers|ns|CPU ns|bytes|early|late p50 ms|p99|p99.9|max"
  echo
  if [[ $format == markdown ]]; then
    printf '### %s\n\n%s\n\n' "$1" "${questions[$1]}"
    { echo "$header"; medians; } | awk -F'|' '
      { printf "|"; for (i = 1; i <= NF; i++) printf " %s |", $i; print "" }
      NR == 1 { print "|---|---:|---:|---:|---:|---:|---:|---:|---:|" }'
  else
    echo "$1: ${questions[$1]}"
    { echo "$header"; medians; } | awk -F'|' '{ printf "  %-20s", $1; for (i = 2; i <= 9; i++) printf "%12s", $i; print "" }'
  fi
}

mkdir -p "$out"
prepare_dotnet
prepare_netty
prepare_go
prepare_c
if [[ ${#skipped[@]} -gt 0 ]]; then
  [[ -n $leave_out ]] || { printf '%s\n' "${skipped[@]/#skipped/missing}" >&2; exit 1; }
  printf '%s\n' "${skipped[@]}"
fi
[[ ${#peers[@]} -gt 0 ]] || { echo "nothing to measure" >&2; exit 1; }

joined=$(printf ', %s' "${versions[@]}")
echo "$(uname -s) $(uname -r), $(getconf _NPROCESSORS_ONLN) cores${joined}, $([[ $rounds == 1 ]] && echo "one small round" || echo "medians of $rounds alternating rounds")"
for workload in "${workloads[@]}"; do
  lines=$out/$workload.txt
  : > "$lines"
  for ((round = 1; round <= rounds; round++)); do
    for peer in "${peers[@]}"; do
      ${ROUND_RUNNER:-} $peer "$workload" "$size" >> "$lines" || { echo "failed: $peer $workload $size" >&2; exit 1; }
    done
  done
  print_table "$workload" < "$lines"
done
