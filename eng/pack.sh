#!/usr/bin/env bash
# Builds the packages of src/ into a folder.
#
#   eng/pack.sh FOLDER
#   eng/pack.sh --version 1.2.3-rc.1 FOLDER
#   eng/pack.sh --repository https://HOST/OWNER/NAME FOLDER
#   eng/pack.sh --any-orleans FOLDER
#
# The version is that of a tag vX.Y.Z at HEAD, else that of src/Directory.Build.props. All packages have the same one.
# --repository says where the sources are, if the clone's origin does not.
# The plugin is compiled against the oldest Orleans that it supports. Where that cannot be restored, the plugin is left
# out. With --any-orleans it is compiled against the oldest that can be, and its package asks for that: for tests.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
version="" repository="" any_orleans="" folder=""

usage() {
  echo "usage: eng/pack.sh [--version VERSION] [--repository https://...] [--any-orleans] FOLDER" >&2
  exit 2
}

while [[ $# -gt 0 ]]; do
  case $1 in
    --version | --repository)
      [[ -n ${2:-} ]] || usage
      if [[ $1 == --version ]]; then version=$2; else repository=$2; fi
      shift
      ;;
    --any-orleans) any_orleans=yes ;;
    -*) usage ;;
    *)
      [[ -z $folder ]] || usage
      folder=$1
      ;;
  esac
  shift
done
[[ -n $folder ]] || usage
[[ -z $repository || $repository == https://* ]] || usage

# check_version VERSION: ends the script if it is none.
check_version() {
  if [[ ! $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
    echo "The version $1 is not like 1.2.3 or 1.2.3-rc.1." >&2
    exit 1
  fi
}

[[ -z $version ]] || check_version "$version"
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
cd "$root"
source eng/orleans.sh
choose_orleans "$root"

changes=$(git status --porcelain 2> /dev/null || true)
if [[ -z $version ]]; then
  # A release comes after its candidates, whose tags may be on the same commit.
  version=$(git -c versionsort.suffix=- tag --points-at HEAD --list 'v[0-9]*' --sort=version:refname 2> /dev/null |
    tail -n 1 || true)
  version=${version#v}
  if [[ -n $version && -n $changes ]]; then
    echo "HEAD has the tag v$version, but there are uncommitted changes:" >&2
    echo "$changes" >&2
    exit 1
  fi
fi
if [[ -z $version ]]; then
  version=$(dotnet msbuild src/ScalableTimers/ScalableTimers.csproj -nologo -getProperty:Version)
fi
check_version "$version"
if [[ -n $changes ]]; then
  echo "There are uncommitted changes. The packages name the commit below them."
fi
if ! git rev-parse HEAD > /dev/null 2>&1; then
  echo "This is no clone with commits. The packages name no commit."
fi

# From scratch, and beside the builds of developers and tests, which have other options. Inside of the repository,
# because paths of generated sources outside of it would get into the symbols. Analyzers have run in the other builds.
artifacts=$root/artifacts/pack/$version
rm -rf "$artifacts"
options=(-nologo -tl:off -v:m -clp:NoSummary -p:Configuration=Release -p:ContinuousIntegrationBuild=true
  -p:RunAnalyzers=false "-p:ArtifactsPath=$artifacts" "-p:Version=$version" "-p:PackageOutputPath=$folder")
if [[ -n $repository ]]; then
  options+=("-p:RepositoryUrl=$repository")
fi

# The time in the packages is that of the commit, so that the same commit gives the same packages.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null || date +%s)
export SOURCE_DATE_EPOCH

if [[ -n $any_orleans && $Orleans == on ]]; then
  OrleansOldestVersion=$(dotnet msbuild src/Orleans.Timers.Scalable/*.csproj -restore "${options[@]}" -v:q \
    -t:ReportOrleans -getProperty:OrleansCompiledAgainst)
  export OrleansOldestVersion
  echo "For tests: the plugin asks for Orleans $OrleansOldestVersion"
fi

mkdir -p "$artifacts"
for project in src/*/*.csproj; do
  dotnet msbuild "$project" -restore "${options[@]}" -t:PackOrSayWhyNot | tee -a "$artifacts/log"
done

echo
grep ' is left out: ' "$artifacts/log" | sed 's/^ *//' || true
echo "Packages of version $version in $folder:"
(cd "$folder" && ls -l -- *."$version".*nupkg | awk '{ print "  " $NF ", " $5 " bytes" }')

# NuGet does not look at the feed again for a version that it has copied, whatever is in the package by now.
copies=$(dotnet nuget locals global-packages --list --force-english-output)
copies=${copies#*: }
copies=${copies%/}
stale=()
for project in src/*/*.csproj; do
  id=$(basename "$project" .csproj)
  copy="$copies/${id,,}/${version,,}"
  [[ ! -d $copy ]] || stale+=("$copy")
done
if [[ ${#stale[@]} -gt 0 ]]; then
  echo
  echo "NuGet has copies of this version, and installs those instead. Delete them, or pack with another --version:"
  printf '  %s\n' "${stale[@]}"
fi
