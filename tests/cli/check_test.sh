#!/usr/bin/env bash
# What `check` tells of a good scene: where and how each moving body starts, then one line for each body's surface.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"

# told SCENE START BODY...: the first line, how the moving body starts, then the bodies in the scene's order.
told() {
  local scene=$1 start=$2
  shift 2
  expect 0 check "$scene"
  silent err
  [ "$(head -n 1 out)" = "$scene is valid" ] || fail "$scene: the first line is $(head -n 1 out)"
  sed -n 2p out | grep -qF "$start at [" || fail "$scene: the second line is $(sed -n 2p out)"
  printf '%s\n' "$@" >expected
  tail -n +3 out | cmp -s - expected || fail "$scene: expected $(cat expected)"
}
told "$OLOID_SCENES/cases/bowl_rolling.toml" '"ball" starts rolling on "bowl"' "ball: sphere, closed, volume 0.0335103 m3" "bowl: sphere, closed, cavity"
told "$OLOID_SCENES/cases/saddle_bezier.toml" '"ball" starts rolling on "saddle"' "ball: sphere, closed, volume 0.00418879 m3" "saddle: 1 patch, 4 free sides, open"
told "$OLOID_SCENES/cases/saddle_quadric.toml" '"ball" starts rolling on "saddle"' "ball: sphere, closed, volume 0.00418879 m3" "saddle: quadric, unbounded"
told "$OLOID_SCENES/cases/torus_steady.toml" '"ring" starts rolling on "table"' "ring: torus, closed, volume 0.0148044 m3" "table: plane, unbounded"

# Bodies that are apart fly; of several bodies each that moves is told, once it is known on what it stands.
scene flying.toml 1 0.1
sed -i 's/^position = \[0, 0, 0.01\]/position = [0, 0, 0.5]/' flying.toml
expect 0 check flying.toml
says out '"celt" starts in flight at [0, 0, 0.5]'
cat >stack.toml <<'END'
oloid = 1
duration = 0.1
[[material]]
name = "wood"
friction = 0.5
[[body]]
name = "table"
material = "wood"
fixed = true
shape.type = "plane"
[[body]]
name = "upper"
material = "wood"
density = 700
position = [0, 0, 0.3]
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "lower"
material = "wood"
density = 700
position = [0, 0, 0.1]
shape = { type = "sphere", radius = 0.1 }
[[body]]
name = "far"
material = "wood"
density = 700
position = [2, 0, 0.2]
shape = { type = "sphere", radius = 0.1 }
END
expect 0 check stack.toml
silent err
says out '"upper" starts rolling on "lower" at ['
says out '"lower" starts rolling on "table" at ['
says out '"far" starts in flight at [2, 0, 0.2'
[ "$(grep -c 'starts\|: plane\|: sphere\|: ellipsoid\|valid$' out)" = 8 ] || fail "expected eight lines"
# Events of a run tell their bodies when there are several pairs, but not for one pair.
sed -i 's/^duration = .*/duration = 1/' stack.toml
expect 0 run stack.toml
says out "contact_start of lower and table: separated -> rolling"
says out "impact of far and table: separated -> rolling, at 1.4 m/s"
expect 0 run "$OLOID_SCENES/cue_ball.toml"
says out "mode_change: sliding -> rolling"
# Work of drives is told where there is some.
expect 0 run "$OLOID_SCENES/turntable.toml"
says out " J, work of drives and loads "

# An approach at the start is told.
scene falling.toml 1 0.1
sed -i 's/^angular_velocity = .*/velocity = [0, 0, -1]/' falling.toml
expect 0 check falling.toml
says out "\"celt\" hits \"table\" at the start, at 1 m/s"
says out "celt: ellipsoid, closed, volume 0.000502655 m3"
says out "table: plane, unbounded"
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
says out "wire.toml is valid for export but cannot be run"
says out "ring: curve, 1 piece, closed, length 3.14159 m, curvature up to 2 1/m, torsion 0 1/m"
says out "oloid: hull of two circles, 12 strips, 2 sharp edges of 0.837758 m, closed, volume 0.00305242 m3"
expect 1 run wire.toml
says err "body[0].shape: wires cannot be simulated"
echo "check: all good"

# Nothing from a file reaches the terminal as an order; a pipe without a writer is not waited for.
printf 'oloid = 1\nduration = 1\n"\\u001b[31mred\\u009b" = 2\n' >orders.toml
expect 1 check orders.toml
says err '\x1b[31mred\x9b'
! grep -q "$(printf '\033')" err || fail "an escape character was printed"
mkfifo pipe
expect 1 check pipe
says err "named pipe"
