# Sourced by .ci/run: the browser in which tests look at the demo's pages.

# install_chromium: installs Debian's Chromium where there is none. Where that cannot be done, the tests that need it are skipped.
install_chromium() {
  if command -v chromium > /dev/null; then
    return
  fi

  echo "Chromium: installing Debian's package"
  if ((EUID != 0)) || ! command -v apt-get > /dev/null \
    || ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends chromium; } > /dev/null 2>&1; then
    echo "Chromium: could not be installed. The demo's pages are NOT CHECKED: their tests count as skipped."
  fi
}
