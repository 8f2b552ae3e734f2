#!/usr/bin/env bash
# Changes a part of the core, one place at a time, and checks whether a test fails (docs/testing-the-core.md).
#
#   eng/mutate.sh            all parts
#   eng/mutate.sh wheel      one of: clock options statistics wheel
#
# The reports are artifacts/mutate/PART/reports/mutation-report.html.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

# The project of a part, its sources, those that they need, and the tests that must notice. None of them needs the service,
# its driver or another thread.
choose() {
  project=ScalableTimers needed=()
  case $1 in
    clock)
      sources=(Clock/TickClock.cs Clock/Timestamp.cs Clock/Duration.cs Wheel)
      tests=(Clock/HandClock.cs Clock/TickClockTests.cs Clock/TimestampTests.cs Clock/DueTimeTests.cs)
      mutate=('**/TickClock.cs' '**/Timestamp.cs' '**/Duration.cs' '**/DueTime.cs')
      ;;
    options)
      sources=(CallbackExceptions.cs TimerServiceOptions.cs TimerServiceOptionsValidator.cs TimerServiceDriver.cs)
      tests=(TimerServiceOptionsValidatorTests.cs)
      mutate=('**/*.cs' '!**/DueTime.cs')
      ;;
    statistics)
      project=ScalableTimers.Statistics
      sources=('*.cs')
      needed=(src/ScalableTimers/Metrics/{MeterInstruments,Publication}.cs)
      tests=(Allocations.cs Clock/HandClock.cs Clock/ManualTimeProvider.cs Metrics/RecordingListener.cs Services.Private.cs TestThread.cs Wait.cs Statistics/OperationMetricsTests.cs Statistics/OperationStatisticsModelTests.cs Statistics/OperationStatisticsTests.cs)
      mutate=('**/*.cs')
      ;;
    wheel)
      sources=(Wheel)
      tests=(Wheel)
      mutate=('**/Wheel/*.cs' '!**/ProcessorCache.cs')
      ;;
    *)
      echo "usage: eng/mutate.sh [clock|options|statistics|wheel]..." >&2
      exit 2
      ;;
  esac
}

# Works on a copy of the part alone. Stryker's test runner has no filter, so it may run every test it finds for every change;
# it compiles changes of every file, even those not asked for; and it leaves a changed assembly in the build.
mutate_part() {
  local tree=$root/artifacts/mutate/$1/tree patterns=()
  choose "$1"
  rm -rf "$root/artifacts/mutate/$1"
  mkdir -p "$tree"
  git ls-files -z --cached --others --exclude-standard -- '*.props' '*.targets' '*.csproj' global.json .editorconfig .config eng \
    src/ScalableTimers/Clock/DueTime.cs src/ScalableTimers.{Analyzers,CodeFixes} ${needed[@]+"${needed[@]}"} "${sources[@]/#/src/$project/}" "${tests[@]/#/test/ScalableTimers.Tests/}" \
    | tar -c --null --files-from=- | tar -x -C "$tree"
  for pattern in "${mutate[@]}"; do
    patterns+=(--mutate "$pattern")
  done

  (
    cd "$tree/test/ScalableTimers.Tests"
    # Tests of many cases try fewer, because they run for every change.
    # With a suffix, because BSD's sed asks for one.
    sed -i.old 's/WithMaxTest(1_500)/WithMaxTest(60)/; s/WithMaxTest(300)/WithMaxTest(10)/; s/first < 300/first < 70/; s/last < 300/last < 70/; s/2_000/40/; s/1_000 ?/20 ?/; s/step < 3_000/step < 200/' \
      $(git -C "$root" ls-files --cached --others --exclude-standard --error-unmatch "${tests[@]/#/test/ScalableTimers.Tests/}" | sed 's#test/ScalableTimers.Tests/##')
    # The tests of the bench's own pieces are not among these.
    sed -i.old '/bench\/ScalableTimers.Compare/d' ScalableTimers.Tests.csproj
    dotnet tool restore > /dev/null
    dotnet build -c Release --property:Platform=AnyCPU -v:q -nologo
    dotnet stryker --config-file ../../eng/stryker-config.json --project "$project.csproj" --skip-version-check --output "$root/artifacts/mutate/$1" "${patterns[@]}"
  )
}

# Comments may refer to what is left out.
export NoWarn='CS1574;CS1580;CS1584;CS1658;CS0419' RunAnalyzers=false

# Stryker gives the SDK a few seconds to answer ("Could not find build environment"), too few on a busy machine.
export DOTNET_INFO_WAIT_TIME=120000

for part in "${@:-clock options statistics wheel}"; do
  for one in $part; do
    mutate_part "$one"
  done
done
