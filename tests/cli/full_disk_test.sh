#!/usr/bin/env bash
# A disk that fills up: code 3, a clear error, no crash, and a readable part of the record.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

scene endless.toml 1e4 1e-3

# ended_clearly CODE WHAT: checks how a run against a full disk has ended.
ended_clearly() {
  [ "$1" = 3 ] || fail "$2: code $1 instead of 3"
  says out "output_failed"
  grep -qE '^oloid: .+: .+ \(.+\)$' err || fail "$2: no clear error"
  if grep -q "^wrote" out; then fail "$2: claims to have written its files"; fi
}

# limited KIB FILE OPTIONS...: a run whose files may not be larger.
limited() {
  local kib=$1 code=0
  shift
  (
    ulimit -c 0
    ulimit -f "$kib"
    exec timeout 60 "$OLOID_BIN" run endless.toml "$@"
  ) >out 2>err </dev/null || code=$?
  ended_clearly "$code" "limit of $kib KiB, $*"
}
limited 100 -o small.h5
missing small.h5 small.h5.part
says err "File too large (raise the file size limit (ulimit -f)"
says err "small.h5.part was removed"
limited 4096 -o record.h5
missing record.h5
closed_record record.h5.part
says err "record.h5.part"
limited 200 --csv table.csv
missing table.csv
says err "table.csv"
# One output that fails does not take the others along.
limited 4096 -o both.h5 --json both.json
closed_record both.h5.part
says both.json '"output_failed"'

# A real file system, where we may mount one.
mkdir disk
if mount -t tmpfs -o size=6m tmpfs disk 2>/dev/null; then
  trap 'umount "$work/disk"; rm -rf "$work"' EXIT
  for output in "-o disk/run.h5" "--csv disk/run.csv"; do
    code=0
    # shellcheck disable=SC2086
    timeout 60 "$OLOID_BIN" run endless.toml $output >out 2>err </dev/null || code=$?
    ended_clearly "$code" "full disk, $output"
    says err "No space left on device"
    missing disk/run.h5 disk/run.csv
    if [ -e disk/run.h5.part ]; then closed_record disk/run.h5.part; fi
    rm -f disk/*
  done
  # A disk that is full from the beginning.
  echo "an earlier file" >disk/old.h5
  cp disk/old.h5 old.h5
  head -c 10m /dev/zero >disk/fill 2>/dev/null || true
  code=0
  timeout 60 "$OLOID_BIN" run endless.toml -o disk/old.h5 >out 2>err </dev/null || code=$?
  [ "$code" = 3 ] || fail "a full disk: code $code instead of 3"
  grep -qE '^oloid: .+ \(.+\)$' err || fail "a full disk: no clear error"
  cmp -s disk/old.h5 old.h5 || fail "an earlier file was damaged"
else
  echo "no right to mount: the test with a real full disk is left out"
fi
echo "full disk: all good"
