#!/usr/bin/env bash
# Builds everything, runs every test and ends with one line that counts them.
#
#   ./test.sh             stress tests in their short form
#   ./test.sh --stress    stress tests at full length
#
# Orleans=off leaves Orleans out; without it, what can be restored decides.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export SCALABLE_TIMERS_STRESS=${SCALABLE_TIMERS_STRESS:-short}
for argument in "$@"; do
  case $argument in
    --stress) SCALABLE_TIMERS_STRESS=full ;;
    *)
      echo "usage: ./test.sh [--stress]" >&2
      exit 2
      ;;
  esac
done

cd "$root"
source eng/orleans.sh
choose_orleans "$root"
dotnet msbuild ScalableTimers.slnx -restore -p:Configuration=Release -v:q -tl:off -nologo -clp:NoSummary

results=artifacts/test-results
rm -rf "$results"
mkdir -p "$results"
passed=0 failed=0 skipped=0

# A test that hangs must not hang this script too, where there is a GNU timeout command to prevent it.
limit=()
if [[ $SCALABLE_TIMERS_STRESS != full ]] && timeout --foreground 1 true 2> /dev/null; then
  limit=(timeout --foreground --kill-after=10 1800)
fi

# attribute NAME ELEMENT: a number out of an XML element.
attribute() {
  local value
  value=$(sed -n 's/.* '"$1"'="\([0-9][0-9]*\)".*/\1/p' <<< "$2")
  echo "${value:-0}"
}

# Runs one test project. One that breaks off, or that finds no test, counts as a failed test.
run_tests() {
  local name=$1 status=0 summary="" failures
  echo
  echo "== $name"
  ${limit[@]+"${limit[@]}"} dotnet "artifacts/bin/$name/release/$name.dll" --no-ansi --long-running 60 \
    --results-directory "$results" --report-xunit --report-xunit-filename "$name.xml" || status=$?

  if [[ -f $results/$name.xml ]]; then
    summary=$(grep -m 1 -o '<assembly [^>]*>' "$results/$name.xml" || true)
  fi

  if [[ $(attribute total "$summary") -eq 0 ]]; then
    echo "$name: no result: it crashed, hung or has no tests (exit code $status)"
    failed=$((failed + 1))
    return
  fi

  failures=$(($(attribute failed "$summary") + $(attribute errors "$summary")))
  # 0: all passed. 2: some failed. 8: all were skipped.
  if [[ $failures -eq 0 && $status -ne 0 && $status -ne 8 ]]; then
    echo "$name: broke off (exit code $status)"
    failures=1
  fi

  passed=$((passed + $(attribute passed "$summary")))
  failed=$((failed + failures))
  skipped=$((skipped + $(attribute skipped "$summary")))
}

for project in test/*/*.csproj; do
  run_tests "$(basename "$project" .csproj)"
done

echo
if [[ $Orleans == off ]]; then
  echo "Orleans plugin: NOT COMPILED"
fi

echo "$passed passed, $failed failed, $skipped skipped"
[[ $failed -eq 0 && $passed -gt 0 ]]
