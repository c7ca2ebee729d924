# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Configuring and building a preset. Sourced by the scripts beside it, which set `root` to the top of the tree.
: "${root:?}"

# Runs a command whose output is shown only if it fails; all of it stays in the named file.
quietly() {
  local log=$1 status=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [[ $status -ne 0 ]]; then
    # Ninja's lines about what went well are no help.
    grep -vE '^\[[0-9]+/[0-9]+\] [^F]' "$log" | tail -n 200 >&2 || true
    echo "The command was: $*" >&2
    echo "All of its output is in $log" >&2
  fi
  return "$status"
}

# configure PRESET; leaves the output in build/PRESET/configure.log
configure() {
  (cd "$root" && quietly "build/$1/configure.log" cmake --preset "$1")
}

# build PRESET [TARGET...]; leaves the output in build/PRESET/build.log. On a terminal Ninja shows one line of how far it is.
build() {
  local command=(cmake --build --preset "$1" --parallel "$(nproc)")
  if [[ $# -gt 1 ]]; then
    command+=(--target "${@:2}")
  fi
  if [[ -t 1 && -z ${CI:-} ]]; then
    (cd "$root" && NINJA_STATUS='[%f/%t, %e s] ' "${command[@]}" </dev/null)
  else
    (cd "$root" && quietly "build/$1/build.log" "${command[@]}")
  fi
}
