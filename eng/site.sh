#!/usr/bin/env bash
# Builds a site of the pages and the API reference, in artifacts/site/html or another folder: eng/site.sh [FOLDER]
#
# A link that leads nowhere, on a page or in a comment, is an error.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [[ $# -gt 1 || ${1:-} == -* ]]; then
  echo "usage: eng/site.sh [FOLDER]" >&2
  exit 2
fi

folder=${1:-$root/artifacts/site/html}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# docfx puts what it reads and makes beside each other, so it gets a copy of the pages and of what they link to.
pages=$root/artifacts/site/pages
rm -rf "$pages"
mkdir -p "$pages"
cd "$root"
git ls-files -z --cached --others --exclude-standard -- ':(glob)*.md' LICENSE bench/README.md bench/results docs samples \
  test/Orleans.Timers.Scalable.Tests/Documentation | tar -c --null --files-from=- | tar -x -C "$pages"
cp -R eng/site/. eng/icon.png "$pages"
cp README.md "$pages/index.md"

# The menu is the tables of docs/README.md.
awk -F '[][()|]' '
  /^## / { exit }
  /^\| [A-Z][a-z ]* \| \|$/ { print "- name:" $2 "\n  expanded: true\n  items:" }
  /^\| \[/ { print "  - name: " $3 "\n    href: " $5 }' docs/README.md > "$pages/docs/toc.yml"

dotnet tool restore > /dev/null
dotnet docfx "$pages/docfx.json" --output "$folder" --warningsAsErrors --logLevel warning
