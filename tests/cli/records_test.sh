#!/usr/bin/env bash
# Records: told by replay, verified to the last bit, recovered after a kill at any time.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

# What replay tells is what the run told.
expect 0 run "$OLOID_SCENES/cue_ball.toml" -o ball.h5
grep -v '^wrote' out >told
expect 0 replay ball.h5
silent err
says out "ball.h5: 2"
says out "written by this build of oloid"
while read -r line; do says out "$line"; done <told
grep -qE '^hash [0-9a-f]{16}' out || fail "no hash"

# The same to the last bit, also for scenes that name files, and without them.
expect 0 replay ball.h5 --verify
says out "identical to the last bit"
mkdir scenes
cp -r "$OLOID_SCENES"/bowl.toml "$OLOID_SCENES"/shapes scenes/ 2>/dev/null || cp -r "$OLOID_SCENES"/. scenes/
sed -i 's/^duration = .*/duration = 0.2/' scenes/bowl.toml
expect 0 run scenes/bowl.toml -o bowl.h5
rm -r scenes
expect 0 replay bowl.h5 --verify
says out "identical to the last bit"

# A record of something else is different, and told where.
scene celt.toml 0.3 0.01
expect 0 run celt.toml -o celt.h5
find_python_with_h5py
if [ -n "$python" ]; then
  "$python" - <<'END'
import h5py
with h5py.File("celt.h5", "r+") as f:
    p = f["bodies/0/position"]
    row = p[7]
    row[1] += 1e-16
    p[7] = row
END
  expect 5 replay celt.h5 --verify
  says out "different: the frame at t = 0.07 s: celt.position[1] was "
fi

# What is no record.
expect 1 replay celt.toml
says err "this is not a record"
expect 1 replay nothing.h5
expect 1 recover celt.h5
says err "such files are named NAME.h5.part"
head -c 5000 ball.h5 >cut.h5.part
expect 1 recover cut.h5.part
says err "damaged"
[ "$(stat -c %s cut.h5.part)" = 5000 ] || fail "a damaged part was touched"
missing cut.h5

# An interrupted run can be verified, too, whether it has one island or several.
scene endless.toml 1e6 0.02
{
  printf 'oloid = 1\nduration = 1e6\n[output]\ndt = 0.02\n[[material]]\nname = "m"\nfriction = 0.3\nrestitution = 1\n'
  printf '[[body]]\nname = "table"\nfixed = true\nmaterial = "m"\nshape.type = "plane"\n'
  for i in 1 2 3 4 5; do
    printf '[[body]]\nname = "b%d"\ndensity = 1000\nmaterial = "m"\nshape = { type = "sphere", radius = 0.05 }\nposition = [%d, 0, 0.3%d]\n' $i $i $i
  done
} >bouncing.toml
for name in endless bouncing; do
  code=0
  timeout --preserve-status -k 20 -s INT 0.7 "$OLOID_BIN" run $name.toml -o $name.h5 >out 2>err || code=$?
  [ "$code" = 130 ] || fail "Ctrl-C gave code $code"
  expect 0 replay $name.h5 --verify
  says out "interrupted"
  says out "identical to the last bit"
done

# kill -9 at random times: what was flushed is there, and it is the beginning of the same run.
scene kill.toml 1e4 5e-3
RANDOM=42
for i in 1 2 3 4; do
  wait_s=$(awk -v r=$RANDOM 'BEGIN { printf "%.3f", 0.05 + 1.4 * r / 32768 }')
  code=0
  timeout -s KILL "$wait_s" "$OLOID_BIN" run kill.toml -o "kill$i.h5" >/dev/null 2>&1 || code=$?
  [ "$code" = 137 ] || fail "kill -9 gave code $code"
  missing "kill$i.h5"
  code=0
  "$OLOID_BIN" recover "kill$i.h5.part" >out 2>err || code=$?
  if [ "$code" = 1 ]; then # killed before the first block was complete
    awk -v w="$wait_s" 'BEGIN { exit !(w < 1) }' || fail "nothing is left after $wait_s s"
    grep -qE "no complete frame|damaged|not a record|cannot open" err || fail "no clear error"
    continue
  fi
  [ "$code" = 0 ] || fail "recover ended with $code"
  closed_record "kill$i.h5"
  missing "kill$i.h5.part"
  expect 0 replay "kill$i.h5"
  says out "the run did not finish; the record was recovered"
  last="kill$i.h5"
done
[ -n "${last:-}" ] || fail "no run was recovered"
timeout 60 "$OLOID_BIN" replay "$last" --verify >out 2>err || fail "a recovered record cannot be verified"
says out "identical to the last bit, as far as recorded"

# Data older than a second are in the file: the part is as young as that when the run is killed.
"$OLOID_BIN" run kill.toml -o age.h5 >/dev/null 2>&1 &
run=$!
sleep 2.5
now=$(date +%s.%N)
age=$(awk -v now="$now" -v then="$(stat -c %.9Y age.h5.part)" 'BEGIN { print now - then }')
kill -KILL "$run"
wait "$run" 2>/dev/null || true
awk -v age="$age" 'BEGIN { exit !(age < 1) }' || fail "the part was written $age s ago"
echo "records: all good"
