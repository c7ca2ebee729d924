# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash disable=SC2034 # the names are for those who source it
# The Debian packages that Jitscope needs, by purpose, and how to install those that are missing. The scripts in this folder source it.

# To build and run jitscope.
build_packages=(
  cmake ninja-build g++ pkg-config
  llvm-19-dev liblua5.4-dev libopenblas-dev libsqlite3-dev libutf8proc-dev libxxhash-dev nettle-dev
  libboost-dev libdtl-dev libfmt-dev libcli11-dev nlohmann-json3-dev
)
# To build and run jitscope-gui.
gui_packages=(
  qt6-base-dev libqt6opengl6-dev qt6-charts-dev qt6-svg-dev libqscintilla2-qt6-dev
)
# To build and run the tests and benchmarks as well.
test_packages=(
  libbenchmark-dev sqlite3 llvm-19-tools clang-format-19
)
# To make a Debian package (packaging/package).
package_packages=(
  dpkg-dev file
)
# To run clang-tidy (packaging/lint).
lint_packages=(
  clang-tidy-19
)
# Nothing needs these, but repeated builds are faster with them.
optional_packages=(
  ccache mold
)

# Prints which of the named packages are not installed.
missing_packages() {
  local -A installed=()
  local name status
  while read -r name status; do
    if [[ $status == installed ]]; then
      installed[$name]=1
    fi
  done < <(dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null)
  for name in "$@"; do
    if [[ -z ${installed[$name]:-} ]]; then
      echo "$name"
    fi
  done
}

# Runs a command as root: directly, or through sudo if possible. Returns 127 if neither works.
as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif ! command -v sudo >/dev/null; then
    return 127
  elif [[ -t 0 ]]; then
    sudo "$@"
  elif sudo -n true 2>/dev/null; then
    sudo -n "$@"
  else
    return 127
  fi
}

apt_install() {
  local options=(--quiet --assume-yes --no-install-recommends -o Acquire::Retries=3 -o Dpkg::Use-Pty=0)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet -o Acquire::Retries=3 update || return
  as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install "$@" </dev/null
}

# ensure_packages NAME... -- OPTIONAL...
# Installs the missing packages of both groups if any of the first group is missing. Otherwise it needs neither network nor root.
ensure_packages() {
  local needed=() optional=()
  while [[ $# -gt 0 && $1 != -- ]]; do
    needed+=("$1")
    shift
  done
  if [[ ${1:-} == -- ]]; then
    shift
    optional=("$@")
  fi
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system, so nothing is installed. You need the contents of these Debian packages:" >&2
    echo "  ${needed[*]}" >&2
    return 0
  fi
  local missing=()
  mapfile -t missing < <(missing_packages "${needed[@]}")
  if [[ ${#missing[@]} -eq 0 ]]; then
    return 0
  fi
  if ! command -v apt-get >/dev/null; then
    echo "apt-get is not available. Please install these Debian packages, then try again:" >&2
    echo "  ${missing[*]}" >&2
    return 1
  fi
  if [[ ${#optional[@]} -gt 0 ]]; then
    mapfile -t optional < <(missing_packages "${optional[@]}")
  fi
  local wanted=("${missing[@]}" "${optional[@]}")
  echo "Installing ${wanted[*]}" >&2
  local log status=0
  log=$(mktemp)
  apt_install "${wanted[@]}" >"$log" 2>&1 || status=$?
  if [[ $status -eq 127 ]]; then
    echo "Installing packages needs root, and sudo asks for a password here. Run as root:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
  elif [[ $status -ne 0 ]]; then
    tail -n 30 "$log" >&2
    echo "apt-get failed (above). These packages are missing:" >&2
    echo "  ${missing[*]}" >&2
  fi
  rm -f "$log"
  [[ $status -eq 0 ]]
}
