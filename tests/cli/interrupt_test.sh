#!/usr/bin/env bash
# Ctrl-C finishes the files; kill -9 leaves a part and what was there before.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

scene endless.toml 1e6 0.02

# interrupt SIGNAL: lets a run go on for a moment.
interrupt() {
  local code=0
  timeout --preserve-status -k 20 -s "$1" 0.7 \
    "$OLOID_BIN" run endless.toml -o run.h5 --json run.json --csv run.csv --svg run.svg >out 2>err || code=$?
  [ "$code" = 130 ] || fail "SIG$1 gave code $code instead of 130"
  closed_record run.h5
  missing run.h5.part run.json.part run.csv.part run.svg.part
  says run.json '"interrupted"'
  says run.json '"bodies"'
  says run.svg "</svg>"
  says out "interrupted"
  says out "wrote run.h5"
  [ "$(tail -n 1 run.csv | tr ',' '\n' | wc -l)" = "$(head -n 1 run.csv | tr ',' '\n' | wc -l)" ] ||
    fail "the last row of the table is not complete"
  tail -c 1 run.csv | od -An -c | grep -qF '\n' || fail "the table ends within a line"
  # The summary, the table and the time reached agree.
  end=$(sed -n 's/^  "t_end": \(.*\),$/\1/p' run.json)
  [ "$(tail -n 1 run.csv | cut -d, -f1 | cut -c1-10)" = "$(printf '%s' "$end" | cut -c1-10)" ] ||
    fail "the table ends at $(tail -n 1 run.csv | cut -d, -f1), the summary at $end"
}
interrupt INT
interrupt TERM

# interrupted OUTPUT ARGUMENT...: a command that writes from a record is stopped when its part is there, and leaves nothing.
# On a fast machine it may be over before; then again.
interrupted() {
  local output=$1 code=0
  shift
  for _ in $(seq 20); do
    "$OLOID_BIN" "$@" >out 2>err &
    local writer=$!
    while [ ! -e "$output.part" ] && kill -0 "$writer" 2>/dev/null; do :; done
    kill -INT "$writer" 2>/dev/null || true
    code=0
    wait "$writer" || code=$?
    missing "$output.part"
    [ "$code" = 130 ] && break
    rm -f "$output"
  done
  [ "$code" = 130 ] || fail "$1 ended with $code instead of 130"
  missing "$output"
}
interrupted table.csv export run.h5 --csv table.csv
interrupted page.html view run.h5 -o page.html --no-open
interrupted plot.svg plot run.h5 -o plot.svg

# kill -9: the earlier record is untouched, the part remains.
cp run.h5 before.h5
cp run.json before.json
code=0
timeout -s KILL 1.6 "$OLOID_BIN" run endless.toml -o run.h5 --json run.json >out 2>err || code=$?
[ "$code" = 137 ] || fail "kill -9 gave code $code"
cmp -s run.h5 before.h5 || fail "kill -9 damaged an earlier record"
cmp -s run.json before.json || fail "kill -9 damaged an earlier summary"
exists run.h5.part
[ "$(od -An -tx1 -N8 run.h5.part | tr -d ' \n')" = 894844460d0a1a0a ] || fail "the part is not HDF5"

# The next run takes over the part of the dead one.
scene short.toml 0.5 0.1
expect 0 run short.toml -o run.h5
closed_record run.h5
missing run.h5.part

# While one run writes a record, a second one of that name is refused and does no harm.
timeout --preserve-status -s INT 3 "$OLOID_BIN" run endless.toml -o busy.h5 >/dev/null 2>&1 &
first=$!
for _ in $(seq 50); do
  [ -s busy.h5.part ] && break
  sleep 0.05
done
exists busy.h5.part
expect 3 run short.toml -o busy.h5
says err "busy.h5"
code=0
wait "$first" || code=$?
[ "$code" = 130 ] || fail "the first run ended with $code"
closed_record busy.h5
echo "interrupt: all good"
