#!/usr/bin/env bash
# Builds everything, runs every test and ends with one line that counts them.
#
#   ./test.sh               all suites in five minutes
#   ./test.sh --stress      the same, with stress tests and exploration at full length
#   ./test.sh --native      also installs the packages in a program that is compiled ahead of time
#   ./test.sh --cluster     also kills, pauses and replaces silo processes on PostgreSQL: four minutes
#   ./test.sh --orleans 10.4.0   also runs the plugin's tests on that version of Orleans; may be repeated
#   ./test.sh --soak 10m    only random use of everything at once, for 30s, 10m or 1h, and a table of it
#
# What a suite prints is in artifacts/test-results.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SCALABLE_TIMERS_STRESS=${SCALABLE_TIMERS_STRESS:-short}
export SCALABLE_TIMERS_SOAK=""
export SCALABLE_TIMERS_NATIVE=${SCALABLE_TIMERS_NATIVE:-}
export DOTNET_NOLOGO=1

usage() {
  echo "usage: ./test.sh [--stress] [--native] [--cluster] [--orleans VERSION]... | --soak DURATION    a DURATION is 30s, 10m or 1h" >&2
  exit 2
}

cluster=() versions=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --cluster) cluster=(kill pause upgrade) ;;
    --orleans)
      [[ ${2:-} =~ ^[0-9]+(\.[0-9]+){2}[-.0-9A-Za-z]*$ ]] || usage
      versions+=("$2")
      shift
      ;;
    --native) SCALABLE_TIMERS_NATIVE=1 ;;
    --stress) SCALABLE_TIMERS_STRESS=full ;;
    --soak)
      [[ ${2:-} =~ ^[1-9][0-9]{0,5}[smh]$ ]] || usage
      SCALABLE_TIMERS_SOAK=$2
      shift
      ;;
    *) usage ;;
  esac
  shift
done

cd "$root"
what=ScalableTimers.slnx projects=(test/*/*.csproj) options=()
exec 3> /dev/null
# Packages.Tests keeps NuGet apart from the machine's by HOME, which NuGet does not read on Windows.
if [[ $OSTYPE == msys* ]]; then
  projects=($(printf '%s\n' "${projects[@]}" | grep -v Packages.Tests))
fi
if [[ -n $SCALABLE_TIMERS_SOAK ]]; then
  projects=(test/ScalableTimers.StressTests/*.csproj)
  what=${projects[0]}
  exec 3>&1
  options=(--filter-class "*SoakTests" --show-live-output on --no-progress)
fi

# seconds_of PART: how long a part takes on two processors.
seconds_of() {
  case $1 in
    build) echo 65 ;;
    Orleans.Timers.Scalable.Tests) echo 55 ;;
    Packages.Tests) if [[ -n $SCALABLE_TIMERS_NATIVE ]]; then echo 160; else echo 75; fi ;;
    ScalableTimers.Exploration) if [[ $SCALABLE_TIMERS_STRESS == full ]]; then echo 600; else echo 65; fi ;;
    ScalableTimers.StressTests) if [[ $SCALABLE_TIMERS_STRESS == full ]]; then echo 600; else echo 25; fi ;;
    debug) echo 45 ;;
    orleans-*) echo 100 ;;
    cluster-*) echo 90 ;;
    *) echo 15 ;;
  esac
}

# The parts still to come.
parts=(build)
for project in "${projects[@]}"; do
  parts+=("$(basename "$project" .csproj)")
done
if [[ -z $SCALABLE_TIMERS_SOAK ]]; then
  parts+=(debug ${versions[@]+"${versions[@]/#/orleans-}"})
fi
if [[ ${#cluster[@]} -gt 0 ]]; then
  parts+=("${cluster[@]/#/cluster-}" cluster-killed)
fi

# ended WHAT: prints what came of the first of the parts, and how long the others should take by the pace so far.
began=$SECONDS part_began=$SECONDS expected=0
ended() {
  local part left=0
  expected=$((expected + $(seconds_of "${parts[0]}")))
  parts=("${parts[@]:1}")
  for part in ${parts[@]+"${parts[@]}"}; do
    left=$((left + $(seconds_of "$part")))
  done
  left=$((left * (SECONDS - began) / expected))
  printf '%s in %d s%s\n' "$1" $((SECONDS - part_began)) "$([[ $left -eq 0 || -n $SCALABLE_TIMERS_SOAK ]] || printf ', %d:%02d left' $((left / 60)) $((left % 60)))"
  part_began=$SECONDS
}

dotnet msbuild "$what" -restore -p:Configuration=Release -v:q -tl:off -nologo -clp:NoSummary
ended "Built"

results=artifacts/test-results
rm -rf "$results"
mkdir -p "$results"
export SCALABLE_TIMERS_EXPLORATION_TABLE=$root/$results/exploration.md
export SCALABLE_TIMERS_SOAK_REPORT=""
if [[ -n $SCALABLE_TIMERS_SOAK ]]; then
  SCALABLE_TIMERS_SOAK_REPORT=$root/$results/soak.md
fi

passed=0 failed=0 skipped=0 has_postgres=true

# A test that hangs must not hang this script, if GNU timeout is there to prevent it.
limit=()
if [[ $SCALABLE_TIMERS_STRESS != full && -z $SCALABLE_TIMERS_SOAK ]] && timeout --foreground 1 true 2> /dev/null; then
  limit=(timeout --foreground --kill-after=10 1800)
fi

# attribute NAME ELEMENT: prints a numeric attribute of an XML element.
attribute() {
  local value
  value=$(sed -n 's/.* '"$1"'="\([0-9][0-9]*\)".*/\1/p' <<< "$2")
  echo "${value:-0}"
}

