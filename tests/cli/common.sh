# shellcheck shell=bash
# Shared by the scripts of this folder: a fresh directory to work in, and checks that say what went wrong.
set -euo pipefail
: "${OLOID_BIN:?path of the program}" "${OLOID_SCENES:?the folder scenes}" "${OLOID_TEST_DATA:?the folder tests/data}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "FAILED: $*" >&2
  for file in out err; do
    if [ -s "$work/$file" ]; then
      echo "--- $file" >&2
      head -c 4000 "$work/$file" >&2
    fi
  done
  exit 1
}

# expect CODE ARGUMENTS...: runs the program, leaves its output in $work/out and $work/err.
expect() {
  local want=$1 code=0
  shift
  timeout 60 "$OLOID_BIN" "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  [ "$code" = "$want" ] || fail "oloid $* ended with $code instead of $want"
}

# says FILE TEXT: the file contains this text.
says() {
  grep -qF -- "$2" "$1" || fail "no '$2' in $1"
}
silent() {
  [ ! -s "$1" ] || fail "$1 is not empty"
}
exists() {
  for file in "$@"; do [ -s "$file" ] || fail "$file is missing or empty"; done
}
missing() {
  for file in "$@"; do [ ! -e "$file" ] || fail "$file exists"; done
}

# Byte 11 of a record is not zero while it is being written: it was not closed.
closed_record() {
  exists "$1"
  [ "$(od -An -tx1 -N8 "$1" | tr -d ' \n')" = 894844460d0a1a0a ] || fail "$1 is not HDF5"
  [ "$(od -An -tu1 -j11 -N1 "$1" | tr -d ' \n')" = 0 ] || fail "$1 was not closed"
  if command -v h5dump >/dev/null; then
    h5dump -H "$1" >/dev/null || fail "h5dump cannot read $1"
  fi
}

# A celt that rocks for ever: scene FILE DURATION OUTPUT_DT
scene() {
  cat >"$1" <<EOF
oloid = 1
duration = $2
[[body]]
name = "celt"
mass = 1.0
inertia = [[2e-4, -2e-5, 0], [-2e-5, 1.6e-3, 0], [0, 0, 1.7e-3]]
position = [0, 0, 0.01]
angular_velocity = [0.1, 0.2, -5]
shape = { type = "ellipsoid", semi_axes = [0.2, 0.03, 0.02], position = [0, 0, 0.01] }
[[body]]
name = "table"
fixed = true
shape = { type = "plane" }
[[pair]]
bodies = ["celt", "table"]
friction = "unlimited"
[output]
dt = $3
EOF
}

# The python3 that has h5py, in $python; empty if none has.
find_python_with_h5py() {
  python=""
  for candidate in python3 /usr/bin/python3; do
    if "$candidate" -c "import h5py, numpy" 2>/dev/null; then
      python=$candidate
      return
    fi
  done
}
