#!/usr/bin/env bash
# Where the bodies of a scene are nearest: what is told, what is written, what is refused.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

# Pairs in the table, and the columns of the first one.
count() { grep -cE '^[0-9]+ .*\(.*\(.*\(' out || true; }
told() { says out "$1"; }

# body NAME SHAPE [POSITION]: one more body for a scene.
body() {
  printf '[[body]]\nname = "%s"\nfixed = true\nshape = { %s }\nposition = %s\n' "$1" "$2" "${3:-[0, 0, 0]}"
}
# scene_of FILE NAME SHAPE POSITION ...
scene_of() {
  local file=$1
  shift
  printf 'oloid = 1\nduration = 1\n' >"$file"
  while [ $# -gt 0 ]; do
    body "$1" "$2" "$3" >>"$file"
    shift 3
  done
}
ball='type = "sphere", radius = 0.5'
box='type = "box", size = [1, 1, 1]'
plane='type = "plane"'
ring='type = "wire", curve = { kind = "circle", radius = 2 }'

# Spheres by their closed form, both fixed, apart.
scene_of two.toml a "$ball" "[0, 0, 0]" b "$ball" "[0, 3, 4]"
expect 0 distance two.toml
silent err
told "a, b"
told "found"
told "surface, surface"
told "certified by bounds: no pair is missing"
grep -qE '^1 +a, b +4 +found +surface, surface +\(0, 0\.3, 0\.4\) +\(0, 2\.7, 3\.6\) +\(0, -0\.6, -0\.8\)$' out || fail "wrong line"
grep -qE '^1 +[0-9.]+ +4, 4 +[0-9]+ +[0-9.e+-]+ +[0-9.e+-]+$' out || fail "wrong second line"
[ "$(count)" = 1 ] || fail "$(count) pairs"

# Every scene that can be run names the pair that touches.
for scene in "$OLOID_SCENES"/*.toml "$OLOID_SCENES"/cases/*.toml; do
  case $scene in */v_groove*) continue ;; esac # its planes cross: they have no nearest points
  expect 0 distance "$scene"
  grep -qE '^1 ' out || fail "$scene: no pair"
done

# Overlap, one inside the other, the same body twice.
scene_of overlap.toml a "$ball" "[0, 0, 0]" b "$ball" "[0, 0, 0.75]"
expect 0 distance overlap.toml
told "-0.25"
told "the bodies overlap; moving A by 0.25 m along the normal separates them there"
told "a, b: searched from many starting points, not certified: a pair may be missing"
scene_of inside.toml a 'type = "sphere", radius = 0.125' "[0, 0, 0.25]" b "$ball" "[0, 0, 0]"
expect 0 distance inside.toml
told "-0.375"
told "the bodies overlap"
scene_of same.toml a "$ball" "[0, 0, 0]" b "$ball" "[0, 0, 0]"
expect 0 distance same.toml
told "-1 "
told "continuum"
told "one of infinitely many equally near pairs, which continue along"

# A face on a plane; planes that face each other, and that cross.
scene_of face.toml box "$box" "[0, 0, 0.5]" floor "$plane" "[0, 0, 0]"
expect 0 distance face.toml
told "continuum"
[ "$(count)" = 1 ] || fail "$(count) pairs"
scene_of planes.toml floor "$plane" "[0, 0, 0]" roof "$plane" "[0, 0, 2]"
echo 'rotate_deg = [["x", 180]]' >>planes.toml
expect 0 distance planes.toml
grep -qE '^1 +floor, roof +2 +continuum ' out || fail "wrong gap of planes"
sed -i 's/180/30/' planes.toml
expect 4 distance planes.toml
told "floor, roof: no nearest pair found"

# A ring whose tube runs through a box: out of it along z.
scene_of through.toml ring 'type = "torus", major_radius = 1, minor_radius = 0.1' "[0, 0, 0]" box "$box" "[1, 0, 0]"
expect 0 distance through.toml
told "the bodies overlap; moving A by 0.6 m along the normal separates them there"

# Any number of bodies, wires among them; all, two, or those that are near.
scene_of many.toml ball "$ball" "[0, 0, 0]" box "$box" "[1.5, 0, 0]" ring "$ring" "[0, 0, 0]" floor "$plane" "[0, 0, -3]"
expect 0 distance many.toml
for names in "ball, box" "ball, ring" "ball, floor" "box, ring" "box, floor" "ring, floor"; do told "$names"; done
told "wire"
expect 0 distance many.toml --pair floor ball
[ "$(count)" = 1 ] || fail "$(count) pairs"
grep -qE '^1 +floor, ball +2\.5 ' out || fail "wrong gap of floor and ball"
expect 0 distance many.toml --within 0.75
told "ball, floor: nothing within 0.75 m; the smallest gap is 2.5 m"
grep -qE '^1 +ball, box +0\.5 ' out || fail "wrong gap of ball and box"

