#!/usr/bin/env bash
# What `check` tells of a good scene: where and how it starts, then one line for each body's surface.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

# told SCENE BODY...: the first line, then the bodies in the scene's order.
told() {
  local scene=$1
  shift
  expect 0 check "$scene"
  silent err
  head -n 1 out | grep -qF "$scene is good: " || fail "$scene: the first line is $(head -n 1 out)"
  printf '%s\n' "$@" >expected
  tail -n +2 out | cmp -s - expected || fail "$scene: expected $(cat expected)"
}
told "$OLOID_SCENES/cases/bowl_rolling.toml" "ball: sphere, closed, volume 0.0335103 m3" "bowl: sphere, closed, a cavity"
told "$OLOID_SCENES/cases/saddle_bezier.toml" "ball: sphere, closed, volume 0.00418879 m3" "saddle: 1 patch, 4 free sides, open"
told "$OLOID_SCENES/cases/saddle_quadric.toml" "ball: sphere, closed, volume 0.00418879 m3" "saddle: quadric, endless"
told "$OLOID_SCENES/cases/torus_steady.toml" "ring: torus, closed, volume 0.0148044 m3" "table: plane, endless"

# Velocity that had to be removed is still told.
scene falling.toml 1 0.1
sed -i 's/^angular_velocity = .*/velocity = [0, 0, -1]/' falling.toml
expect 0 check falling.toml
says out "removed at the contact: approach 1 m/s"
says out "celt: ellipsoid, closed, volume 0.000502655 m3"
says out "table: plane, endless"
# A scene with wires can be looked at: told, and refused to run.
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
[[pair]]
bodies = ["ring", "oloid"]
friction = 0.3
END
expect 0 check wire.toml
says out "wire.toml is good to export; it cannot be run"
says out "ring: curve, 1 piece, closed, length 3.14159 m, curvature up to 2 1/m, torsion 0 1/m"
says out "oloid: hull of two circles, 12 strips, 2 sharp edges of 0.837758 m, closed, volume 0.00305242 m3"
expect 1 run wire.toml
says err "body[0].shape: a wire touches nothing"
echo "check: all good"
