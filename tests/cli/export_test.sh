#!/usr/bin/env bash
# The bodies of a scene as triangles: what is written, what is said, what is refused.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

lines() { grep -c "^$1 " "$2" || true; }

# One object for each body; the counts that are told are those in the file.
expect 0 export "$OLOID_SCENES/rolling_ball.toml" --obj ball.obj
silent err
exists ball.obj
missing ball.obj.part
[ "$(grep '^o ' ball.obj | tr '\n' ';')" = "o ball;o slope;" ] || fail "the objects are $(grep '^o ' ball.obj)"
awk '/ vertices, / { v += $2; f += $4 } END { print v, f }' out >told
[ "$(cat told)" = "$(lines v ball.obj) $(lines f ball.obj)" ] || fail "told $(cat told)"
[ "$(lines v ball.obj)" = "$(lines vn ball.obj)" ] || fail "not one normal for each vertex"
[ "$(lines f ball.obj)" -gt 1000 ] || fail "only $(lines f ball.obj) triangles"
says out "slope: 4 vertices, 2 triangles"
says out "wrote ball.obj"
if grep -qvE '^(#|o [^ ]+$|vn?( [-+.e0-9]+){3}$|f( [0-9]+//[0-9]+){3}$)' ball.obj; then fail "strange lines"; fi

# Every corner is a vertex and a normal of the file; the ball's vertices are at its radius from where it starts.
expect 0 check "$OLOID_SCENES/rolling_ball.toml"
at=$(sed -n 's/.* at \[\(.*\)\]$/\1/p' out)
awk -v at="$at" '
  BEGIN { split(at, c, ", ") }
  $1 == "o" { name = $2 }
  $1 == "v" { ++v; if (name == "ball") {
    r = sqrt(($2 - c[1])^2 + ($3 - c[2])^2 + ($4 - c[3])^2)
    if (r < 0.2 - 1e-9 || r > 0.2 + 1e-9) { print "line " NR ": " r " m from the centre"; exit 1 } } }
  $1 == "f" { for (i = 2; i <= 4; ++i) { split($i, k, "//")
    if (k[1] != k[2] || k[1] < 1 || k[1] > v) { print "line " NR ": " $i; exit 1 } } }' ball.obj >wrong ||
  fail "$(cat wrong)"

# A smaller tolerance gives more triangles and replaces the file.
coarse=$(lines f ball.obj)
expect 0 export "$OLOID_SCENES/rolling_ball.toml" --obj ball.obj --tolerance 2e-5
[ "$(lines f ball.obj)" -gt $((4 * coarse)) ] || fail "$(lines f ball.obj) triangles instead of $coarse"

# Names with blanks.
sed 's/"celt"/"my celt"/' <(scene /dev/stdout 1 0.1) >blank.toml
mkdir "with space"
expect 0 export blank.toml --obj "with space/a celt.obj"
says "with space/a celt.obj" "o my_celt"
says out "my celt: "

# A paraboloid has triangles.
expect 0 export "$OLOID_SCENES/cases/saddle_quadric.toml" --obj saddle.obj
silent err
[ "$(grep '^o ' saddle.obj | tr '\n' ';')" = "o ball;o saddle;" ] || fail "the objects are $(grep '^o ' saddle.obj)"
# A surface without triangles, here a hyperboloid, is left out and named.
cat >neck.toml <<'END'
oloid = 1
duration = 1
[[body]]
name = "ball"
mass = 1
inertia = [4e-3, 4e-3, 4e-3]
position = [1.1, 0, 0]
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "neck"
fixed = true
shape = { type = "quadric", Q = [1, 1, -1], c = -1 }
[[pair]]
bodies = ["ball", "neck"]
friction = 0.3
END
expect 0 export neck.toml --obj neck.obj
[ "$(grep '^o ' neck.obj)" = "o ball" ] || fail "the objects are $(grep '^o ' neck.obj)"
grep -qE '^oloid: .*"neck": omitted: .+ \(.+ not star-shaped\)$' err || fail "nothing is said of the neck"

