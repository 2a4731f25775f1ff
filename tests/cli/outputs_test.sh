#!/usr/bin/env bash
# What a run prints and writes, and how it ends.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

# Nothing is written unless asked for; names may contain spaces.
mkdir plain "with space"
cd plain
expect 0 run "$OLOID_SCENES/rolling_ball.toml"
silent "$work/err"
says "$work/out" "largest relative drift"
[ -z "$(ls)" ] || fail "files were written: $(ls)"
cd "$work"
expect 0 run "$OLOID_SCENES/rolling_ball.toml" -o "with space/a ball.h5" --json "with space/a ball.json" \
  --csv "with space/a ball.csv" --svg "with space/a ball.svg"
closed_record "with space/a ball.h5"
exists "with space"/*.json "with space"/*.csv "with space"/*.svg
says "with space/a ball.svg" "</svg>"
for key in scene t_end wall_s steps rates_calls energy initial final max_relative_drift dissipated max_gap_error bodies \
  name position quaternion_wxyz velocity angular_velocity events probes counters; do
  says "with space/a ball.json" "\"$key\""
done
missing "with space"/*.part

# The demo works in any directory, finds its scene without help, and writes NAME.h5 and NAME.svg there.
mkdir demo
cd demo
expect 0 demo
closed_record rattleback.h5
says rattleback.svg "</svg>"
says "$work/out" "spin reversed at t = "
says "$work/out" "wrote rattleback.h5"
[ "$(ls | wc -l)" = 2 ] || fail "the demo wrote $(ls)"
for name in cue_ball rolling_ball; do
  expect 0 demo "$name" --json "$name.json"
  exists "$name.h5" "$name.svg" "$name.json"
done
expect 1 demo nothing
says "$work/err" 'there is no demo "nothing" (known are '
cd "$work"

# An existing file is replaced as a whole.
cp demo/rattleback.h5 ball.h5
expect 0 run "$OLOID_SCENES/rolling_ball.toml" -o ball.h5
closed_record ball.h5
if cmp -s ball.h5 demo/rattleback.h5; then fail "ball.h5 was not replaced"; fi

# How often frames are written does not touch the motion: the last bit is the same.
state() { sed -n '/"bodies"/,/^  "counters"/p' "$1" | grep -v '"counters"'; }
for dt in 0.1 0.01 0.001; do
  for scene in cue_ball rattleback bowl_frictionless sphere_departure_rolling; do
    sed "s/^dt = .*/dt = $dt/" "$OLOID_SCENES/cases/$scene.toml" >"$scene.toml"
    says "$scene.toml" "dt = $dt"
    expect 0 run "$scene.toml" --json "$scene.$dt.json" --csv "$scene.$dt.csv"
    exists "$scene.$dt.json"
    state "$scene.$dt.json" >"$scene.$dt.state"
    exists "$scene.$dt.state"
    cmp -s "$scene.0.1.state" "$scene.$dt.state" ||
      fail "$scene: the end differs between dt = 0.1 and $dt: $(diff "$scene.0.1.state" "$scene.$dt.state" | head -n 4)"
  done
done
[ "$(wc -l <cue_ball.0.001.csv)" -gt 2000 ] || fail "too few frames with dt = 0.001"

# The same run twice gives the same bits.
expect 0 run "$OLOID_SCENES/cases/rattleback.toml" --csv first.csv
expect 0 run "$OLOID_SCENES/cases/rattleback.toml" --csv second.csv
cmp -s first.csv second.csv || fail "two runs of the same scene differ"

# An event that ends the run early: code 4, the outputs are complete.
{
  cat "$OLOID_SCENES/rolling_ball.toml"
  printf '\n[solver]\nmax_steps = 5\n'
} >budget.toml
expect 4 run budget.toml -o budget.h5 --json budget.json
says out "budget"
says out "raise solver.max_steps"
closed_record budget.h5
says budget.json '"budget"'

# Places that cannot be written are refused before anything is computed.
scene endless.toml 1e6 1
refused() {
  expect 3 run endless.toml "$@"
  silent out
  grep -qE '^oloid: .+: cannot write the file: .+ \(.+\)$' err || fail "no clear refusal of $*"
}
touch file
for option in -o --json --csv --svg; do
  refused $option nowhere/x
  refused $option file/x
  refused $option "$work"
done
if [ "$(id -u)" != 0 ]; then
  mkdir locked
  chmod 555 locked
  refused -o locked/x.h5
fi
missing nowhere

# Closed standard input, output through a pipe: no progress bar, no control characters.
scene short.toml 40 0.1
code=0
timeout 60 "$OLOID_BIN" run short.toml --json short.json <&- 2>&1 | cat >piped || code=$?
[ "$code" = 0 ] || fail "a piped run ended with $code"
says piped "wrote short.json"
if LC_ALL=C grep -q "$(printf '[\r\033\b]')" piped; then fail "control characters in a pipe"; fi
# A reader that goes away early must not hurt the files.
timeout 60 "$OLOID_BIN" run short.toml --json cut.json 2>/dev/null | true || true
exists cut.json

# All standard streams closed.
code=0
timeout 60 "$OLOID_BIN" run short.toml -o closed.h5 --json closed.json <&- >&- 2>&- || code=$?
[ "$code" = 0 ] || fail "a run with closed streams ended with $code"
closed_record closed.h5
says closed.json '"bodies"'

# On a terminal there is a progress bar, and it is wiped at the end.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then  # a terminal can be had
  scene slow.toml 100 0.1
  timeout 60 script -qec "'$OLOID_BIN' run slow.toml" typescript >/dev/null </dev/null ||
    fail "a run on a terminal failed"
  says typescript "% "
  says typescript "s left"
  says typescript "x real time"
  says typescript "rolling"
fi
echo "outputs: all good"