# run_tests NAME CONFIGURATION [OPTION]...: runs a test project. Breaking off or finding no test counts as a failure.
artifacts=artifacts
run_tests() {
  local name=$1 configuration=$2 status=0 summary="" failures report=$1.$2.xml printed=$results/$1.$2.log
  shift 2
  ${limit[@]+"${limit[@]}"} dotnet "$artifacts/bin/$name/${configuration%%-*}/$name.dll" --no-ansi --long-running 60 \
    "$@" --results-directory "$results" --report-xunit-xml --report-xunit-xml-filename "$report" 2>&1 | tee "$printed" >&3 || status=$?

  if [[ -f $results/$report ]]; then
    summary=$(grep -m 1 -o '<assembly [^>]*>' "$results/$report" || true)
  fi

  if [[ $(attribute total "$summary") -eq 0 ]]; then
    tail -n 30 "$printed" 2> /dev/null || true
    echo "failed $name: no result: it crashed, hung or has no tests (exit code $status)" >> "$printed"
    failed=$((failed + 1))
    ended "$name, $configuration: NO RESULT, see $printed"
    return
  fi

  failures=$(($(attribute failed "$summary") + $(attribute errors "$summary")))
  # 0: all passed. 2: some failed. 8: all were skipped.
  if [[ $failures -eq 0 && $status -ne 0 && $status -ne 8 ]]; then
    echo "failed $name: broke off (exit code $status)" >> "$printed"
    failures=1
  fi

  failed=$((failed + failures))
  # A debug build, or another Orleans, runs the same tests again, so only its failures count.
  if [[ $configuration == release ]]; then
    passed=$((passed + $(attribute passed "$summary")))
    skipped=$((skipped + $(attribute skipped "$summary")))
  fi
  ended "$name, $configuration: $(attribute passed "$summary") passed, $failures failed, $(attribute skipped "$summary") skipped"
}

for project in "${projects[@]}"; do
  run_tests "$(basename "$project" .csproj)" release ${options[@]+"${options[@]}"}
done