# Sharp edges and wires are lines; a scene with wires needs no contact.
cat >wire.toml <<'END'
oloid = 1
duration = 1
[[body]]
name = "ring"
fixed = true
shape = { type = "wire", curve = { kind = "circle", radius = 0.5 } }
[[body]]
name = "oloid"
density = 1000
position = [0, 0, 3]
shape = { type = "oloid", radius = 0.1 }
END
expect 0 export wire.toml --obj wire.obj
says out "ring: 0 vertices, 0 triangles, 1 line"
[ "$(lines l wire.obj)" = 3 ] || fail "$(lines l wire.obj) lines"
awk '
  $1 == "v" { ++v }
  $1 == "vn" { ++n }
  $1 == "l" { for (i = 2; i <= NF; ++i) if ($i < 1 || $i > v) { print "line " NR ": " $i; exit 1 } }
  $1 == "f" { for (i = 2; i <= 4; ++i) { split($i, k, "//")
    if (k[1] < 1 || k[1] > v || k[2] < 1 || k[2] > n) { print "line " NR ": " $i; exit 1 } } }' wire.obj >wrong ||
  fail "$(cat wrong)"

# refused CODE TEXT ARGUMENTS...: one error with a remedy; nothing is written, an earlier file is kept.
echo "precious" >old.obj
refused() {
  local code=$1 text=$2
  shift 2
  expect "$code" export "$@"
  silent out
  says err "$text"
  grep -qE '^oloid: .+: .+ \(.+\)$' err || fail "no clear refusal of $*"
  [ "$(cat old.obj)" = precious ] || fail "$* damaged an earlier file"
  missing old.obj.part new.obj new.obj.part
}
for tolerance in 0 -1e-3 nan inf; do
  refused 2 "the tolerance is" "$OLOID_SCENES/rolling_ball.toml" --obj old.obj --tolerance $tolerance
done
refused 2 "too many triangles" "$OLOID_SCENES/rolling_ball.toml" --obj old.obj --tolerance 1e-12
refused 3 "cannot write the file" "$OLOID_SCENES/rolling_ball.toml" --obj nowhere/x.obj
refused 3 "cannot write the file" "$OLOID_SCENES/rolling_ball.toml" --obj old.obj/x.obj
refused 3 "cannot write the file" "$OLOID_SCENES/rolling_ball.toml" --obj "$work"
if [ "$(id -u)" != 0 ]; then
  mkdir locked
  chmod 555 locked
  refused 3 "cannot write the file" "$OLOID_SCENES/rolling_ball.toml" --obj locked/x.obj
fi
scene same.toml 1 0.1
cp same.toml before.toml
refused 2 "used twice" same.toml --obj ./same.toml
cmp -s same.toml before.toml || fail "the scene was overwritten"

# Bad scenes are told as by check.
for name in unclosed_text misspelt_key negative_mass torus_horn overlap no_such_scene; do
  file=$OLOID_TEST_DATA/scenes_bad/$name.toml
  expect 1 check "$file"
  cp err check_err
  expect 1 export "$file" --obj new.obj
  silent out
  cmp -s err check_err || fail "$name: export and check disagree"
  missing new.obj new.obj.part
done

# A disk that fills up: code 3, the earlier file stays.
code=0
(
  ulimit -c 0
  ulimit -f 64
  exec timeout 60 "$OLOID_BIN" export "$OLOID_SCENES/rolling_ball.toml" --obj old.obj
) >out 2>err </dev/null || code=$?
[ "$code" = 3 ] || fail "a limit on file sizes: code $code instead of 3"
silent out
grep -qE '^oloid: .+: .+ \(.+\)$' err || fail "a limit on file sizes: no clear error"
[ "$(cat old.obj)" = precious ] || fail "a failed export damaged an earlier file"
rm -f old.obj.part

# Records: the table is the one that the run writes, to the last bit.
for scene in cue_ball two_ellipsoids; do
  expect 0 run "$OLOID_SCENES/$scene.toml" -o "$scene.h5" --csv "$scene.run.csv"
  expect 0 export "$scene.h5" --csv "$scene.csv"
  silent err
  cmp -s "$scene.csv" "$scene.run.csv" || fail "$scene: the tables differ"
  expect 0 run "$OLOID_SCENES/$scene.toml" --event-rows --contacts long --csv long.csv
  expect 0 export "$scene.h5" --event-rows --long-contacts --csv again.csv
  cmp -s long.csv again.csv || fail "$scene: the tables with events differ"
  cmp -s long.contacts.csv again.contacts.csv || fail "$scene: the tables of contacts differ"