# Negative thresholds tell of overlaps only.
expect 0 distance overlap.toml --within -0.5
told "nothing within -0.5 m; the smallest gap is -0.25 m"
[ "$(count)" = 0 ] || fail "$(count) pairs"

# Scenes that can be run, and the one that cannot.
expect 0 distance "$OLOID_SCENES/rolling_ball.toml"
told "ball, slope"
expect 0 distance "$OLOID_SCENES/apart/oloid_and_box.toml"
told "oloid, box"
told "wire"
expect 0 check "$OLOID_SCENES/apart/oloid_and_box.toml"

# JSON: every key, once for each pair, and numbers with all digits.
mkdir "with space"
expect 0 distance two.toml --json "with space/near.json"
told "wrote with space/near.json"
for key in scene distances bodies length threshold certified overlap pairs status phase gap normal tangents A B feature index \
  chart location point curvature relative_curvatures conformity soft residual condition iterations feature_changes farther tried; do
  says "with space/near.json" "\"$key\""
done
missing "with space/near.json.part"
if command -v python3 >/dev/null; then
  python3 - "with space/near.json" <<'END' || fail "the JSON is wrong"
import json, sys
root = json.load(open(sys.argv[1]))
(d,) = root["distances"]
(p,) = d["pairs"]
assert d["bodies"] == ["a", "b"] and d["length"] == 0.5 and not d["overlap"] and d["tried"] is None
assert abs(p["gap"] - 4) < 1e-13 and abs(p["A"]["point"][2] - 0.4) < 1e-13
assert all(abs(k - 4) < 1e-10 for k in p["relative_curvatures"])
END
fi

# refused CODE TEXT ARGUMENTS...: one error with a remedy; nothing is written, an earlier file is kept.
echo "precious" >old.json
refused() {
  local code=$1 text=$2
  shift 2
  expect "$code" distance "$@"
  silent out
  says err "$text"
  grep -qE '^oloid: .+ \(.+\)$' err || fail "no clear refusal of $*"
  [ "$(cat old.json)" = precious ] || fail "$* damaged an earlier file"
  missing old.json.part new.json new.json.part
}
refused 1 'unknown body "flor" (did you mean "floor"?)' many.toml --pair ball flor --json old.json
refused 1 'available: "ball", "box", "ring", "floor"' many.toml --pair ball mountain --json old.json
refused 1 '"ball" is named twice' many.toml --pair ball ball --json new.json
refused 2 "the threshold is nan" many.toml --within nan --json new.json
refused 3 "cannot write the file" many.toml --json nowhere/x.json
refused 3 "cannot write the file" many.toml --json "$work"
refused 2 "used twice" many.toml --json ./many.toml
scene_of one.toml ball "$ball" "[0, 0, 0]"
refused 1 "the scene has only one body" one.toml
scene_of twins.toml ball "$ball" "[0, 0, 0]" ball "$ball" "[2, 0, 0]"
refused 1 'two bodies are named "ball"' twins.toml
refused 1 "cannot open the file" no_such_scene.toml
for name in unclosed_text misspelt_key torus_horn; do
  refused 1 "$name.toml" "$OLOID_TEST_DATA/scenes_bad/$name.toml" --json new.json
done

# A ball that starts on both sides of a groove is told by check.
cat >groove.toml <<'END'
oloid = 1
duration = 1
[[body]]
name = "ball"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0.70710678118654752]
shape = { type = "sphere", radius = 0.5 }
[[body]]
name = "groove"
fixed = true
[body.shape]
type = "patches"
[[body.shape.patch]]
type = "bezier"
net = [[[-2, -2, 2], [-2, 2, 2]], [[0, -2, 0], [0, 2, 0]]]
[[body.shape.patch]]
type = "bezier"
net = [[[0, -2, 0], [0, 2, 0]], [[2, -2, 2], [2, 2, 2]]]
[[pair]]
bodies = ["ball", "groove"]
friction = 0.3
END
expect 0 check groove.toml
grep -qE '^the bodies also touch at \(-?0\.353553, 0, 0\.353553\): only one contact is simulated' out || fail "the second contact is not told"

# Two balls in one formula that just touch a table: the points lie on the surface to round-off, not only opposite each other.
cat >balls.toml <<'END'
oloid = 1
duration = 1
[[body]]
name = "balls"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0.1]
shape = { type = "implicit", f = "min((x - 0.3)^2, (x + 0.3)^2) + y^2 + z^2 - 0.01", box = [[-0.45, -0.15, -0.15], [0.45, 0.15, 0.15]] }
[[body]]
name = "table"
fixed = true
shape.type = "plane"
END
expect 0 distance balls.toml --json balls.json
python3 - <<'END' || fail "touching balls have a gap"
import json
pairs = [pair["gap"] for body in json.load(open("balls.json"))["distances"] for pair in body["pairs"]]
assert len(pairs) == 2 and max(map(abs, pairs)) < 1e-16, pairs
END
echo "distance: all good"