# count NAME STATUS: counts a test that is not in a test project.
count() {
  if [[ $2 -eq 0 ]]; then
    passed=$((passed + 1))
    ended "$1: passed"
  else
    echo "failed $1 (exit code $2)" >> "$results/cluster.log"
    failed=$((failed + 1))
    ended "$1: FAILED (exit code $2)"
  fi
}

# leaves_nothing: kills the demo's script while its silos run. They and the database must end too.
leaves_nothing() {
  local folder script printed=$results/cluster-killed.log
  folder=$(mktemp -d)
  chmod 755 "$folder"
  TMPDIR=$folder ./demo.sh cluster --variant plugin --quick > "$printed" 2>&1 &
  script=$!
  for _ in {1..120}; do
    ! grep -q "transfers a second" "$printed" && kill -0 "$script" 2> /dev/null || break
    sleep 1
  done
  grep -q "transfers a second" "$printed" || return 1
  { kill -KILL "$script"; wait "$script"; } 2> /dev/null || true
  for _ in {1..20}; do
    # .NET leaves its own files there when a process is killed.
    if ! pgrep -f "$PWD/artifacts/bin/Cluster/|$folder" > /dev/null && ! compgen -G "$folder/cluster-postgres-*" > /dev/null; then
      rm -rf "$folder"
      return 0
    fi
    sleep 1
  done
  pgrep -af "$PWD/artifacts/bin/Cluster/|$folder"
  return 1
}

# Only debug builds assert invariants. The wheel's model tests try thousands of cases, those of a full pool compare with
# .NET's timers for most of a minute, and the statistics assert nothing.
if [[ -z $SCALABLE_TIMERS_SOAK ]]; then
  dotnet msbuild test/ScalableTimers.Tests/ScalableTimers.Tests.csproj -restore -p:Configuration=Debug -p:RunAnalyzers=false -v:q -tl:off -nologo -clp:NoSummary
  run_tests ScalableTimers.Tests debug --filter-not-class '*.TimerWheelModelTests' '*_FullPool' --filter-not-namespace ScalableTimers.Tests.Statistics
fi

for version in ${versions[@]+"${versions[@]}"}; do
  artifacts=artifacts/orleans-$version
  dotnet msbuild test/Orleans.Timers.Scalable.Tests/Orleans.Timers.Scalable.Tests.csproj -restore -p:Configuration=Release -p:OrleansVersion="$version" \
    -p:ArtifactsPath="$root/$artifacts" -p:RunAnalyzers=false -v:q -tl:off -nologo -clp:NoSummary
  run_tests Orleans.Timers.Scalable.Tests "release-orleans-$version"
done

# Each scenario is a test: no money is missing, and each transfer ended as its caller was told.
for scenario in ${cluster[@]+"${cluster[@]}"}; do
  status=0
  ${limit[@]+"${limit[@]}"} ./demo.sh cluster --faults "$scenario" --variant plugin --preset fast --quick > "$results/cluster-$scenario.log" || status=$?
  [[ $status -ne 3 ]] || has_postgres=false
  count "The cluster, $scenario" "$status"
done
if [[ ${#cluster[@]} -gt 0 ]]; then
  status=0
  leaves_nothing || status=$?
  count "The cluster, when its script is killed" "$status"
fi

echo
if [[ -n $SCALABLE_TIMERS_SOAK ]]; then
  cat "$results/soak.md" 2> /dev/null || true
  echo
fi

# A failure may be far above here, or cut off where only the last lines are kept.
if [[ $failed -gt 0 ]]; then
  echo
  echo "What failed, the first lines of each:"
  awk 'FNR == 1 {left = 0} /^(failed|WRONG:) /{left = 12} /^(passed|skipped|Test run|\[)/{left = 0} left > 0 {print substr($0, 1, 400); left--}' "$results"/*.log
  echo
fi

echo "$passed passed, $failed failed, $skipped skipped"
$has_postgres || exit 3
[[ $failed -eq 0 && $passed -gt 0 ]]
