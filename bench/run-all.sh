#!/usr/bin/env bash
# Measures the figures of bench/results again, all on the current commit, and copies their tables into README and docs. Use a
# machine that does nothing else, and leave the clone alone until it ends.
#
#   bench/run-all.sh              everything
#   bench/run-all.sh NAME...      only these files of bench/results, such as compare
#   bench/run-all.sh --quick ...  smaller, in one round, to see that it all works. Not to quote, so it uses its own folder.
#
# Text above the line "<!-- figures -->" of a file is written by hand and stays. A part that fails, or takes three times as
# long as it should, leaves its file unchanged; the others go on, and the last lines name what failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# Each part has a function that prints its tables, and the minutes that it takes.
parts=("compare 18" "orleans 27" "peers 10" "demo 3" "cluster 97")

part_compare() { dotnet artifacts/bin/ScalableTimers.Compare/release/ScalableTimers.Compare.dll $quick; }

part_orleans() { dotnet artifacts/bin/Orleans.Timers.Scalable.Compare/release/Orleans.Timers.Scalable.Compare.dll $quick; }

# Stored figures have all peers.
part_peers() { bench/peers/run.sh --markdown --all ${quick:---rounds=3}; }

part_demo() {
  printf '\n### default\n\n./demo.sh %s\n\n' "$quick"
  dotnet artifacts/bin/TransactionsDemo/release/TransactionsDemo.dll $quick | grep '^|'
}

part_cluster() {
  local options='--faults all --long' rows=34 folder
  [[ -z $quick ]] || options='--faults all --preset fast --quick' rows=18
  folder=$(mktemp -d)
  # Money that is missing is a result too, and stands in the table: a row for each round, below two. A round that broke off
  # has none.
  ./demo.sh cluster $options --report "$folder/cluster.md" >&2 \
    || [[ $? == 1 && $(grep -c '^| ' "$folder/cluster.md") == "$rows" ]] || return
  [[ -n $quick ]] || cp "$folder"/cluster-*.svg bench/results
  printf '\n### scenarios\n\n./demo.sh cluster %s, on Orleans %s and PostgreSQL %s\n\n' "$options" \
    "$(sed -n 's:.*<OrleansVersion[^>]*>\([^<]*\)<.*:\1:p' Directory.Packages.props)" \
    "$(printf '%s\n' /usr/lib/postgresql/* | sort -V | tail -n 1 | xargs basename)"
  cat "$folder/cluster.md"
  rm -r "$folder"
}

# provenance NAME SECONDS: how and where the figures of a file were measured.
provenance() {
  printf -- '- Taken by `bench/run-all.sh%s %s` in %d min, until %s UTC\n' "${quick:+ $quick}" "$1" $((($2 + 59) / 60)) "$(date -u '+%F %H:%M')"
  printf -- '- Commit %s\n' "$commit"
  printf -- '- %d processors (%s), %s, Linux %s, .NET %s\n' "$(nproc)" \
    "$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -1 | tr -s ' ')" \
    "$(. /etc/os-release && echo "$PRETTY_NAME")" "$(uname -r)" \
    "$(dotnet --list-runtimes | awk '$1 == "Microsoft.NETCore.App" { v = $2 } END { print v }')"
}

# figures NAME MINUTES: replaces the file's figures with what the part prints, if it succeeds.
figures() {
  local file=bench/results/$1.md printed=$scratch/$1.printed start=$SECONDS status=0
  # In its own process, so that it can be killed with its children, and its failure ends no other part.
  timeout -k 10 $((3 * $2 + 5))m "$script" --part "$1" $quick > "$printed" &
  running=$!
  wait "$running" || status=$?
  running=''
  if [[ $status == 0 ]]; then
    # Replaces the file at once or not at all.
    {
      sed '/^<!-- figures -->$/q' "$file"
      echo
      provenance "$1" $((SECONDS - start))
      echo
      sed 's/[[:space:]]*$//' "$printed"
    } | cat -s > "$scratch/$1.md"
    [[ -n $quick ]] || mv "$scratch/$1.md" "$file"
  else
    failed+=("$1 (exit code $status)")
  fi
  took+=("$(printf '%-8s %3d min%s' "$1" $(((SECONDS - start + 59) / 60)) "$([[ $status == 0 ]] || echo '  FAILED')")")
  echo "${took[-1]}" >&2
}

# However the script ends, nothing keeps running, and nothing is left but what --quick has measured.
finish() {
  if [[ -n $running ]]; then
    kill "$running" 2> /dev/null || true
    wait "$running" || true
  fi
  [[ -n $quick ]] || rm -rf "$scratch"
}

script=$root/bench/run-all.sh
quick='' names=() failed=() took=() running='' total=0
if [[ ${1:-} == --part ]]; then
  quick=${3:-}
  "part_$2"
  exit
fi
for argument in "$@"; do
  case $argument in
    --quick) quick=--quick ;;
    *)
      [[ " ${parts[*]%% *} " == *" $argument "* ]] || { echo "There is no option and no part $argument." >&2; exit 2; }
      names+=("$argument")
      ;;
  esac
done
[[ ${#names[@]} -gt 0 ]] || names=("${parts[@]%% *}")
scratch=$(mktemp -d)
trap finish EXIT
trap 'exit 130' INT TERM HUP
commit=$(git rev-parse --short HEAD)
[[ -z $(git status --porcelain -- . ':!bench/results' ':!docs' ':!*.md') ]] || commit="$commit, with changes"
for part in "${parts[@]}"; do
  [[ " ${names[*]} " != *" ${part% *} "* ]] || total=$((total + ${part#* }))
done
echo "Takes ${quick:+less than }$total minutes, from $(date '+%H:%M')." >&2

for project in bench/ScalableTimers.Compare bench/Orleans.Timers.Scalable.Compare samples/TransactionsDemo; do
  dotnet build "$project" -c Release -v:q -nologo >&2
done
for part in "${parts[@]}"; do
  [[ " ${names[*]} " != *" ${part% *} "* ]] || figures ${part}
done

if [[ -n $quick ]]; then
  echo "Nothing to quote: $scratch/*.md. bench/results, README and docs are as they were." >&2
else
  dotnet artifacts/bin/ScalableTimers.Compare/release/ScalableTimers.Compare.dll --docs "$root" || failed+=("README and docs")
fi
printf '%s\n' "${took[@]}" "In all $((SECONDS / 60)) minutes." >&2
if [[ ${#failed[@]} -gt 0 ]]; then
  printf 'Failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