done
[ "$(wc -l <cue_ball.csv)" = 202 ] || fail "not one row per frame"
grep -q ',1,' long.contacts.csv || fail "no row after an event"

# A record is known by what is in it, not by its name.
cp cue_ball.h5 record.toml
expect 0 export record.toml --csv renamed.csv
cmp -s renamed.csv cue_ball.csv || fail "a record with another name gives another table"

# Bodies at a time: the end unless told, the nearest frame, said so. The first frame is the start of the scene.
centre() {  # of the ball, from its vertices
  awk '$1 == "o" { ball = $2 == "ball" } ball && $1 == "v" { if (!n++) { a = b = $2 }
    if ($2 < a) a = $2; if ($2 > b) b = $2 } END { printf "%.4f", (a + b) / 2 }' "$1"
}
column() { awk -F, -v t="$1" 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "ball.position.x [m]") c = i }
  NR > 1 && $1 <= t + 1e-9 { x = $c } END { printf "%.4f", x }' cue_ball.csv; }
expect 0 export cue_ball.h5 --obj end.obj
says out "bodies at t = 2 s, the end of the record"
[ "$(centre end.obj)" = "$(column 2)" ] || fail "the ball is at $(centre end.obj) instead of $(column 2)"
expect 0 export cue_ball.h5 --obj one.obj --at 1
says out "bodies at t = 1 s"
expect 0 export cue_ball.h5 --obj near.obj --at 1.004
says out "bodies at t = 1 s, the nearest frame"
cmp -s one.obj near.obj || fail "not the nearest frame"
[ "$(centre one.obj)" = "$(column 1)" ] || fail "the ball is at $(centre one.obj) instead of $(column 1)"

# Several at once; of a part, too.
expect 0 export cue_ball.h5 --obj a.obj --gltf a.glb --csv a.csv
exists a.obj a.glb a.csv
says out "wrote a.glb"
cmp -s a.csv cue_ball.csv || fail "together with others the table is another one"
expect 0 export "$OLOID_SCENES/rolling_ball.toml" --obj s.obj --gltf s.gltf
exists s.obj s.gltf
says s.gltf '"version":"2.0"'
scene endless.toml 1e4 1e-3
timeout -s KILL 1.2 "$OLOID_BIN" run endless.toml -o dead.h5 >/dev/null 2>&1 || true
expect 0 export dead.h5.part --csv dead.csv
says out "of an unfinished run"

# What does not go together is refused with what to do.
refused 2 "oloid run SCENE --csv" "$OLOID_SCENES/cue_ball.toml" --csv new.csv
refused 2 "only the start" "$OLOID_SCENES/cue_ball.toml" --obj new.obj --at 1
refused 2 "no contacts yet" "$OLOID_SCENES/cue_ball.toml" --gltf new.glb --contacts
refused 2 "a record cannot be changed" cue_ball.h5 --obj new.obj --set duration=1
refused 2 "when it was written" cue_ball.h5 --obj new.obj --tolerance 1e-3
refused 2 "only --obj takes a time" cue_ball.h5 --csv new.csv --at 1
refused 2 "to glTF files only" cue_ball.h5 --csv new.csv --contacts
refused 2 "it covers 0 to 2 s" cue_ball.h5 --obj new.obj --at 2.5
refused 2 "it covers 0 to 2 s" cue_ball.h5 --obj new.obj --at nan
refused 2 ".glb (binary) or .gltf" cue_ball.h5 --gltf new.blend
refused 2 "used twice" cue_ball.h5 --csv cue_ball.h5
refused 2 "used twice" cue_ball.h5 --csv new.csv --obj new.csv
refused 3 "cannot write the file" cue_ball.h5 --gltf nowhere/x.glb
refused 1 "nothing.h5" nothing.h5 --csv new.csv
head -c 3000 cue_ball.h5 >damaged.h5
refused 1 "damaged.h5" damaged.h5 --csv new.csv
missing new.csv new.csv.part new.glb new.glb.part
echo "export: all good"
