#!/usr/bin/env bash
# Packs the libraries of src/ into a folder: eng/pack.sh FOLDER [NAME]
#
# With a NAME, the folder becomes a NuGet source of that name, in place of one that has it already.
# The version is that of the tag vX.Y.Z at HEAD; without one, a prerelease of the next, numbered by the commits since.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ $# -lt 1 || $# -gt 2 || $1 == -* ]]; then
  echo "usage: eng/pack.sh FOLDER [NAME]" >&2
  exit 2
fi

mkdir -p "$1"
folder=$(cd "$1" && pwd)

# Apart from the builds of developers and tests, which have other options and have run the analyzers.
for project in ScalableTimers ScalableTimers.HealthChecks ScalableTimers.Statistics Orleans.Timers.Scalable Orleans.Timers.Scalable.Transactions; do
  dotnet msbuild "$root/src/$project/$project.csproj" -restore -t:Pack -p:Configuration=Release -p:ContinuousIntegrationBuild=true \
    -p:RunAnalyzers=false -p:ArtifactsPath="$root/artifacts/pack" -p:PackageOutputPath="$folder" -v:q -tl:off -nologo -clp:NoSummary
  echo "Packed $project"
done

if [[ -n ${2:-} ]]; then
  dotnet nuget remove source "$2" > /dev/null 2>&1 || true
  dotnet nuget add source "$folder" --name "$2"
fi
