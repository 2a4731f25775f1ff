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

# The demo works in any directory, finds its scene without help, and writes NAME.h5, NAME.svg and NAME.html there.
mkdir demo
cd demo
expect 0 demo
closed_record rattleback.h5
says rattleback.svg "</svg>"
says "$work/out" "spin reversed at t = "
says "$work/out" "wrote rattleback.h5"
[ "$(ls | wc -l)" = 3 ] || fail "the demo wrote $(ls)"
for name in cue_ball rolling_ball; do
  expect 0 demo "$name" --json "$name.json"
  exists "$name.h5" "$name.svg" "$name.html" "$name.json"
done
expect 1 demo nothing
says "$work/err" 'no built-in scene named "nothing" (built-in scenes: '
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

# What the scene reads is never an output, nor is one output the part of another.
cp -r "$OLOID_SCENES/bowl.toml" "$OLOID_SCENES/shapes" .
printf 'oloid = 1\n[solver]\nrtol = 1e-9\n' >common.toml
sed 's/^oloid = 1.*/oloid = 1\ninclude = "common.toml"/' "$OLOID_SCENES/rolling_ball.toml" >including.toml
cp shapes/bowl.obj cage.obj
cp common.toml kept.toml
twice() {
  expect 2 "$@"
  silent out
  says err "used twice"
}
twice export bowl.toml --obj shapes/bowl.obj
twice distance bowl.toml --json ./shapes/bowl.obj
twice run bowl.toml --svg shapes/../shapes/bowl.obj
twice run including.toml --csv common.toml
twice run including.toml -o x --csv x.part
cmp -s cage.obj shapes/bowl.obj || fail "the cage was overwritten"
cmp -s common.toml kept.toml || fail "an included file was overwritten"
expect 0 run including.toml --csv other.csv

# Empty file names, as unset variables leave them.
for option in -o --json --csv --svg; do
  expect 2 run including.toml $option ""
  says err "the file name is empty"
done
expect 2 export bowl.toml --obj ""
expect 2 distance bowl.toml --json ""

# Standard output that cannot be written is told, however short it is.
for arguments in "check --schema" "list" "--help" "check including.toml" "run including.toml"; do
  code=0
  # shellcheck disable=SC2086
  timeout 60 "$OLOID_BIN" $arguments >/dev/full 2>err </dev/null || code=$?
  [ "$code" = 3 ] || fail "oloid $arguments >/dev/full ended with $code instead of 3"
  says err "oloid: standard output: writing failed: No space left on device ("
done
code=0
"$OLOID_BIN" run nothing.toml 2>/dev/full || code=$?
[ "$code" = 1 ] || fail "errors to a full device: code $code instead of 1"

# The number of threads does not change anything.
hash_of() { grep '"hash"' "$1"; }
expect 0 run "$OLOID_SCENES/two_ellipsoids.toml" --threads 1 --json one.json
expect 0 run "$OLOID_SCENES/two_ellipsoids.toml" --threads 3 --json three.json
[ -n "$(hash_of one.json)" ] || fail "no hash"
[ "$(hash_of one.json)" = "$(hash_of three.json)" ] || fail "threads change the motion"
for threads in -1 many 100000; do expect 2 run including.toml --threads $threads; done

# A record is no table, whatever its name.
for kind in csv json svg html; do
  expect 2 run including.toml -o "run.$kind"
  says err "--$kind run.$kind"
  missing "run.$kind"
done
echo "outputs: all good"
